package finding_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestOfWholeKind names all objects of a kind in a namespace that goes where the command would name only some of them,
// and nothing else.
func TestOfWholeKind(t *testing.T) {
	removal := func(target, namespace, finalizer string) finding.Remedy {
		return finding.Remedy{Step: "RemoveEntryOfController", Command: finding.Command{
			"kubectl", "finalizers", "remove", target, "-n", namespace, "--finalizer", finalizer, "--force",
		}}
	}
	alike := func(int) finding.Remedy { return finding.Remedy{} }
	for name, c := range map[string]struct {
		count int
		last  finding.Remedy
		goes  bool
		whole bool
	}{
		"many":                   {50, alike(0), true, true},
		"few":                    {10, alike(0), true, false},
		"one of another kind":    {50, removal("gears.w.example.com/g", "shop", "w.example.com/gc"), true, false},
		"one elsewhere":          {50, removal("widgets.w.example.com/g", "ops", "w.example.com/gc"), true, false},
		"another finalizer":      {50, removal("widgets.w.example.com/g", "shop", "w.example.com/x"), true, false},
		"in a namespace to stay": {50, alike(0), false, false},
	} {
		step := removal("widgets.w.example.com/w-0", "shop", "w.example.com/gc")
		for number := range c.count - 1 {
			more := removal(fmt.Sprintf("widgets.w.example.com/w-%d", number+1), "shop", "w.example.com/gc")
			step, _ = step.Join(more, true)
		}
		if len(c.last.Command) > 0 {
			step, _ = step.Join(c.last, true)
		}
		whole := step.OfWholeKind(func(namespace string) bool { return c.goes && namespace == "shop" })
		const want = "kubectl finalizers remove --field-selector metadata.namespace=shop widgets.w.example.com -n shop " +
			"--finalizer w.example.com/gc --force"
		if is := whole.Command.String() == want; is != c.whole || !whole.Forces() {
			t.Errorf("%s: %s", name, whole.Command)
		}
		if said := (finding.Voice{}).Action(whole); strings.Contains(said, "Ask again") == c.whole && c.count > 20 {
			t.Errorf("%s: it says %q", name, said)
		}
	}
}
