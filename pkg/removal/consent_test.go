package removal_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestTokenIsBound changes each thing that a token is bound to.
func TestTokenIsBound(t *testing.T) {
	token := func(objects string, finalizers ...string) string {
		plan, err := newBench(t, objects, removal.Options{Finalizers: finalizers}, "configmaps/notes").planned(t)
		if err != nil {
			t.Fatal(err)
		}
		return plan.Report.Token
	}
	first := token(held, "a/x")
	for what, other := range map[string]string{
		"uid":             token(strings.Replace(held, "notes-1", "notes-2", 1), "a/x"),
		"resourceVersion": token(strings.Replace(held, `"7"`, `"8"`, 1), "a/x"),
		"finalizers":      token(held, "a/x", "b/y"),
		"verdict":         token(strings.Replace(held, "b/y", "foregroundDeletion", 1)+stale, "a/x"),
	} {
		if other == first || other == "" {
			t.Errorf("another %s has the same token %q", what, other)
		}
	}
	if token(held, "a/x") != first {
		t.Error("the same plan has another token")
	}
}

// TestTokenFitsOneObject confirms one object's plan with another's token, and with that of both.
func TestTokenFitsOneObject(t *testing.T) {
	objects := strings.ReplaceAll(held, "notes", "one") + "---" + strings.ReplaceAll(held, "notes", "two")
	named := removal.Options{Finalizers: []string{"a/x"}, Force: true}
	tokenOf := func(targets ...string) string {
		plan, err := newBench(t, objects, named, targets...).planned(t)
		if err != nil {
			t.Fatal(err)
		}
		return plan.Report.Token
	}
	for what, token := range map[string]string{"another object's": tokenOf("configmaps/two"),
		"that of both": tokenOf("configmaps/one", "configmaps/two"), "half of it": tokenOf("configmaps/one")[:8]} {
		b := newBench(t, objects, named, "configmaps/one")
		b.Options.Confirm = token
		if done := b.run(t); len(b.writer.written()) > 0 || done.Outcome != result.Refused {
			t.Errorf("%s: it sent %q", what, b.writer.written())
		}
	}
}

// TestOverridesAreExact refuses an override without an objection: given in advance, it would override whatever turns
// up.
func TestOverridesAreExact(t *testing.T) {
	for _, overrides := range [][]string{{"StillInUse"}, {"ControllerUnknown", "Undetermined"}, {""}} {
		b := newBench(t, held, removal.Options{Finalizers: []string{"a/x"}, Overrides: overrides, Force: true,
			Confirm: "yes"}, "configmaps/notes")
		done := b.run(t)
		if written := b.writer.written(); len(written) > 0 || done.Outcome != result.Refused ||
			!strings.Contains(done.Summary, "overrides nothing") {
			t.Errorf("%q: it sent %q: %s", overrides, written, done.Summary)
		}
	}
}

// TestIdleOverrideSaysTheNextStep has the refusal of an override that nothing needs name the command without it.
func TestIdleOverrideSaysTheNextStep(t *testing.T) {
	another := strings.NewReplacer("name: data", "name: more", "data-1", "more-1", "claimName: data", "claimName: more")
	claims, both := used+"---"+another.Replace(used), []string{"persistentvolumeclaims/data",
		"persistentvolumeclaims/more"}
	for _, targets := range [][]string{both[:1], both} {
		b := newBench(t, claims, removal.Options{
			Finalizers: []string{"kubernetes.io/pvc-protection"}, Overrides: []string{"ControllerUnknown", "StillInUse"},
		}, targets...)
		b.Again = slices.Concat(strings.Fields("kubectl finalizers remove"), targets,
			strings.Fields("--override ControllerUnknown --override StillInUse"))
		guards := b.run(t).Guards
		next := guards[slices.IndexFunc(guards, func(g result.Guard) bool { return !g.Passed })].Command.String()
		if strings.Contains(next, "ControllerUnknown") || !strings.HasSuffix(next, "--override StillInUse") {
			t.Errorf("%q: the next step is %q", targets, next)
		}
	}
}

// TestTokenOfAnotherServerOrUser binds the token to both, and to what goes with the object.
func TestTokenOfAnotherServerOrUser(t *testing.T) {
	token := func(objects string, as cluster.Identity) string {
		b := newBench(t, objects, removal.Options{Finalizers: []string{"velero.io/hold"}}, "persistentvolumeclaims/notes")
		b.Identity = as
		plan, err := b.planned(t)
		if err != nil {
			t.Fatal(err)
		}
		return plan.Report.Token
	}
	me := cluster.Identity{Server: "https://one", User: "me"}
	first := token(backedUp, me)
	for what, other := range map[string]string{
		"server": token(backedUp, cluster.Identity{Server: "https://two", User: "me"}),
		"user":   token(backedUp, cluster.Identity{Server: "https://one", User: "you"}),
		"loss":   token(strings.Replace(backedUp, "Policy: Delete", "Policy: Retain", 1), me),
	} {
		if other == first || other == "" {
			t.Errorf("another %s has the same token %q", what, other)
		}
	}
}

// TestWordOfThePlan consents to several objects by a word that no other plan has, and not by their number.
func TestWordOfThePlan(t *testing.T) {
	objects := held + "---" + strings.ReplaceAll(held, "notes", "more")
	for _, typed := range []string{"2", "notes", "yes", ""} {
		b := newBench(t, objects, removal.Options{Finalizers: []string{"a/x"}, Force: true}, "configmaps/notes",
			"configmaps/more")
		b.Ask = func(context.Context, string) (string, error) { return "", nil } // there is a terminal
		plan, err := b.planned(t)
		if err != nil {
			t.Fatal(err)
		}
		word := plan.Report.Word
		if shown := b.printed(t, result.RemovalPlan{RemovalReport: plan.Shown()}); word == "" || !strings.Contains(shown,
			word) {
			t.Fatalf("the plan has the word %q:\n%s", word, shown)
		}
		if typed == "" {
			typed = word
		}
		b.Ask = func(_ context.Context, question string) (string, error) {
			if strings.Contains(question, word) {
				t.Errorf("the question gives the word away: %s", question)
			}
			return typed, nil
		}
		if done := b.Run(t.Context(), plan); (len(b.writer.written()) > 0) != (typed == word) {
			t.Errorf("typed %q: it sent %q: %s", typed, b.writer.written(), done.Summary)
		}
	}
}

// TestWordWithoutTerminal names no word where nothing is typed; the plan that can be carried out on a terminal later
// announces one.
func TestWordWithoutTerminal(t *testing.T) {
	objects := held + "---" + strings.ReplaceAll(held, "notes", "more")
	terminal := func(context.Context, string) (string, error) { return "", nil }
	for name, is := range map[string]struct {
		options removal.Options
		asks    bool
		word    bool
	}{
		"no terminal":   {options: removal.Options{Force: true}},
		"a token":       {options: removal.Options{Force: true, Confirm: "abc"}, asks: true},
		"a dry run":     {options: removal.Options{Force: true, DryRun: removal.DryRunServer}, asks: true},
		"a terminal":    {options: removal.Options{Force: true}, asks: true, word: true},
		"not yet force": {options: removal.Options{}, word: true},
	} {
		t.Run(name, func(t *testing.T) {
			is.options.Finalizers = []string{"a/x"}
			b := newBench(t, objects, is.options, "configmaps/notes", "configmaps/more")
			if is.asks {
				b.Ask = terminal
			}
			plan, err := b.planned(t)
			if err != nil {
				t.Fatal(err)
			}
			shown := b.printed(t, result.RemovalPlan{RemovalReport: plan.Shown()})
			if typed := strings.Contains(shown, "type this word"); typed != (is.word && is.options.Force) ||
				(plan.Report.Word != "") != is.word {
				t.Errorf("the word is %q:\n%s", plan.Report.Word, shown)
			}
		})
	}
}
