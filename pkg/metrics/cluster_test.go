package metrics

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// shop is a cluster with a stuck namespace, and something in it that will get stuck.
const shop = `
apiVersion: v1
kind: Namespace
metadata: {name: shop, uid: ns, deletionTimestamp: "2026-01-02T01:00:00Z"}
spec: {finalizers: [kubernetes]}
status: {phase: Terminating}
---
apiVersion: v1
kind: ConfigMap
metadata:
  {name: one, namespace: shop, uid: cm1, deletionTimestamp: "2026-01-02T02:00:00Z", finalizers: [shop.example.com/hold]}
---
apiVersion: v1
kind: ConfigMap
metadata:
  {name: two, namespace: shop, uid: cm2, deletionTimestamp: "2026-01-02T01:30:00Z", finalizers: [shop.example.com/hold]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: live, namespace: other, uid: cm3, finalizers: [nameless]}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: owned
  namespace: other
  uid: cm4
  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: gone, uid: gone}]
`

func cluster3am(t *testing.T) *clustertest.Memory {
	t.Helper()
	memory, err := clustertest.New(time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC), shop)
	if err != nil {
		t.Fatal(err)
	}
	return memory
}

func asking(t *testing.T) mechanism.Options {
	t.Helper()
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return mechanism.Options{Plugins: known, Pause: session.NoSecondLook}
}

func look(t *testing.T, reader cluster.Reader, namespace string) *Numbers {
	t.Helper()
	numbers, err := Look(t.Context(), finalizers.Over(reader, asking(t)), namespace)
	if err != nil {
		t.Fatal(err)
	}
	return numbers
}

// reading is a Reader that answers as an API server's does: objects are new each time, slim ones are slim. It notes
// what is read.
type reading struct {
	cluster.Reader
	mu    sync.Mutex
	reads map[string]int
}

func read(from cluster.Reader) *reading { return &reading{Reader: from, reads: map[string]int{}} }

func (r *reading) note(form ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads[fmt.Sprint(form...)]++
}

// Source implements cluster.Reader.
func (*reading) Source() cluster.Source { return cluster.FromServer }

// EachMetadata implements cluster.Reader.
func (r *reading) EachMetadata(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	r.note("metadata of ", resource, namespace, selector.Fields, selector.Labels)
	return r.Reader.EachMetadata(ctx, resource, namespace, selector, func(object *metav1.PartialObjectMetadata) {
		object = object.DeepCopy()
		keeps := func(what cluster.Keep) bool { return selector.Keep&what != 0 }
		switch {
		case !keeps(cluster.KeepSlim) || keeps(cluster.KeepTerminating) && object.DeletionTimestamp != nil:
		case len(object.OwnerReferences) == 0 && len(object.Finalizers) == 0:
			object.ObjectMeta = metav1.ObjectMeta{Name: object.Name, Namespace: object.Namespace, UID: object.UID}
		case keeps(cluster.KeepOwned) && len(object.OwnerReferences) > 0:
			object.ManagedFields = nil
		default:
			object.ManagedFields, object.Labels, object.Annotations = nil, nil, nil
		}
		visit(object)
	})
}

// List implements cluster.Reader.
func (r *reading) List(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
) ([]unstructured.Unstructured, error) {
	r.note("list of ", resource, namespace, selector)
	return r.Reader.List(ctx, resource, namespace, selector)
}

// Get implements cluster.Reader.
func (r *reading) Get(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*unstructured.Unstructured, error) {
	r.note("object ", resource, namespace, "/", name)
	return r.Reader.Get(ctx, resource, namespace, name)
}
