package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// testMany removes from many objects in one plan, and from a chain across namespaces, dependents first.
func testMany(t *testing.T, plane *controlplane.ControlPlane) {
	const count = 200
	var steps strings.Builder
	steps.WriteString("- apply: |\n    apiVersion: v1\n    kind: Namespace\n    metadata: {name: many}\n")
	for i := range count {
		fmt.Fprintf(&steps, "    ---\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: held-%03d, "+
			"namespace: many, labels: {app: many}, finalizers: [example.com/many]}\n", i)
	}
	steps.WriteString("    ---\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: sibling, namespace: many, " +
		"finalizers: [example.com/many]}\n")
	for i := range count {
		fmt.Fprintf(&steps, "- delete: {object: configmap/held-%03d, namespace: many}\n", i)
	}
	mustBreak(t, plane, steps.String())
	l := newLab(t, plane, "remove-many", controlplane.ClusterAdmins)
	done := l.confirmed(t, "cm", "-l", "app=many", "-n", "many", "--finalizer", "example.com/many")
	if done.code != 0 || done.report.Outcome != result.Gone {
		t.Errorf("exit code %d, %s", done.code, done.report.Summary)
	}
	if writes := l.writes(t); len(writes) != count {
		t.Errorf("%d writes, want %d", len(writes), count)
	}
	if sibling := object(t, plane, "configmaps", "many", "sibling"); sibling == nil || len(sibling.GetFinalizers()) != 1 {
		t.Error("the object beside them was touched")
	}
	t.Run("chain", func(t *testing.T) { testChain(t, plane) })
}

func testChain(t *testing.T, plane *controlplane.ControlPlane) {
	mustBreak(t, plane, `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: chain, finalizers: [example.com/chain]}
    ---
    apiVersion: v1
    kind: Namespace
    metadata: {name: chain-far}
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: chain-owner, finalizers: [example.com/chain]}
- apply: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: chain-child, namespace: chain, finalizers: [example.com/chain],
      ownerReferences: [{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, name: chain-owner,
      uid: '${uid:clusterrole/chain-owner}', blockOwnerDeletion: true}]}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: chain-child, namespace: chain-far, finalizers: [example.com/chain],
      ownerReferences: [{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, name: chain-owner,
      uid: '${uid:clusterrole/chain-owner}', blockOwnerDeletion: true}]}
- delete: {object: clusterrole/chain-owner, cascade: foreground}
- until: {object: configmap/chain-child, namespace: chain, path: '{.metadata.deletionTimestamp}'}
- until: {object: configmap/chain-child, namespace: chain-far, path: '{.metadata.deletionTimestamp}'}
`)
	l := newLab(t, plane, "remove-chain", controlplane.ClusterAdmins)
	manifest := writeFile(t, "chain.yaml", `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: chain-owner}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: chain-child, namespace: chain}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: chain-child, namespace: chain-far}
`)
	done := l.confirmed(t, "-f", manifest, "--finalizer", "example.com/chain")
	if done.code != 0 {
		t.Errorf("exit code %d\n%s%s", done.code, done.stdout, done.stderr)
	}
	want := []string{
		"patch /api/v1/namespaces/chain-far/configmaps/chain-child", "patch /api/v1/namespaces/chain/configmaps/chain-child",
		"patch /apis/rbac.authorization.k8s.io/v1/clusterroles/chain-owner",
	}
	writes := l.writes(t)
	if len(writes) == len(want) {
		slices.Sort(writes[:2])
	}
	if !slices.Equal(writes, want) {
		t.Errorf("it wrote %q, want %q", writes, want)
	}
}
