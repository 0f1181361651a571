package rescue_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rescue"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

var update = flag.Bool("update", false, "write the golden files anew")

// rescueCase is a deletion, and what is expected of the plan.
type rescueCase struct {
	name    string
	objects []string
	target  string // RESOURCE/NAME, in namespace shop if it has one
	deny    []string
	fails   bool // the target isn't there, and has left nothing

	outcome result.Rescuable
	lost    string // situations
	safe    string
	stops   string // steps
	returns string
	says    []string // in what people read
	never   []string
}

func (c rescueCase) ask(t *testing.T, memory *clustertest.Memory, folder string) (*result.RescuePlan, error) {
	t.Helper()
	return c.askWithin(t.Context(), t, memory, folder)
}

func (c rescueCase) askWithin(
	ctx context.Context, t *testing.T, memory *clustertest.Memory, folder string,
) (*result.RescuePlan, error) {
	t.Helper()
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	servedKinds, err := memory.ServedKinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	kind, name, _ := strings.Cut(c.target, "/")
	resource, found := servedKinds.Find(schema.ParseGroupResource(kind))
	if !found {
		t.Fatalf("no %s", kind)
	}
	asked := session.Target{Resource: resource, Name: name}
	if resource.Namespaced {
		asked.Namespace = "shop"
	}
	options := rescue.Options{Options: mechanism.Options{Plugins: known}, Folder: folder}
	return rescue.Plan(ctx, memory, asked, options)
}

func (c rescueCase) memory(t *testing.T) *clustertest.Memory {
	t.Helper()
	memory, err := clustertest.New(now, strings.Join(c.objects, "\n---\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, resource := range c.deny {
		memory.Deny(resource)
	}
	return memory
}

func printed(t *testing.T, plan *result.RescuePlan, format string) string {
	t.Helper()
	var out bytes.Buffer
	if err := print.Result(t.Context(), &out, plan, format, print.Style{Table: table.Draw, Width: 100}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func situations(facts []result.RescueFact) (names []string) {
	for _, fact := range facts {
		names = append(names, fact.Situation)
	}
	return names
}

func steps(all []result.RescueStep) (names []string) {
	for _, step := range all {
		names = append(names, step.Step)
	}
	return names
}

func (c rescueCase) check(t *testing.T, plan *result.RescuePlan) {
	t.Helper()
	if plan.Outcome != c.outcome {
		t.Errorf("outcome %s, want %s", plan.Outcome, c.outcome)
	}
	for name, pair := range map[string][2]string{
		"lost": {strings.Join(situations(plan.Lost), " "), c.lost}, "safe": {strings.Join(situations(plan.Safe), " "),
			c.safe},
		"stops": {strings.Join(steps(plan.Stop), " "), c.stops}, "returns": {strings.Join(steps(plan.Return), " "),
			c.returns},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %q, want %q", name, pair[0], pair[1])
		}
	}
	text := strings.Join(strings.Fields(printed(t, plan, print.FormatHuman)), " ")
	for _, want := range c.says {
		if !strings.Contains(text, want) {
			t.Errorf("it doesn't say %q:\n%s", want, text)
		}
	}
	for _, not := range c.never {
		if strings.Contains(text, not) {
			t.Errorf("it says %q:\n%s", not, text)
		}
	}
}

func TestPlan(t *testing.T) {
	for _, c := range slices.Concat(rescueCases(), setCases()) {
		t.Run(c.name, func(t *testing.T) {
			plan, err := c.ask(t, c.memory(t), "")
			if c.fails != (err != nil) {
				t.Fatal(err)
			}
			if err == nil {
				c.check(t, plan)
			}
		})
	}
}

// TestPlanWithEverythingDenied asks without any right: nothing may be counted as not there.
func TestPlanWithEverythingDenied(t *testing.T) {
	for _, c := range slices.Concat(rescueCases(), setCases()) {
		memory := c.memory(t)
		memory.Deny("*")
		if plan, err := c.ask(t, memory, ""); err == nil {
			t.Errorf("%s: %s without reading the target", c.name, plan.Outcome)
		}
	}
}

// TestPlanWithEachReadDenied denies one resource after the other, but the target's own. What could not be read is said,
// and no plan says that everything can be kept, or that nothing goes, if it doesn't know of volumes.
func TestPlanWithEachReadDenied(t *testing.T) {
	for _, c := range slices.Concat(rescueCases(), setCases()) {
		own, _, _ := strings.Cut(c.target, "/")
		for _, resource := range []string{"persistentvolumes", "persistentvolumeclaims", "configmaps", "namespaces",
			"secrets", "pods"} {
			if resource == own {
				continue
			}
			memory := c.memory(t)
			memory.Deny(resource)
			plan, err := c.ask(t, memory, "")
			if err != nil || c.outcome == result.NotDeleted {
				continue
			}
			read := slices.ContainsFunc(memory.Reads, func(text string) bool { return strings.HasPrefix(text, resource+" ") })
			if read && len(plan.Unreadable) == 0 {
				t.Errorf("%s without %s: it doesn't say what it could not read", c.name, resource)
			}
			blind := len(plan.Unreadable) > 0 && (plan.Outcome == result.CanBeKept || plan.Outcome == result.NoData)
			if blind {
				t.Errorf("%s without %s: %s", c.name, resource, plan.Outcome)
			}
		}
	}
}

func TestGolden(t *testing.T) {
	for _, c := range slices.Concat(rescueCases(), setCases()) {
		if c.fails {
			continue
		}
		plan, err := c.ask(t, c.memory(t), "")
		if err != nil {
			t.Fatal(err)
		}
		got := printed(t, plan, print.FormatHuman) + "\n-- short --\n" + printed(t, plan, print.FormatShort)
		path := filepath.Join("testdata", strings.ReplaceAll(c.name, " ", "-")+".txt")
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: write the golden files anew with -update, and read the difference:\n%s", c.name, got)
		}
	}
}

// TestNoSecretsAreFetched asks about all that has Secrets without the right to their data: only metadata are read.
func TestNoSecretsAreFetched(t *testing.T) {
	memory := rescueCase{objects: []string{namespaceGoing(), secret("login")}}.memory(t)
	c := rescueCase{target: "namespaces/shop"}
	memory.Before = func(what string) {
		if strings.HasPrefix(what, "secrets shop/login") {
			t.Errorf("it reads %s", what)
		}
	}
	plan, err := c.ask(t, memory, filepath.Join(t.TempDir(), "saved"))
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(situations(plan.Lost)); !strings.Contains(text, "SecretsNotSaved") {
		t.Errorf("it doesn't say that the Secret is not saved: %s", text)
	}
}

// untilSaved is a context that is over as soon as a file of a pattern is there.
type untilSaved struct {
	context.Context
	pattern string
}

// Err implements context.Context.
func (u untilSaved) Err() error {
	if written, _ := filepath.Glob(u.pattern); len(written) > 0 {
		return context.Canceled
	}
	return u.Context.Err()
}

// TestSaveInterrupted keeps what was written before an interrupt, says how much that is, and marks the folder; one that
// has all manifests has no mark.
func TestSaveInterrupted(t *testing.T) {
	c := rescueCase{target: "configmaps/top", objects: []string{configMap("top", going("lab.example.com/hold"))}}
	for i := range 300 {
		c.objects = append(c.objects, configMap(fmt.Sprintf("left-%d", i), ownedBy("ConfigMap/top")))
	}
	for _, interrupt := range []bool{false, true} {
		folder := filepath.Join(t.TempDir(), "saved")
		ctx := t.Context()
		if interrupt {
			ctx = untilSaved{ctx, filepath.Join(folder, "*.yaml")}
		}
		_, err := c.askWithin(ctx, t, c.memory(t), folder)
		written, _ := filepath.Glob(filepath.Join(folder, "*.yaml"))
		_, missing := os.Stat(filepath.Join(folder, "INCOMPLETE.txt"))
		switch said := fmt.Sprintf("%d of 301 manifests are in %s", len(written), folder); {
		case !interrupt && (err != nil || missing == nil || len(written) != 301):
			t.Errorf("%d manifests, %v, and the mark: %v", len(written), err, missing)
		case interrupt && (err == nil || missing != nil || !strings.Contains(err.Error(), said)):
			t.Errorf("want %q, got %v, and the mark: %v", said, err, missing)
		}
	}
}

func TestSave(t *testing.T) {
	c := rescueCase{target: "persistentvolumeclaims/data",
		objects: []string{claimGoing("data"), volume("data", "Delete", "Bound")}}
	folder := filepath.Join(t.TempDir(), "saved")
	plan, err := c.ask(t, c.memory(t), folder)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(folder)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", info, err)
	}
	for _, file := range plan.Files {
		info, err := os.Stat(file.Path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", file.Path, info, err)
		}
		data, err := os.ReadFile(file.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, not := range []string{"\n  uid:", "resourceVersion:", "deletionTimestamp:", "managedFields:", "\nstatus:",
			"\n  finalizers:"} {
			if strings.Contains(string(data), not) {
				t.Errorf("%s has %q:\n%s", file.Path, not, data)
			}
		}
		if !strings.Contains(string(data), "# It had the finalizers") && strings.Contains(file.Path, "claims") {
			t.Errorf("%s doesn't say which finalizers there were:\n%s", file.Path, data)
		}
	}
	if _, err := c.ask(t, c.memory(t), folder); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("it overwrites: %v", err)
	}
}

// TestSaveCopy saves a VolumeSnapshot and its content so that the new ones are the snapshot that was kept.
func TestSaveCopy(t *testing.T) {
	c := rescueCase{target: "volumesnapshots.snapshot.storage.k8s.io/nightly", objects: snapshot("Delete")}
	folder := filepath.Join(t.TempDir(), "saved")
	if _, err := c.ask(t, c.memory(t), folder); err != nil {
		t.Fatal(err)
	}
	for file, wanted := range map[string]string{
		"contents.snapshot.storage.k8s.io-kept-rescued.yaml": "spec:\n" +
			"  deletionPolicy: Delete\n  driver: csi.example.com\n  source:\n    snapshotHandle: snap-1\n" +
			"  volumeSnapshotRef:\n    name: nightly\n    namespace: shop\n",
		"s.snapshot.storage.k8s.io-shop-nightly.yaml": "  source:\n    volumeSnapshotContentName: kept-rescued\n",
	} {
		data, err := os.ReadFile(filepath.Join(folder, "60-volumesnapshot"+file))
		mistaken := strings.Contains(string(data), "Its uid was volumesnapshotcontent")
		if err != nil || !strings.HasSuffix(string(data), wanted) || mistaken {
			t.Errorf("%v, want at the end\n%s\ngot\n%s", err, wanted, data)
		}
	}
}

// TestNamesStayInFolder has names that would lead out of the folder.
func TestNamesStayInFolder(t *testing.T) {
	hostile := strings.Replace(claimGoing("data"), "name: data", `name: "..%2f..%2fetc\\passwd$(reboot)"`, 1)
	c := rescueCase{target: "namespaces/shop", objects: []string{namespaceGoing(), hostile}}
	folder := filepath.Join(t.TempDir(), "saved")
	plan, err := c.ask(t, c.memory(t), folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range plan.Files {
		if filepath.Dir(file.Path) != folder || strings.ContainsAny(filepath.Base(file.Path), `%\$()`) {
			t.Errorf("a file is %s", file.Path)
		}
	}
}

var now = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
