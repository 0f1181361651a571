package attribution

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// kindLaws are about workloads of other kinds than the ones that a project is usually installed as.
func kindLaws() []law {
	const writes = "cert-manager/cert-manager"
	other := func(kind, name string) string {
		return strings.NewReplacer("Deployment", kind).Replace(operatorOf("cert-manager", name, 0))
	}
	rollout := strings.Replace(other("Rollout", "cert-manager"), "apps/v1", "deploy.example.net/v1", 1)
	rollout = strings.Replace(rollout, "serviceAccountName: cert-manager", "serviceAccountName: cert-manager, "+
		"containers: [{name: main, image: x}]", 1)
	set := strings.Replace(other("ReplicaSet", "cert-manager"), "serviceAccountName: cert-manager",
		"serviceAccountName: cert-manager, containers: [{name: main, image: x}]", 1)
	var laws []law
	for kind, workload := range map[string]string{"ReplicaSet": set, "Rollout": rollout} {
		laws = append(laws, law{
			name: "the catalogue's program is a " + kind, held: challenge("other"),
			state: []string{
				may(writesKind, "acme.cert-manager.io", "challenges", writes), accountIn("cert-manager", "cert-manager"), workload,
			},
			want: []string{isDownSaid, kind + " cert-manager/cert-manager"}, not: []string{isMissingSaid},
		})
	}
	return laws
}

// voiceLaws are about who speaks, and where a program lives.
func voiceLaws() []law {
	const denial = `databases.shop.example.com "x" is forbidden: User "system:serviceaccount:ops:ACCOUNT" cannot delete ` +
		`resource "buckets" in API group "infra.example.net" in the namespace "a"`
	warns := func(account string) string {
		return fmt.Sprintf(`
apiVersion: v1
kind: Event
metadata: {namespace: a, name: x.1, uid: x.1}
involvedObject: {kind: Database, namespace: a, name: x, uid: Database-a-x}
type: Warning
reason: Failed
message: %q
reportingComponent: elsewhere
lastTimestamp: "2026-07-01T11:58:00Z"
`, strings.ReplaceAll(denial, "ACCOUNT", account))
	}
	operates := []string{databases("ops/database-operator"), runs("ops", "database-operator")}
	return []law{
		{
			name: "a denial of its own account, under another name", held: database(),
			state: append(slices.Clone(operates), warns("database-operator")), want: []string{isForbiddenSaid, "buckets"},
		},
		{
			name: "a denial of another account", held: database(),
			state: append(slices.Clone(operates), warns("other")), not: []string{isForbiddenSaid, "ControllerFailing"},
		},
	}
}

// TestHostsLease wants a container that elects beside one that crashes not to be taken for it, whether the Lease's
// holder is the pod or, under its Node's network, the Node.
func TestHostsLease(t *testing.T) {
	running := corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
	crashing := corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
	pod := &corev1.Pod{Spec: corev1.PodSpec{NodeName: "node-1", HostNetwork: true}}
	pod.Name = "op-1"
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{
		{Name: "manager", State: crashing}, {Name: "elector", State: running},
	}
	s, c := &search{}, &candidate{}
	for name, of := range map[string]struct {
		holder  string
		by      signs.LeaseTie
		network bool
		want    bool
	}{
		"its pod":                            {"op-1_x", signs.TiedByPod, true, true},
		"its node":                           {"node-1_x", signs.TiedByHost, true, true},
		"its node, and a network of its own": {"node-1_x", signs.TiedByHost, false, false},
		"another node":                       {"node-2_x", signs.TiedByHost, true, false},
		"a name":                             {"op-1_x", signs.TiedByName, true, false},
	} {
		pod.Spec.HostNetwork = of.network
		if got := idlesBeside(s, c, holderAmong(of.holder, of.by, []*corev1.Pod{pod})); got != of.want {
			t.Errorf("%s: idles beside %t", name, got)
		}
	}
}

// TestReconcilesBeside wants a pod that only a helper of its controller makes not ready to be taken for one that runs.
func TestReconcilesBeside(t *testing.T) {
	running := corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
	crashing := corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
	for name, of := range map[string]struct {
		statuses []corev1.ContainerStatus
		want     bool
	}{
		"a helper crashes": {[]corev1.ContainerStatus{
			{Name: "manager", State: running, Ready: true}, {Name: "kube-rbac-proxy", State: crashing},
		}, true},
		"the controller crashes": {[]corev1.ContainerStatus{
			{Name: "manager", State: crashing}, {Name: "kube-rbac-proxy", State: running, Ready: true},
		}, false},
		"the controller is not ready": {[]corev1.ContainerStatus{
			{Name: "manager", State: running}, {Name: "kube-rbac-proxy", State: crashing},
		}, false},
		"who crashes is not clear": {[]corev1.ContainerStatus{
			{Name: "manager", State: running, Ready: true}, {Name: "engine", State: crashing},
		}, false},
	} {
		pod := &corev1.Pod{}
		pod.Status.ContainerStatuses = of.statuses
		c := &candidate{state: candidateDown}
		got := reconcilesBeside(&search{}, c, []*corev1.Pod{pod})
		if got != of.want || got != (c.state == candidateAlive) {
			t.Errorf("%s: reconciles beside %t", name, got)
		}
	}
}

// TestSameProgram wants names to be compared by their own words, and by the duty that they name.
func TestSameProgram(t *testing.T) {
	for _, of := range []struct {
		manager, name string
		want          bool
	}{
		{"mint-controller", "mint-operator", true}, {"mint-webhook", "mint-webhook-server", true},
		{"mint-controller", "mint-webhook", false}, {"mint", "mint-backup", false},
	} {
		if got := sameProgram(of.manager, of.name); got != of.want {
			t.Errorf("%s and %s: the same program: %t", of.manager, of.name, got)
		}
	}
}

// lockLaws are about leader elections by annotations.
func lockLaws() []law {
	lock := func(kind, renewed string) string {
		return fmt.Sprintf(`
apiVersion: v1
kind: %s
metadata:
  namespace: ops
  name: database-operator
  uid: lock
  annotations:
    control-plane.alpha.kubernetes.io/leader: '{"holderIdentity":"host-7","leaseDurationSeconds":15,"renewTime":%q}'
`, kind, renewed)
	}
	cluster := []string{databases("ops/database-operator"), accountIn("ops", "database-operator")}
	var laws []law
	for _, kind := range []string{"ConfigMap", "Endpoints"} {
		live, old := lock(kind, "2026-07-01T11:59:55Z"), lock(kind, "2026-06-01T12:00:00Z")
		laws = append(laws, law{
			name: "a lock in a renewed annotation of " + kind, held: database(), state: append(slices.Clone(cluster), live),
			want: []string{"held by host-7"}, not: []string{isMissingSaid, isDownSaid},
		}, law{
			name: "a lock in an old annotation of " + kind, held: database(), state: append(slices.Clone(cluster), old),
			want: []string{isMissingSaid, "ops/database-operator"},
		})
	}
	return laws
}

// TestEndingNamespace wants to hear at once that the namespace of a controller whose pods are ready is being deleted.
func TestEndingNamespace(t *testing.T) {
	ending := strings.Replace(namespaceWith("ops", ""), "uid:", `deletionTimestamp: "2026-07-01T11:59:59Z", uid:`, 1)
	for _, c := range []struct {
		namespace string
		said      bool
	}{{ending, true}, {namespaceWith("ops", ""), false}} {
		state := []string{databases("ops/database-operator"), runs("ops", "database-operator"), c.namespace,
			database().document()}
		memory, err := clustertest.New(now, strings.Join(state, "\n---\n"))
		if err != nil {
			t.Fatal(err)
		}
		known, err := plugins.Embedded()
		if err != nil {
			t.Fatal(err)
		}
		f := finderOf(memory, known)
		if _, err := f.Session.Read(t.Context(), cluster.Namespaces(), "", "ops"); err != nil {
			t.Fatal(err)
		}
		if got := told(t, f, database()); strings.Contains(got, "its pods will be deleted") != c.said {
			t.Errorf("want it said: %t, in\n%s", c.said, got)
		}
	}
}
