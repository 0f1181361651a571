package attribution

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestSearchedForLimits makes sure that objects are told apart by the limits of programs, and by nothing more.
func TestSearchedForLimits(t *testing.T) {
	const operator = `
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: shop-system, name: shop-operator, uid: shop}
spec:
  selector: {matchLabels: {app: x}}
  template: {spec: {serviceAccountName: shop-operator, containers: [{name: main, args: ["--namespaces=a,b"]}]}}
`
	objects := map[string]stuck{}
	for _, namespace := range []string{"a", "b", "c", "d"} {
		objects[namespace] = stuck{kind: "Database", namespace: namespace, name: "x", finalizer: "shop.example.com/cleanup"}
	}
	f, memory := shopFinder(t, objects["a"], objects["b"], objects["c"], objects["d"])
	if err := memory.Add(operator); err != nil {
		t.Fatal(err)
	}
	for namespace, one := range objects {
		meta, err := f.Session.Reader.Metadata(t.Context(), one.resource(), namespace, "x")
		if err != nil {
			t.Fatal(err)
		}
		object := session.FromMetadata(one.resource(), meta)
		h := f.heldBy(object, finding.Hold{Type: finding.Finalizer, Name: one.finalizer}, nil)
		found := f.searchedFor(t.Context(), h.search.criteria, object)
		if out := namespace > "b"; (len(found.elsewhere) > 0) != out || (found.found.state == Missing) != out {
			t.Errorf("%s: %+v", namespace, found.found)
		}
	}
	if got := f.searches.Len(); got != 3 {
		t.Errorf("%d searches, want the first, and one for each of the two meanings of the limit", got)
	}
}
