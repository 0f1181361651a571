package preview_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// circleCases delete one of some objects that own one another, with foreground deletion. Most of these were done to a
// real control plane.
func circleCases() []previewCase {
	const a, b, c, held = "ConfigMap/a", "ConfigMap/b", "ConfigMap/c", ", finalizers: [example.com/hold]"
	cases := []previewCase{
		{name: "an object that owns itself", objects: []string{configMap("a", ownedBy(true, a))},
			outcome: result.WouldHang, goes: "configmaps/a", causes: "OwnershipDeadlock ConfigMap/a"},
		{name: "an object that owns itself, and doesn't block", objects: []string{configMap("a", ownedBy(false, a))},
			outcome: result.WouldGo, goes: "configmaps/a"},
		{name: "two", objects: []string{configMap("a", ownedBy(true, b)), configMap("b", ownedBy(true, a))},
			outcome: result.WouldGo, goes: "configmaps/a configmaps/b", says: []string{"and delete 2 objects"}},
		{name: "two, of which one doesn't block", outcome: result.WouldGo, goes: "configmaps/a configmaps/b",
			objects: []string{configMap("a", ownedBy(true, b)), configMap("b", ownedBy(false, a))}},
		{name: "two, and the first is held", objects: []string{
			configMap("a", ownedBy(true, b)+held), configMap("b", ownedBy(true, a))}, outcome: result.MayHang,
			goes: "configmaps/a configmaps/b", causes: "ControllerUnknown ConfigMap/a"},
		{name: "two, and the second is held", objects: []string{
			configMap("a", ownedBy(true, b)), configMap("b", ownedBy(true, a)+held)}, outcome: result.MayHang,
			goes: "configmaps/a configmaps/b", causes: "ControllerUnknown ConfigMap/b"},
		{name: "three", outcome: result.WouldGo, goes: "configmaps/b configmaps/a configmaps/c", objects: []string{
			configMap("a", ownedBy(true, c)), configMap("b", ownedBy(true, a)), configMap("c", ownedBy(true, b))}},
		{name: "three, and the second is held", outcome: result.MayHang,
			goes: "configmaps/b configmaps/a configmaps/c", causes: "ControllerUnknown ConfigMap/b", objects: []string{
				configMap("a", ownedBy(true, c)), configMap("b", ownedBy(true, a)+held), configMap("c", ownedBy(true, b))}},
		{name: "three that own each other", outcome: result.WouldGo, goes: "configmaps/a",
			stays: "KeptByOwner b, KeptByOwner c", objects: []string{configMap("a", ownedBy(true, b, c)),
				configMap("b", ownedBy(true, a, c)), configMap("c", ownedBy(true, a, b))}},
		{name: "two, and one of them owns itself, too", outcome: result.WouldHang, goes: "configmaps/a configmaps/b",
			objects: []string{configMap("a", ownedBy(true, a, b)), configMap("b", ownedBy(true, a))},
			causes:  "OwnershipDeadlock ConfigMap/a"},
		{name: "two, of which the other is being deleted already", outcome: result.WouldHang,
			objects: []string{configMap("a", ownedBy(true, b)), configMap("b", ownedBy(true, a)+
				", finalizers: [foregroundDeletion], deletionTimestamp: '2026-01-02T11:59:50Z'")},
			goes: "configmaps/b configmaps/a", causes: "OwnershipDeadlock ConfigMap/a"},
	}
	for i := range cases {
		cases[i].name = "circle: " + cases[i].name
		cases[i].objects = append(cases[i].objects, manager())
		cases[i].target, cases[i].cascade = "configmaps/a", metav1.DeletePropagationForeground
	}
	return cases
}

// TestCirclesTogether deletes several objects that own one another at the same time, with foreground deletion: if each
// of a circle is among them, whether they hang depends on how fast the garbage collector is.
func TestCirclesTogether(t *testing.T) {
	circle := func(block bool) []string {
		return []string{
			manager(), configMap("a", ownedBy(block, "ConfigMap/c")), configMap("b", ownedBy(block, "ConfigMap/a")),
			configMap("c", ownedBy(block, "ConfigMap/b")), configMap("d", ownedBy(block, "ConfigMap/a")),
		}
	}
	const a, b, c, d = "configmaps/a", "configmaps/b", "configmaps/c", "configmaps/d"
	for _, test := range []struct {
		targets []string
		block   bool
		cascade metav1.DeletionPropagation
		want    string
	}{
		{[]string{a, b, c}, true, metav1.DeletePropagationForeground, "MayHang MayHang MayHang"},
		{[]string{a, b, c, d}, true, metav1.DeletePropagationForeground, "MayHang MayHang MayHang WouldGo"},
		{[]string{a, b}, true, metav1.DeletePropagationForeground, "WouldGo WouldGo"},
		{[]string{a, b, c}, false, metav1.DeletePropagationForeground, "WouldGo WouldGo WouldGo"},
		{[]string{a, b, c}, true, metav1.DeletePropagationBackground, "WouldGo WouldGo WouldGo"},
	} {
		var outcomes []string
		for _, preview := range (previewCase{objects: circle(test.block), cascade: test.cascade}).several(t, test.targets) {
			outcomes = append(outcomes, string(preview.Outcome))
			if preview.Outcome != result.MayHang {
				continue
			}
			for _, says := range []string{
				"ConfigMap shop/a, ConfigMap shop/b and ConfigMap shop/c own one another",
				"first, and wait until it is gone", "OwnershipDeadlock (likely)",
			} {
				if text := human(t, preview); !strings.Contains(text, says) {
					t.Errorf("it doesn't say %q:\n%s", says, text)
				}
			}
		}
		if is := strings.Join(outcomes, " "); is != test.want {
			t.Errorf("%v: %s, want %s", test, is, test.want)
		}
	}
}

// allCases are all of them.
func allCases() []previewCase {
	return slices.Concat(cases(), circleCases(), driverCases(), switchCases(), setCases())
}
