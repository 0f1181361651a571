package removal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/schema/outputs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

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

func (w *writer) KeepFinalizers(
	_ context.Context, _ cluster.Resource, namespace, name string, guard cluster.Guard, kept []string, dryRun bool,
) (cluster.Written, error) {
	return w.write(fmt.Sprintf("patch %s/%s uid %s at %s, keeping %v", namespace, name, guard.UID, guard.ResourceVersion,
		kept), name, kept, dryRun)
}

func (w *writer) FinalizeNamespace(
	_ context.Context, read *unstructured.Unstructured, kept []string, dryRun bool,
) (cluster.Written, error) {
	return w.write(fmt.Sprintf("finalize %s at %s, keeping %v", read.GetName(), read.GetResourceVersion(), kept),
		read.GetName(), kept, dryRun)
}

func (w *writer) DeleteAgain(
	_ context.Context, _ cluster.Resource, namespace, name string, guard cluster.Guard, dryRun bool,
) (cluster.Written, error) {
	return w.write(fmt.Sprintf("delete %s/%s uid %s at %s", namespace, name, guard.UID, guard.ResourceVersion), name,
		[]string{"?"}, dryRun)
}

// bench is a removal from a cluster in memory.
type bench struct {
	*removal.Remover
	memory  *clustertest.Memory
	writer  *writer
	targets []session.Target
	asking  mechanism.Options
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
	b.asking = mechanism.Options{
		Plugins: known, Flags: flags, Pause: func(context.Context, time.Duration) error { return nil },
	}
	b.Remover = &removal.Remover{
		Reader: memory, Writer: b.writer, Plugins: known, Flags: flags, Options: options,
		Diagnose: diagnosis.Diagnoser(b.asking),
		Tell:     func(*removal.Plan) error { return nil },
	}
	servedKinds, err := memory.ServedKinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		kind, name, _ := strings.Cut(target, "/")
		resource, found := servedKinds.Find(schema.ParseGroupResource(kind))
		if !found {
			t.Fatalf("no %s", kind)
		}
		asked := session.Target{Resource: resource, Name: name}
		if resource.Namespaced {
			asked.Namespace = "shop"
		}
		b.targets = append(b.targets, asked)
	}
	return b
}

// run plans and removes. What comes of it is held against the schema that is published.
func (b *bench) run(t *testing.T) *result.RemovalReport {
	t.Helper()
	plan, err := b.Plan(t.Context(), b.targets)
	if err != nil {
		t.Fatal(err)
	}
	if b.Options.Confirm == "yes" {
		b.Options.Confirm = plan.Report.Token
	}
	done := b.Run(t.Context(), plan)
	printed, err := json.Marshal(done)
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := outputs.Open("../../docs/schema")
	if err != nil {
		t.Fatal(err)
	}
	if err := schemas.Check(printed); err != nil {
		t.Error(err)
	}
	return done
}

// written are the writes that were no dry runs.
func (w *writer) written() []string {
	return slices.DeleteFunc(slices.Clone(w.sent), func(what string) bool { return strings.HasPrefix(what, "dry run: ") })
}

func (b *bench) planned(t *testing.T) (*removal.Plan, error) {
	t.Helper()
	return b.Plan(t.Context(), b.targets)
}

// why diagnoses the first target.
func (b *bench) why(t *testing.T) *result.Diagnosis {
	t.Helper()
	found, err := diagnosis.Why(t.Context(), b.memory, b.targets[0], b.asking)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func (b *bench) printed(t *testing.T, answer result.Result) string {
	t.Helper()
	var text strings.Builder
	if err := print.Result(t.Context(), &text, answer, print.FormatHuman, print.Style{Width: 100}); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
