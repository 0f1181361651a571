package removal_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
)

const emptied = `
apiVersion: v1
kind: Namespace
metadata: {name: shop, uid: shop-1, resourceVersion: "7", deletionTimestamp: 2026-01-02T02:00:00Z}
spec: {finalizers: [kubernetes]}
status:
  conditions:
  - {type: NamespaceContentRemaining, status: "True",
      message: "Some resources are remaining: databases.shop.example.com has 1 resource instances"}
  - {type: NamespaceFinalizersRemaining, status: "True",
      message: "Some content in the namespace has finalizers remaining:
        shop.example.com/cleanup in 1 resource instances"}
`

const owning = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, uid: web-1, resourceVersion: "7", deletionTimestamp: 2026-01-02T02:00:00Z,
  finalizers: [foregroundDeletion]}
`

// TestKubernetesOwnEntriesAreNoWayOut offers what is behind an entry of Kubernetes' own, and never that entry.
func TestKubernetesOwnEntriesAreNoWayOut(t *testing.T) {
	owned := strings.Replace(orders, "finalizers:",
		"ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: web-1, "+
			"blockOwnerDeletion: true}], finalizers:", 1)
	const plan = "kubectl finalizers remove databases.shop.example.com/orders --context test -n shop --finalizer " +
		"shop.example.com/cleanup"
	for _, c := range []struct{ name, objects, target, command string }{
		{name: "a namespace and its content", objects: emptied + "---" + orders, target: "namespaces/shop", command: plan},
		{name: "a namespace, and a controller that is down", objects: emptied + "---" + orders +
			mayWrite(theOperator) + account + stopped("Deployment", "shop-system", "shop-operator", "", "shop-operator"),
			target: "namespaces/shop", command: plan},
		{name: "an owner and its dependent", objects: owning + "---" + owned, target: "deployments.apps/web", command: plan},
		{name: "the garbage collector is down", objects: owning + stale, target: "deployments.apps/web",
			command: "kubectl finalizers why deployments.apps/web --context test -n shop"},
	} {
		for _, finalizers := range [][]string{nil, {"example.com/slip"}} {
			b := newBench(t, c.objects, removal.Options{Finalizers: finalizers}, c.target)
			if strings.HasPrefix(c.target, "namespaces") {
				b.targets[0].Namespace = ""
			}
			for _, guard := range b.run(t).Guards {
				if guard.Name != "Named" {
					continue
				}
				if guard.Passed || guard.Situation != "HeldByKubernetesOnly" || guard.Command.String() != c.command {
					t.Errorf("%s, with %q: %+v", c.name, finalizers, guard)
				}
				if first := "Release Database shop/orders first."; c.command == plan && !strings.HasPrefix(guard.Satisfy, first) {
					t.Errorf("%s: %q, want %q", c.name, guard.Satisfy, first)
				}
			}
		}
	}
}

// TestNothingToName says that a pod in its grace period has no finalizers, instead of asking for their names.
func TestNothingToName(t *testing.T) {
	const pod = `
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, uid: web-1, resourceVersion: "7", deletionTimestamp: 2026-01-02T02:00:00Z,
  deletionGracePeriodSeconds: 30}
spec: {nodeName: n1}
`
	const look = "kubectl finalizers why pods/web --context test -n shop"
	for _, finalizers := range [][]string{nil, {"example.com/slip"}} {
		for _, guard := range newBench(t, pod, removal.Options{Finalizers: finalizers}, "pods/web").run(t).Guards {
			if guard.Name != "Named" {
				continue
			}
			if guard.Passed || guard.Situation != "HasNoFinalizer" || guard.Command.String() != look {
				t.Errorf("with %q: %+v", finalizers, guard)
			}
		}
	}
}
