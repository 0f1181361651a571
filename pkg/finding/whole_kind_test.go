package finding_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestOfWholeKind names all objects of a kind in a namespace that goes, or with a definition that goes, where the
// commands would name only some of them or would be many, and nothing else.
func TestOfWholeKind(t *testing.T) {
	removal := func(target, namespace, finalizer string) finding.Remedy {
		ref := finding.Ref{Kind: "Widget", Name: target, Namespace: namespace}
		return finding.Remedy{
			Step: "RemoveEntryOfController", Details: finding.StepDetails{Loss: &finding.Loss{Object: ref}},
			Command: finding.Command{
				"kubectl", "finalizers", "remove", target, "-n", namespace, "--finalizer", finalizer, "--force",
			},
		}
	}
	in := func(namespaces ...string) func(int) string {
		return func(number int) string { return namespaces[number%len(namespaces)] }
	}
	const ofNamespace, ofAll = "-n shop", "-A"
	const names, asksAgain = "widgets.w.example.com/", "Ask again"
	gear := removal("gears.w.example.com/g", "shop", "w.example.com/gc")
	elsewhere := removal("widgets.w.example.com/g", "ops", "w.example.com/gc")
	other := removal("widgets.w.example.com/g", "shop", "w.example.com/x")
	ten := in(strings.Split("abcdefghij", "")...)
	for name, c := range map[string]struct {
		count     int
		namespace func(int) string
		last      finding.Remedy
		goes      string
		command   string // a part of it
		losses    int    // of how many other objects
	}{
		"many":                                 {50, in("shop"), finding.Remedy{}, "shop", ofNamespace, 49},
		"few":                                  {10, in("shop"), finding.Remedy{}, "shop", names, 9},
		"one of another kind":                  {50, in("shop"), gear, "shop", asksAgain, 20},
		"one elsewhere":                        {50, in("shop"), elsewhere, "shop", asksAgain, 20},
		"another finalizer":                    {50, in("shop"), other, "shop", asksAgain, 20},
		"in a namespace to stay":               {50, in("shop"), finding.Remedy{}, "", asksAgain, 20},
		"with their definition":                {50, in("shop"), finding.Remedy{}, "*", ofNamespace, 49},
		"in two namespaces, with definition":   {4, in("shop", "ops"), finding.Remedy{}, "*", ofAll, 3},
		"in ten namespaces, with definition":   {50, ten, finding.Remedy{}, "*", ofAll, 49},
		"in two namespaces to stay":            {4, in("shop", "ops"), finding.Remedy{}, "", names, 3},
		"in ten namespaces to stay":            {50, ten, finding.Remedy{}, "", asksAgain, 20},
		"in two namespaces of which one stays": {4, in("shop", "ops"), finding.Remedy{}, "shop", names, 3},
	} {
		step := removal("widgets.w.example.com/w-0", c.namespace(0), "w.example.com/gc")
		for number := 1; number < c.count; number++ {
			more := removal(fmt.Sprintf("widgets.w.example.com/w-%d", number), c.namespace(number), "w.example.com/gc")
			step, _ = step.Join(more, true)
		}
		if len(c.last.Command) > 0 {
			step, _ = step.Join(c.last, true)
		}
		whole := step.OfWholeKind(func(kind, namespace string) bool {
			return kind == "widgets.w.example.com" && (c.goes == "*" || c.goes == namespace && namespace != "")
		})
		commands := fmt.Sprint(whole.Commands())
		said := commands + finding.Voice{}.Action(whole)
		if !strings.Contains(said, c.command) || !whole.Forces() || len(whole.Commands()) > 5 {
			t.Errorf("%s: %s", name, said)
		}
		if all := c.command == ofNamespace || c.command == ofAll; all == strings.Contains(commands, names) {
			t.Errorf("%s: it names objects, or it doesn't: %s", name, commands)
		}
		kind, _, one := strings.Cut(whole.Command.Releases()[0], "/")
		if kind != "widgets.w.example.com" || one != strings.Contains(commands, names) {
			t.Errorf("%s: it releases %q", name, whole.Command.Releases())
		}
		if others := whole.Details.(finding.StepDetails).Loss.Others; others != c.losses && c.command != asksAgain {
			t.Errorf("%s: the loss is of %d others", name, others)
		}
	}
}

// TestOfSeveralKinds joins removals by force of several kinds to one command where they are told in the same words, in
// one place, and few; and leaves all others as they are.
func TestOfSeveralKinds(t *testing.T) {
	step := func(kind, rest string, count int, known string) finding.Remedy {
		command := finding.Command{"kubectl", "finalizers", "remove"}
		for number := range count {
			command = append(command, fmt.Sprintf("%ss/%s-%d", kind, kind, number))
		}
		held := finding.Ref{Kind: kind, Namespace: "shop", Name: kind + "-0"}
		return finding.Remedy{
			Step: "RemoveEntryOfController", Command: append(command, strings.Fields(rest)...), Others: count - 1,
			Details: finding.StepDetails{Loss: &finding.Loss{Object: held, Known: known, Others: count - 1}},
		}
	}
	const pumps, valves = "-n shop --finalizer a.b/pump --force", "-n shop --finalizer a.b/valve --force"
	for name, c := range map[string]struct {
		second finding.Remedy
		others int // -1 where they stay two steps
	}{
		"two kinds":          {step("valve", valves, 2, ""), 3},
		"with another loss":  {step("valve", valves, 2, "the water"), -1},
		"elsewhere":          {step("valve", strings.Replace(valves, "shop", "mill", 1), 2, ""), -1},
		"more than a screen": {step("valve", valves, 19, ""), -1},
		"as another user":    {step("valve", valves+" --as jane", 2, ""), -1},
	} {
		steps := finding.OfSeveralKinds([]finding.Remedy{step("pump", pumps, 2, ""), c.second})
		if len(steps) == 2 {
			if c.others >= 0 {
				t.Errorf("%s: two steps", name)
			}
			continue
		}
		const want = "kubectl finalizers remove pumps/pump-0 pumps/pump-1 valves/valve-0 valves/valve-1 -n shop " +
			"--finalizer a.b/pump --finalizer a.b/valve --force"
		details, _ := steps[0].Details.(finding.StepDetails)
		if got := steps[0].Command.String(); got != want || steps[0].Others != c.others || details.Loss.Others != c.others {
			t.Errorf("%s: %s for %d others, which lose %+v", name, got, steps[0].Others, details.Loss)
		}
	}
}
