package attribution

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// exporterAndScanner is a cluster in which an exporter of the project and a scanner have accounts.
const exporterAndScanner = shop + `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: others}
roleRef: {kind: ClusterRole, name: shop}
subjects: [{kind: ServiceAccount, namespace: watch, name: shop-mirror},
  {kind: ServiceAccount, namespace: watch, name: health-engine}]
`

func heldOf(t *testing.T, one stuck) (*held, *candidate) {
	t.Helper()
	memory, err := clustertest.New(now, exporterAndScanner+"---\n"+one.document())
	if err != nil {
		t.Fatal(err)
	}
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	f := finderOf(memory, known)
	if _, err := f.permissions(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole, err := memory.Get(t.Context(), one.resource(), one.namespace, one.name)
	if err != nil {
		t.Fatal(err)
	}
	object, err := session.FromWhole(one.resource(), whole)
	if err != nil {
		t.Fatal(err)
	}
	var entry *plugins.Finalizer
	if found, is := known.Find(one.finalizer, one.resource().GroupKind().String()); is {
		entry = &found
	}
	h := f.heldBy(object, finding.Hold{Type: finding.Finalizer, Name: one.finalizer}, entry)
	h.search = f.searched(t.Context(), h.search.criteria)
	return h, &candidate{
		account:  rbac.Subject{Kind: "ServiceAccount", Namespace: "shop-system", Name: "shop-operator"},
		programs: []string{"shop-operator-7d9f-x2x", "shop-operator", "dbctl"},
	}
}

// TestVoiceOf wants an event to be whoever's words it is.
func TestVoiceOf(t *testing.T) {
	database := stuck{kind: "Database", namespace: "shop", name: "orders", finalizer: "shop.example.com/cleanup",
		managers: []string{"shop-engine"}}
	notes := stuck{kind: "ConfigMap", namespace: "shop", name: "notes", finalizer: "shop.example.com/cleanup"}
	store := stuck{kind: "CephObjectStore", namespace: "own", name: "store", finalizer: "cephobjectstore.ceph.rook.io"}
	for _, c := range []struct {
		of       stuck
		reporter string // and after @, its instance
		want     voice
	}{
		{database, "shop-operator", ofController},
		{database, "shop-engine", ofController}, // who set the finalizer
		{database, "dbctl", ofController},       // a container
		{database, "database-controller", ofController},
		{database, "DatabaseReconciler", ofController},
		{database, "databases", ofController},
		{database, "shop", ofController},
		{database, "shop-database-cleanup", ofController},
		{database, "controller", ofController}, // names no other program
		{database, "anything@anything-shop-operator-7d9f-x2x", ofController},
		{database, "", ofAnother},
		{database, "shop-exporter", ofAnother},
		{database, "shop-mirror", ofAnother}, // another one's account
		{database, "workshop-operator", ofAnother},
		{database, "auditor", ofAnother},
		{database, "kubelet", ofAnother},
		{database, "database-autoscaler", ofAnother},
		{database, "kyverno-admission", ofObserver},
		{database, "Kyverno-Scan", ofObserver},
		{database, "gatekeeper-webhook", ofObserver},
		{database, "trivy-operator", ofObserver},
		{notes, "shop-operator", ofController},
		{notes, "configmap", ofController},
		{notes, "configmap-controller", ofAnother},
		{notes, "controller", ofAnother},
		{notes, "polaris", ofObserver},
		{store, "rook-ceph-object-controller", ofController},
		{store, "rook-ceph-exporter", ofAnother},
	} {
		h, who := heldOf(t, c.of)
		if c.of.kind == "CephObjectStore" {
			who = nil
		}
		reporter, instance, _ := strings.Cut(c.reporter, "@")
		if got := h.voices().voiceOf(who, reporter, instance); got != c.want {
			t.Errorf("%s, reported by %q: %d, want %d", c.of.kind, c.reporter, got, c.want)
		}
	}
}

// TestOthers wants a field manager to be another program only if that is clear.
func TestOthers(t *testing.T) {
	database := stuck{kind: "Database", namespace: "shop", name: "orders", finalizer: "shop.example.com/cleanup"}
	for manager, want := range map[string]bool{
		"manager": false, "unknown": false, "shop-operator": false, "shop": false, "a1b2c3d4": false, "engine-x": false,
		"kubectl-edit": true, "kyverno": true, "rhacs-operator": true, "health-engine": true, "shop-mirror": true,
	} {
		h, who := heldOf(t, database)
		h.search.found.candidate = who
		if got := h.voices().others(manager); got != want {
			t.Errorf("%s is somebody else: %t, want %t", manager, got, want)
		}
	}
}

// TestWhoseStatus hears a controller's errors in the status of a kind of its own, and not in that of a kind whose
// status Kubernetes writes.
func TestWhoseStatus(t *testing.T) {
	h, _ := heldOf(t, stuck{kind: "Database", namespace: "shop", name: "orders", finalizer: "shop.example.com/cleanup"})
	h.object.Whole.Object["status"] = map[string]any{"conditions": []any{map[string]any{
		"type": "NamespaceDeletionContentFailure", "status": "True", "reason": "ContentDeletionFailed",
		"message": "Failed to delete all resource types, 1 remaining", "lastTransitionTime": now.Format(time.RFC3339),
	}}}
	for want, resources := range [][]cluster.Resource{{cluster.Namespaces(), cluster.Pods()}, {h.object.Resource}} {
		for _, resource := range resources {
			h.object.Resource = resource
			if own := h.voices().own(); len(own) != want {
				t.Errorf("%s: %d errors in the controller's voice, want %d: %v", resource, len(own), want, own)
			}
		}
	}
}
