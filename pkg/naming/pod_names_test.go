package naming_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

func TestPodNameOf(t *testing.T) {
	for _, c := range []struct {
		pod, kind, workload string
		is                  bool
		program             string
	}{
		{"acme-5c8d9f7b64-k8w2q", "Deployment", "acme", true, "acme"},
		{"acme-webhook-5c8d9f7b64-k8w2q", "Deployment", "acme", false, "acme-webhook"},
		{"acme-webhook-5c8d9f7b64-k8w2q", "Deployment", "acme-webhook", true, "acme-webhook"},
		{"acme-db-k8w2q", "Deployment", "acme", false, "acme-db"},
		{"acme-5c8d9f7b64", "Deployment", "acme", false, ""},
		{"acme", "Deployment", "acme", false, ""},
		{"acme-0", "StatefulSet", "acme", true, ""},
		{"acme-db-0", "StatefulSet", "acme", false, ""},
		{"acme-k8w2q", "DaemonSet", "acme", true, "acme"},
		{"acme-node-k8w2q", "DaemonSet", "acme", false, "acme-node"},
		{"acme-k8w2q", "ReplicaSet", "acme", true, "acme"},
		{"acme", "Pod", "acme", true, ""},
		{"acme-1", "Pod", "acme", false, ""},
	} {
		if got := naming.PodNameOf(c.pod, c.kind, c.workload); got != c.is {
			t.Errorf("%s is a pod of %s %s: %t", c.pod, c.kind, c.workload, got)
		}
		if got := naming.ProgramOf(c.pod); got != c.program {
			t.Errorf("%s is a pod of %q, want %q", c.pod, got, c.program)
		}
	}
}

func TestElectionFlags(t *testing.T) {
	for text, want := range map[string][2]bool{ // off, on
		"--leader-elect=false": {true, false}, "-enable-leader-election=0": {true, false},
		"--disable-leader-election": {true, false}, "--leaderElection=FALSE": {true, false},
		"(not recorded) --leader-elect=false": {true, false},
		"--leader-elect":                      {false, true}, "--leader-elect=true": {false, true},
		"--enable-leader-election":               {false, true},
		"--leader-elect-release-on-cancel=false": {}, "--leader-election-id=false": {}, "--metrics=false": {}, "": {},
	} {
		if got := [2]bool{naming.ElectionOff(text), naming.ElectionOn(text)}; got != want {
			t.Errorf("%q says off, on: %v", text, got)
		}
	}
}

func TestGeneratedEnd(t *testing.T) {
	for end, want := range map[string]bool{
		"5c8d9f7b64-k8w2q": true, "5c8d9f7b64": true, "k8w2q": true, "web": false, "web-k8w2q": false, "0": false, "": false,
		"5c8d9f7b64-k8w2q-x": false,
	} {
		if got := naming.GeneratedEnd(end); got != want {
			t.Errorf("%q is generated: %t", end, got)
		}
	}
	if a, b := naming.MakeEnd(3, 5), naming.MakeEnd(4, 5); a == b || !naming.GeneratedEnd(a) || !naming.GeneratedEnd(b) {
		t.Errorf("ends %s and %s", a, b)
	}
}
