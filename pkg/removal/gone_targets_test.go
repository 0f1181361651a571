package removal_test

import (
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
)

// TestGoneTargets leaves out of a plan what isn't there, if that is wanted, and looks at each target once; nothing else
// that fails is left out.
func TestGoneTargets(t *testing.T) {
	gone := func(failed *removal.TargetError) bool { return apierrors.IsNotFound(failed.Err) }
	for _, c := range []struct {
		name    string
		targets []string
		denied  bool
		gone    func(*removal.TargetError) bool
		items   int // of the plan; none where there is no plan
		fails   bool
	}{
		{name: "left out", targets: []string{"configmaps/notes", "configmaps/a", "configmaps/b"}, gone: gone, items: 1},
		{name: "all left out", targets: []string{"configmaps/a", "configmaps/b"}, gone: gone},
		{name: "not wanted", targets: []string{"configmaps/notes", "configmaps/a"}, fails: true},
		{name: "forbidden", targets: []string{"configmaps/notes"}, denied: true, gone: gone, fails: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, held, removal.Options{Finalizers: []string{"a/x"}}, c.targets...)
			if c.denied {
				b.memory.Deny("*")
			}
			b.Gone = c.gone
			plan, err := b.Plan(t.Context(), b.targets)
			if (err != nil) != c.fails || (plan != nil) != (c.items > 0) {
				t.Fatalf("plan %v, error %v", plan, err)
			}
			if plan != nil && len(plan.Report.Items) != c.items {
				t.Errorf("%d items", len(plan.Report.Items))
			}
			reads := 0
			for _, read := range b.memory.Reads {
				if read == "configmaps shop/notes" {
					reads++
				}
			}
			if c.items > 0 && reads > 2 { // and again, to be sure that it is still there
				t.Errorf("the object was read %d times:\n%q", reads, b.memory.Reads)
			}
		})
	}
}
