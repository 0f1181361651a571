package removal_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

const held = `
apiVersion: v1
kind: ConfigMap
metadata: {name: notes, namespace: shop, uid: notes-1, resourceVersion: "7",
  deletionTimestamp: 2026-01-02T03:00:00Z, finalizers: [a/x, b/y, a/x]}
data: {key: value}
`

// stale is what makes the diagnosis of foregroundDeletion Stuck.
const stale = `---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: kube-controller-manager, namespace: kube-system}
spec: {holderIdentity: one, leaseDurationSeconds: 15, renewTime: "2026-01-02T01:00:00.000000Z"}
`

func TestOnlyTheNamedEntryGoes(t *testing.T) {
	b := newBench(t, held, removal.Options{Finalizers: []string{"a/x"}, Force: true, Confirm: "yes"}, "configmaps/notes")
	done := b.run(t)
	want := "patch shop/notes uid notes-1 at 7, keeping [b/y]"
	if got := b.writer.written(); !slices.Equal(got, []string{want}) {
		t.Errorf("it sent %q, want %q", got, want)
	}
	if entry := done.Items[0].Entries[0]; entry.Times != 2 || len(entry.Loses) == 0 {
		t.Errorf("the entry stands twice, and loses something: %+v", entry)
	}
	if done.Outcome != result.Written {
		t.Errorf("%s: %s", done.Outcome, done.Summary)
	}
}

// TestPlanWritesNothing also holds that a client-side dry run sends nothing at all.
func TestPlanWritesNothing(t *testing.T) {
	for _, options := range []removal.Options{
		{Finalizers: []string{"a/x"}}, {Finalizers: []string{"a/x"}, Force: true},
		{Finalizers: []string{"a/x"}, Confirm: "yes"},
		{Finalizers: []string{"a/x"}, Force: true, Confirm: "yes", DryRun: removal.DryRunServer},
		{Finalizers: []string{"a/x"}, Force: true, Confirm: "yes", DryRun: removal.DryRunClient},
	} {
		b := newBench(t, held, options, "configmaps/notes")
		b.run(t)
		if written := b.writer.written(); len(written) > 0 {
			t.Errorf("%+v: it sent %q", options, written)
		}
		if options.DryRun == removal.DryRunClient && len(b.writer.sent) > 0 {
			t.Errorf("a dry run of the client sent %q", b.writer.sent)
		}
	}
}

// TestGuards refuses at each guard: nothing is written, and the report names it.
func TestGuards(t *testing.T) {
	full := removal.Options{Finalizers: []string{"a/x"}, Force: true, Confirm: "yes"}
	denied := apierrors.NewForbidden(schema.GroupResource{Resource: "configmaps"}, "notes",
		errors.New(`User "u" cannot patch resource "configmaps" in API group "" in the namespace "shop"`))
	cases := []struct {
		name    string
		objects string
		change  func(*bench)
		guard   int
		says    string
	}{
		{"alive", strings.Replace(held, "deletionTimestamp: 2026-01-02T03:00:00Z, ", "", 1), nil, 1, "not being deleted"},
		{
			"not its own", held, func(b *bench) { b.Options.Finalizers = []string{"c/z"} }, 2, "does not have the finalizer c/z",
		},
		{"misspelt", strings.Replace(held, "b/y", "example.com/cleanup", 1), func(b *bench) {
			b.Options.Finalizers = []string{"example.com/claenup"}
		}, 2, "Did you mean example.com/cleanup?"},
		{"none named", held, func(b *bench) { b.Options.Finalizers = nil }, 2, "You named no finalizer"},
		{"unread", strings.Replace(held, "b/y", "foregroundDeletion", 1), func(b *bench) {
			b.Options.Finalizers = []string{"foregroundDeletion"}
			b.memory.Deny("leases")
		}, 2, "--override Undetermined"},
		{
			"not shown", held,
			func(b *bench) { b.Tell = func(*removal.Plan) error { return errors.New("broken pipe") } }, 3, "broken pipe",
		},
		{"no consent", held, func(b *bench) { b.Options.Confirm = "" }, 4, "no terminal"},
		{"typed wrongly", held, func(b *bench) {
			b.Options.Confirm = ""
			b.Ask = func(context.Context, string) (string, error) { return "note", nil }
		}, 4, "What you typed"},
		{"not saved", held, func(b *bench) { b.Options.BackupDir = os.DevNull }, 5, "could not be saved"},
		{
			"no right", held, func(b *bench) { b.writer.answer = func(string) error { return denied } }, 6,
			"right to patch configmaps in namespace shop",
		},
		{"changed", held, func(b *bench) {
			dryRuns := 0
			b.writer.answer = func(string) error {
				if dryRuns++; dryRuns == 2 {
					b.memory.Remove("ConfigMap", "notes")
					return b.memory.Add(strings.Replace(strings.Replace(held, `"7"`, `"9"`, 1), "b/y, ", "", 1))
				}
				return nil
			}
		}, 7, "no longer"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, c.objects, full, "configmaps/notes")
			if c.change != nil {
				c.change(b)
			}
			done := b.run(t)
			var refused result.Guard
			for _, guard := range done.Guards {
				if !guard.Passed && refused.Number == 0 {
					refused = guard
				}
			}
			if refused.Number != c.guard || !strings.Contains(refused.Why+refused.Satisfy, c.says) {
				t.Errorf("refused by %+v, want guard %d and %q", refused, c.guard, c.says)
			}
			if done.Outcome != result.Refused {
				t.Errorf("%s: %s", done.Outcome, done.Summary)
			}
			if written := b.writer.written(); len(written) > 0 {
				t.Errorf("it sent %q", written)
			}
		})
	}
}

// TestDependentsFirst names the owner first, and expects it last.
func TestDependentsFirst(t *testing.T) {
	objects := strings.ReplaceAll(held, "notes", "owner") + "---" +
		strings.Replace(strings.ReplaceAll(held, "notes", "child"),
			"finalizers:", "ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: owner-1}], finalizers:", 1)
	b := newBench(t, objects, removal.Options{Finalizers: []string{"a/x", "b/y"}, Force: true, Confirm: "yes"},
		"configmaps/owner", "configmaps/child")
	done := b.run(t)
	var order []string
	for _, item := range done.Items {
		order = append(order, item.Target.Name)
	}
	if !slices.Equal(order, []string{"child", "owner"}) || done.Outcome != result.Gone {
		t.Errorf("%v: %s: %s", order, done.Outcome, done.Summary)
	}
}

// TestStopsAtTheFirstSurprise refuses the second of three writes.
func TestStopsAtTheFirstSurprise(t *testing.T) {
	objects := strings.ReplaceAll(held, "notes", "one") + "---" + strings.ReplaceAll(held, "notes", "two") + "---" +
		strings.ReplaceAll(held, "notes", "three")
	b := newBench(t, objects, removal.Options{Finalizers: []string{"a/x", "b/y"}, Force: true, Confirm: "yes"},
		"configmaps/one", "configmaps/two", "configmaps/three")
	b.writer.answer = func(what string) error {
		if strings.HasPrefix(what, "patch shop/two") {
			return apierrors.NewConflict(schema.GroupResource{Resource: "configmaps"}, "two", errors.New("changed"))
		}
		return nil
	}
	done := b.run(t)
	var outcomes []result.RemovalOutcome
	for _, item := range done.Items {
		outcomes = append(outcomes, item.Outcome)
	}
	if !slices.Equal(outcomes, []result.RemovalOutcome{result.Gone, result.Failed, result.NotDone}) ||
		done.Outcome != result.Failed {
		t.Errorf("%v, %s: %s", outcomes, done.Outcome, done.Summary)
	}
	if written := b.writer.written(); len(written) != 2 {
		t.Errorf("it sent %q", written)
	}
}

// TestLosesTheVeryThing names what this object stands for, from the plugin's fields and from its own.
func TestLosesTheVeryThing(t *testing.T) {
	volume := `
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-1, uid: pv-1, resourceVersion: "7", deletionTimestamp: 2026-01-02T02:00:00Z,
  finalizers: [external-provisioner.volume.kubernetes.io/finalizer]}
spec: {persistentVolumeReclaimPolicy: Delete, csi: {driver: ebs.csi.aws.com, volumeHandle: vol-0abc}}
status: {phase: Released}
`
	b := newBench(t, volume,
		removal.Options{Finalizers: []string{"external-provisioner.volume.kubernetes.io/finalizer"}},
		"persistentvolumes/pv-1")
	b.targets[0].Namespace = ""
	if loses := strings.Join(b.run(t).Items[0].Entries[0].Loses, " "); !strings.Contains(loses, "vol-0abc") ||
		!strings.Contains(loses, "costs money") {
		t.Errorf("it loses %q", loses)
	}
	b = newBench(t, orders+"status: {endpoint: db-17.example.com}\n",
		removal.Options{Finalizers: []string{"shop.example.com/cleanup"}}, "databases.shop.example.com/orders")
	if loses := strings.Join(b.run(t).Items[0].Entries[0].Loses, " "); !strings.Contains(loses, "db-17.example.com") {
		t.Errorf("it loses %q", loses)
	}
}
