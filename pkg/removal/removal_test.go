package removal_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

const held = `
apiVersion: v1
kind: ConfigMap
metadata: {name: notes, namespace: shop, uid: notes-1, resourceVersion: "7", deletionTimestamp: 2026-01-02T03:00:00Z, finalizers: [a/x, b/y, a/x]}
data: {key: value}
`

// stale is what makes the diagnosis of foregroundDeletion Stuck.
const stale = `---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: kube-controller-manager, namespace: kube-system}
spec: {holderIdentity: one, leaseDurationSeconds: 15, renewTime: "2026-01-02T01:00:00.000000Z"}
`

// writer records what is sent, and answers as it is told to.
type writer struct {
	sent   []string
	answer func(what string) error
	// told says that answers describe the object, with the finalizers that are left after strip.
	told   bool
	strip  string
	memory *clustertest.Memory
}

func (w *writer) write(what, name string, kept []string, dryRun bool) (cluster.Written, error) {
	if dryRun {
		what = "dry run: " + what
	}
	w.sent = append(w.sent, what)
	if w.answer != nil {
		if err := w.answer(what); err != nil {
			return cluster.Written{}, err
		}
	}
	if !dryRun && len(kept) == 0 {
		w.memory.Remove("ConfigMap", name)
	}
	return cluster.Written{ResourceVersion: "8", Finalizers: w.strips(kept), Described: w.told}, nil
}

// strips is what a mutating webhook leaves of finalizers.
func (w *writer) strips(kept []string) []string {
	return slices.DeleteFunc(slices.Clone(kept), func(name string) bool { return name == w.strip })
}

func (w *writer) KeepFinalizers(_ context.Context, _ cluster.Resource, namespace, name string, guard cluster.Guard, kept []string, dryRun bool) (cluster.Written, error) {
	return w.write(fmt.Sprintf("patch %s/%s uid %s at %s, keeping %v", namespace, name, guard.UID, guard.ResourceVersion, kept), name, kept, dryRun)
}

func (w *writer) FinalizeNamespace(_ context.Context, read *unstructured.Unstructured, kept []string, dryRun bool) (cluster.Written, error) {
	return w.write(fmt.Sprintf("finalize %s at %s, keeping %v", read.GetName(), read.GetResourceVersion(), kept), read.GetName(), kept, dryRun)
}

func (w *writer) DeleteAgain(_ context.Context, _ cluster.Resource, namespace, name string, guard cluster.Guard, dryRun bool) (cluster.Written, error) {
	return w.write(fmt.Sprintf("delete %s/%s uid %s at %s", namespace, name, guard.UID, guard.ResourceVersion), name, []string{"?"}, dryRun)
}

// bench is a removal from a cluster in memory.
type bench struct {
	*removal.Remover
	memory  *clustertest.Memory
	writer  *writer
	targets []diagnosis.Target
	asking  diagnosis.Options
}

func newBench(t *testing.T, objects string, options removal.Options, targets ...string) *bench {
	t.Helper()
	memory, err := clustertest.New(now, objects)
	if err != nil {
		t.Fatal(err)
	}
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if options.BackupDir == "" {
		options.BackupDir = t.TempDir()
	}
	flags := []string{"--context", "test"}
	b := &bench{memory: memory, writer: &writer{memory: memory}}
	b.asking = diagnosis.Options{
		Plugins: known, Flags: flags, Pause: func(context.Context, time.Duration) error { return nil },
	}
	b.Remover = &removal.Remover{
		Reader: memory, Writer: b.writer, Plugins: known, Flags: flags, Options: options,
		Diagnose: diagnosis.Diagnoser(b.asking),
		Tell:     func(*removal.Plan) error { return nil },
	}
	catalog, err := memory.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		kind, name, _ := strings.Cut(target, "/")
		resource, found := catalog.Find(schema.ParseGroupResource(kind))
		if !found {
			t.Fatalf("no %s", kind)
		}
		b.targets = append(b.targets, diagnosis.Target{Resource: resource, Namespace: "shop", Name: name})
	}
	return b
}

func (b *bench) run(t *testing.T) *report.RemovalReport {
	t.Helper()
	plan, err := b.Plan(t.Context(), b.targets)
	if err != nil {
		t.Fatal(err)
	}
	if b.Options.Confirm == "yes" {
		b.Options.Confirm = plan.Report.Token
	}
	return b.Run(t.Context(), plan)
}

// written are the writes that were no dry runs.
func (w *writer) written() []string {
	return slices.DeleteFunc(slices.Clone(w.sent), func(what string) bool { return strings.HasPrefix(what, "dry run: ") })
}

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
	if done.Outcome != report.Written {
		t.Errorf("%s: %s", done.Outcome, done.Summary)
	}
}

// TestPlanWritesNothing also holds that a client-side dry run sends nothing at all.
func TestPlanWritesNothing(t *testing.T) {
	for _, options := range []removal.Options{
		{Finalizers: []string{"a/x"}}, {Finalizers: []string{"a/x"}, Force: true}, {Finalizers: []string{"a/x"}, Confirm: "yes"},
		{Finalizers: []string{"a/x"}, Force: true, Confirm: "yes", DryRun: removal.DryRunServer}, {Finalizers: []string{"a/x"}, Force: true, Confirm: "yes", DryRun: removal.DryRunClient},
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

func (b *bench) planned(t *testing.T) (*removal.Plan, error) {
	t.Helper()
	return b.Plan(t.Context(), b.targets)
}

// TestGuards refuses at each guard: nothing is written, and the report names it.
func TestGuards(t *testing.T) {
	full := removal.Options{Finalizers: []string{"a/x"}, Force: true, Confirm: "yes"}
	denied := apierrors.NewForbidden(schema.GroupResource{Resource: "configmaps"}, "notes", errors.New(`User "u" cannot patch resource "configmaps" in API group "" in the namespace "shop"`))
	cases := []struct {
		name    string
		objects string
		change  func(*bench)
		guard   int
		says    string
	}{
		{"alive", strings.Replace(held, "deletionTimestamp: 2026-01-02T03:00:00Z, ", "", 1), nil, 1, "not being deleted"},
		{"not its own", held, func(b *bench) { b.Options.Finalizers = []string{"c/z"} }, 2, "not held by c/z"},
		{"none named", held, func(b *bench) { b.Options.Finalizers = nil }, 2, "No finalizer is named"},
		{"unread", strings.Replace(held, "b/y", "foregroundDeletion", 1), func(b *bench) {
			b.Options.Finalizers = []string{"foregroundDeletion"}
			b.memory.Deny("leases")
		}, 2, "--override Undetermined"},
		{"not shown", held, func(b *bench) { b.Tell = func(*removal.Plan) error { return errors.New("broken pipe") } }, 3, "broken pipe"},
		{"no consent", held, func(b *bench) { b.Options.Confirm = "" }, 4, "no terminal"},
		{"typed wrongly", held, func(b *bench) {
			b.Options.Confirm = ""
			b.Ask = func(context.Context, string) (string, error) { return "note", nil }
		}, 4, "What was typed"},
		{"not saved", held, func(b *bench) { b.Options.BackupDir = os.DevNull }, 5, "could not be saved"},
		{"no right", held, func(b *bench) { b.writer.answer = func(string) error { return denied } }, 6, "right to patch configmaps in namespace shop"},
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
			var refused report.Guard
			for _, guard := range done.Guards {
				if !guard.Passed && refused.Number == 0 {
					refused = guard
				}
			}
			if refused.Number != c.guard || !strings.Contains(refused.Why+refused.Satisfy, c.says) {
				t.Errorf("refused by %+v, want guard %d and %q", refused, c.guard, c.says)
			}
			if done.Outcome != report.Refused {
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
	objects := strings.ReplaceAll(held, "notes", "owner") + "---" + strings.Replace(strings.ReplaceAll(held, "notes", "child"),
		"finalizers:", "ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: owner-1}], finalizers:", 1)
	b := newBench(t, objects, removal.Options{Finalizers: []string{"a/x", "b/y"}, Force: true, Confirm: "yes"}, "configmaps/owner", "configmaps/child")
	done := b.run(t)
	var order []string
	for _, item := range done.Items {
		order = append(order, item.Target.Name)
	}
	if !slices.Equal(order, []string{"child", "owner"}) || done.Outcome != report.Gone {
		t.Errorf("%v: %s: %s", order, done.Outcome, done.Summary)
	}
}

// TestStopsAtTheFirstSurprise refuses the second of three writes.
func TestStopsAtTheFirstSurprise(t *testing.T) {
	objects := strings.ReplaceAll(held, "notes", "one") + "---" + strings.ReplaceAll(held, "notes", "two") + "---" + strings.ReplaceAll(held, "notes", "three")
	b := newBench(t, objects, removal.Options{Finalizers: []string{"a/x", "b/y"}, Force: true, Confirm: "yes"}, "configmaps/one", "configmaps/two", "configmaps/three")
	b.writer.answer = func(what string) error {
		if strings.HasPrefix(what, "patch shop/two") {
			return apierrors.NewConflict(schema.GroupResource{Resource: "configmaps"}, "two", errors.New("changed"))
		}
		return nil
	}
	done := b.run(t)
	var outcomes []report.RemovalOutcome
	for _, item := range done.Items {
		outcomes = append(outcomes, item.Outcome)
	}
	if !slices.Equal(outcomes, []report.RemovalOutcome{report.Gone, report.Failed, report.NotDone}) || done.Outcome != report.Failed {
		t.Errorf("%v, %s: %s", outcomes, done.Outcome, done.Summary)
	}
	if written := b.writer.written(); len(written) != 2 {
		t.Errorf("it sent %q", written)
	}
}

// TestSecretsAreSavedWithoutData reads no Secret whole, and saves no copy of its data.
func TestSecretsAreSavedWithoutData(t *testing.T) {
	secret := strings.Replace(strings.Replace(held, "ConfigMap", "Secret", 1), "finalizers:", `annotations: {kubectl.kubernetes.io/last-applied-configuration: hidden}, finalizers:`, 1)
	b := newBench(t, secret, removal.Options{Finalizers: []string{"a/x"}, Force: true, Confirm: "yes"})
	b.targets = []diagnosis.Target{{Resource: cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: "secrets"}, Kind: "Secret", Namespaced: true}, Namespace: "shop", Name: "notes"}}
	done := b.run(t)
	backup := done.Items[0].Backup
	if backup == nil || !backup.MetadataOnly {
		t.Fatalf("%s: %+v", done.Summary, backup)
	}
	content, err := os.ReadFile(backup.Path)
	if err != nil || strings.Contains(string(content), "hidden") || strings.Contains(string(content), "value") || !strings.Contains(string(content), "notes-1") {
		t.Errorf("%v:\n%s", err, content)
	}
}

// why diagnoses the first target.
func (b *bench) why(t *testing.T) *report.Diagnosis {
	t.Helper()
	found, err := diagnosis.Why(t.Context(), b.memory, b.targets[0], b.asking)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestLosesTheVeryThing names what this object stands for, from the plugin's fields and from its own.
func TestLosesTheVeryThing(t *testing.T) {
	volume := `
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-1, uid: pv-1, resourceVersion: "7", deletionTimestamp: 2026-01-02T02:00:00Z, finalizers: [external-provisioner.volume.kubernetes.io/finalizer]}
spec: {persistentVolumeReclaimPolicy: Delete, csi: {driver: ebs.csi.aws.com, volumeHandle: vol-0abc}}
status: {phase: Released}
`
	b := newBench(t, volume, removal.Options{Finalizers: []string{"external-provisioner.volume.kubernetes.io/finalizer"}}, "persistentvolumes/pv-1")
	b.targets[0].Namespace = ""
	if loses := strings.Join(b.run(t).Items[0].Entries[0].Loses, " "); !strings.Contains(loses, "vol-0abc") || !strings.Contains(loses, "costing money") {
		t.Errorf("it loses %q", loses)
	}
	b = newBench(t, orders+"status: {endpoint: db-17.example.com}\n", removal.Options{Finalizers: []string{"shop.example.com/cleanup"}}, "databases.shop.example.com/orders")
	if loses := strings.Join(b.run(t).Items[0].Entries[0].Loses, " "); !strings.Contains(loses, "db-17.example.com") {
		t.Errorf("it loses %q", loses)
	}
}
