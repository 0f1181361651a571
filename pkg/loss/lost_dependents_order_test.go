package loss_test

import (
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestDependentsInOrder names dependents in the same order, whichever list arrived first: what takes something along
// comes first.
func TestDependentsInOrder(t *testing.T) {
	memory, err := clustertest.New(time.Now(), "")
	if err != nil {
		t.Fatal(err)
	}
	one := func(group, kind, name string) *session.Object {
		version := schema.GroupVersionResource{Group: group, Version: "v1"}
		object := session.Named(cluster.Resource{GroupVersionResource: version, Kind: kind}, "shop", name)
		object.Ref.UID, object.Meta = kind+name, &metav1.PartialObjectMetadata{}
		return object
	}
	top := one("shop.example.com", "Database", "orders")
	below := []*session.Object{one("apps", "Deployment", "web"), one("", "Secret", "b"), one("", "ConfigMap", "x"),
		one("", "Secret", "a")}
	want := []string{"Secret shop/a", "Secret shop/b", "ConfigMap shop/x", "Deployment shop/web"}
	for range below {
		below = append(below[1:], below[0])
		teller := &loss.Teller{Session: session.New(memory, session.Kubectl{})}
		near := func(owner *session.Object) []*session.Object {
			if owner == top {
				return below
			}
			return nil
		}
		var names []string
		for _, taken := range teller.Dependents(t.Context(), top, near) {
			if taken.Situation == "DependentsCollected" {
				names = taken.Details.Names
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("%v, want %v", names, want)
		}
	}
}
