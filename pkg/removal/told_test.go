package removal_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestWhatThePlanLeftIsNotWaitedFor removes one of two entries: that the other still holds the object is what was
// planned, and no reason to wait for its end.
func TestWhatThePlanLeftIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		options := removal.Options{Finalizers: []string{"a/x"}, Force: true, Confirm: "yes", Wait: true, Timeout: time.Minute}
		b := newBench(t, held, options, "configmaps/notes")
		b.writer.answer = func(what string) error {
			if !strings.HasPrefix(what, "dry run") {
				b.memory.Remove("ConfigMap", "notes")
				return b.memory.Add(strings.Replace(held, "[a/x, b/y, a/x]", "[b/y]", 1))
			}
			return nil
		}
		begun := time.Now()
		done := b.run(t)
		if took := time.Since(begun); took > options.Timeout/4 {
			t.Errorf("it waited for %s", took)
		}
		if done.Outcome != result.StillHeld || done.Summary != "The plan for ConfigMap shop/notes is carried out. "+
			"The object is still held by b/y, as the plan said." || done.Items[0].After == nil {
			t.Errorf("%s: %s", done.Outcome, done.Summary)
		}
	})
}

// TestGoneIsSaidOnce carries a plan through.
func TestGoneIsSaidOnce(t *testing.T) {
	b := newBench(t, held, removal.Options{Finalizers: []string{"a/x", "b/y"}, Force: true, Confirm: "yes"},
		"configmaps/notes")
	if done := b.run(t); done.Outcome != result.Gone ||
		done.Summary != "The plan is carried out: ConfigMap shop/notes is gone." {
		t.Errorf("%s: %s", done.Outcome, done.Summary)
	}
}

// TestLosesAsWhySays has one wording for what is not known.
func TestLosesAsWhySays(t *testing.T) {
	b := newBench(t, held, removal.Options{Finalizers: []string{"a/x"}}, "configmaps/notes")
	var loses []string
	for _, cause := range b.why(t).RootCauses {
		for _, remedy := range cause.Remedies {
			loses = append(loses, remedy.Loses)
		}
	}
	if entry := b.run(t).Items[0].Entries[0]; len(entry.Loses) != 1 || !slices.Contains(loses, entry.Loses[0]) {
		t.Errorf("the plan says %q, and why %q", entry.Loses, loses)
	}
}

// TestNamesOfTables takes the names that tables print, and asks for what each objection calls for.
func TestNamesOfTables(t *testing.T) {
	const namespace = `
apiVersion: v1
kind: Namespace
metadata: {name: shop, uid: shop-1, resourceVersion: "7", deletionTimestamp: 2026-01-02T03:03:55Z,
  finalizers: [kubernetes]}
spec: {finalizers: [kubernetes]}
`
	b := newBench(t, namespace, removal.Options{Finalizers: []string{"spec:kubernetes"}}, "namespaces/shop")
	b.targets[0].Namespace = ""
	done := b.run(t)
	if entries := done.Items[0].Entries; len(entries) != 1 || entries[0].Hold != (finding.Hold{Type: finding.SpecFinalizer,
		Name: "kubernetes"}) {
		t.Fatalf("it would remove %+v", entries)
	}
	if !strings.Contains(done.Command.String(), "--finalizer spec:kubernetes ") {
		t.Errorf("the command names both entries: %s", done.Command)
	}
	for _, guard := range done.Guards {
		if guard.Name == "Justified" && (guard.Passed || strings.Contains(guard.Satisfy, "Fix")) {
			t.Errorf("%+v", guard)
		}
	}
}

// TestOneCommandForSeveral completes the command that was given.
func TestOneCommandForSeveral(t *testing.T) {
	b := newBench(t, held+"---"+strings.ReplaceAll(held, "notes", "more"), removal.Options{Finalizers: []string{"a/x"}},
		"configmaps/notes", "configmaps/more")
	b.Again = strings.Fields("kubectl finalizers remove cm notes more -n shop --finalizer a/x")
	if done := b.run(t); done.Command.String() != b.Again.String()+" --force --confirm "+done.Token || done.Token == "" {
		t.Errorf("the command is %q", done.Command)
	}
}

// TestObjectionOfRefusedForce says an objection once: the plan of a removal by force points to the refusal that follows
// it, and says itself what was overridden. Without force, the plan says it and the refusal points to the plan.
func TestObjectionOfRefusedForce(t *testing.T) {
	for name, is := range map[string]struct {
		force     bool
		overrides []string
		plan      string
	}{
		"refused":    {force: true, plan: "objects (StillInUse); the refusal below says why."},
		"overridden": {force: true, overrides: []string{"StillInUse"}, plan: "objects (StillInUse, overridden). Pod"},
		"no force":   {plan: "objects (StillInUse). Pod"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, used, removal.Options{
				Finalizers: []string{"kubernetes.io/pvc-protection"}, Force: is.force, Overrides: is.overrides,
			}, "persistentvolumeclaims/data")
			plan, err := b.planned(t)
			if err != nil {
				t.Fatal(err)
			}
			shown := oneLine(b.printed(t, result.RemovalPlan{RemovalReport: plan.Shown()}))
			if !strings.Contains(shown, is.plan) {
				t.Errorf("the plan does not say %q:\n%s", is.plan, shown)
			}
			answer := oneLine(b.printed(t, b.Run(t.Context(), plan)))
			if says := strings.Contains(answer, "The diagnosis objects to the removal"); says != (name == "refused") {
				t.Errorf("the answer:\n%s", answer)
			}
		})
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
