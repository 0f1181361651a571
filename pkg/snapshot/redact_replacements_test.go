package snapshot

import (
	"strings"
	"testing"
)

// TestReplacementsDiffer replaces different names by different ones, also where Kubernetes' endings are short.
func TestReplacementsDiffer(t *testing.T) {
	n := newNames()
	all := strings.Fields("acme acme-0 acme-1 acme-2 acme-4 acme-5 acme-b2 acme-2c acme-x acme-4711 acme-5c8d9f7b64 " +
		"acme-5c8d9f7b64-k8w2q acme-k8w2q data data-acme-2 data-acme-4 acme-0-1 acme-1-1 acme-operator acme-operator-2")
	for _, name := range all {
		n.meet(name)
	}
	n.settle()
	by := map[string]string{}
	for _, name := range all {
		made := n.by[name]
		if other := by[made]; other != "" || made == "" || strings.Contains(made, "acme") || strings.Contains(made, "4711") {
			t.Errorf("%s is replaced by %q, as is %q", name, made, other)
		}
		by[made] = name
	}
	if pod, set := n.by["acme-4"], n.by["acme"]; pod != set+"-4" {
		t.Errorf("pod %s doesn't keep its ordinal in StatefulSet %s", pod, set)
	}
	if pod, set := n.by["acme-5c8d9f7b64-k8w2q"], n.by["acme-5c8d9f7b64"]; !strings.HasPrefix(pod, set+"-") {
		t.Errorf("pod %s doesn't begin with the name of its ReplicaSet %s", pod, set)
	}
}
