package plugins_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins/internal/derived"
)

func TestDerivedFilesAreCurrent(t *testing.T) {
	for name, derive := range map[string]func(string) ([]byte, error){"index.json": derived.Index,
		"schema.json": derived.Schema} {
		want, err := derive(".")
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run go generate ./plugins", name)
		}
	}
}

// TestLint holds every file that comes with the program to more than the format asks for.
func TestLint(t *testing.T) {
	paths, err := filepath.Glob("*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no plugins: %v", err)
	}
	projects := map[string]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		plugin, problems := plugins.Parse(path, data)
		for _, problem := range problems {
			t.Error(problem)
		}
		if plugin == nil {
			continue
		}
		if other, taken := projects[plugin.Project]; taken {
			t.Errorf("%s and %s are of the same project %s", path, other, plugin.Project)
		}
		projects[plugin.Project] = path
		if slug := regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(plugin.Project), "-"); strings.Trim(slug,
			"-")+".yaml" != path {
			t.Errorf("%s is of project %s: it should be %s.yaml", path, plugin.Project, slug)
		}
	}
	set := embedded(t)
	for _, known := range set.All() {
		for _, complaint := range lint(known) {
			t.Errorf("%s: %s on %v: %s", known.File, known.Names, known.Kinds, complaint)
		}
	}
}

// lint says what is missing or badly said.
func lint(known plugins.Finalizer) []string {
	var complaints []string
	wants := func(ok bool, complaint string) {
		if !ok {
			complaints = append(complaints, complaint)
		}
	}
	wants(known.AddedBy != "", "it doesn't say what adds it")
	wants(known.SafeWay() != "", "there is no safe way out")
	wants(known.EndsWait == "" || len(known.Waits) > 0, "it ends a wait that isn't in waits")
	wants(!regexp.MustCompile(`(^|\. )Start [^,]* again\.`).MatchString(known.SafeWayOut),
		"start has what starts its controller")
	wants(!regexp.MustCompile(`(^|\. )(Read|Look at|Look for|Find|Fix|Check|Let|Wait) |\bdrain|`+
		`Make sure that [^.]*\b(respond|exist|reach|valid|permission|credential)`).MatchString(known.SafeWayOut),
		"ifRunning has what helps only while the controller runs: "+known.SafeWayOut)
	wants(known.Source != "", "there is no source")
	wants(known.Verified.Name != "" && known.Verified.WaitsFor != "" && known.Verified.Controller != "",
		"it doesn't say what was verified")
	for _, clause := range []string{known.RemovedBy, known.AddedBy, known.WaitsFor, known.Loses} {
		wants(!strings.HasSuffix(clause, "."), "a clause ends with a full stop: "+clause)
		wants(!strings.Contains(clause, "  "), "a clause has two spaces: "+clause)
	}
	for _, who := range []string{known.RemovedBy, known.AddedBy} { // "… removes it"
		wants(strings.HasPrefix(who, "one of ") || !regexp.MustCompile(`'s [^,]*s$`).MatchString(who),
			"who does it is not one: "+who)
	}
	wants(!regexp.MustCompile(`^(in|nothing:) |;`).MatchString(known.WaitsFor),
		"it doesn't complete \"removes it when …\": "+known.WaitsFor)
	for _, wait := range known.Waits {
		wants(!strings.HasSuffix(wait.Says, ".") &&
			regexp.MustCompile(`^(is|has|needs|uses|belongs|refers|represents) `).MatchString(wait.Says),
			"a wait doesn't say what its object does: "+wait.Says)
	}
	for _, sentence := range []string{known.Start, known.EndsWait, known.IfRunning, known.SafeWayOut, known.Notes} {
		wants(sentence == "" || regexp.MustCompile(`[.)]$`).MatchString(sentence), "no whole sentence: "+sentence)
	}
	wants(len(known.WaitsFor) <= 140, "the release condition is too long for a sentence")
	wants(!slices.Contains(known.Guards, plugins.GuardOptInDeletion) || strings.HasPrefix(known.Loses, "nothing") ||
		strings.HasPrefix(known.Loses, "with "), "force keeps what it guards, and it says otherwise")
	return complaints
}

// TestNumbersInReadme counts as explain does.
func TestNumbersInReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	projects, names := embedded(t).Projects(), 0
	for _, project := range projects {
		names += len(project.Names)
	}
	if want := fmt.Sprintf("**%d finalizers of %d projects**", names, len(projects)); !bytes.Contains(readme,
		[]byte(want)) {
		t.Errorf("README.md doesn't say %s", want)
	}
}

// TestOverlaps wants kinds to decide between finalizers of one name, and no more than one to be known
// of a name on a kind.
func TestOverlaps(t *testing.T) {
	type place struct{ name, kind string }
	seen := map[place]string{}
	for _, known := range embedded(t).All() {
		kinds := known.Kinds
		if len(kinds) == 0 {
			kinds = []string{"any kind"}
		}
		for _, name := range known.Names {
			for _, kind := range kinds {
				if other, taken := seen[place{name, kind}]; taken {
					t.Errorf("%s on %s is told by both %s and %s", name, kind, other, known.File)
				}
				seen[place{name, kind}] = known.File
			}
		}
	}
}

// TestPatternsKeepToTheirProject wants no pattern of one project to match a finalizer of another's on a kind of that.
func TestPatternsKeepToTheirProject(t *testing.T) {
	all := embedded(t).All()
	for _, wide := range all {
		for _, pattern := range wide.Names {
			if !strings.Contains(pattern, "*") {
				continue
			}
			for _, other := range all {
				if other.Project == wide.Project || !overlap(wide.Kinds, other.Kinds) {
					continue
				}
				for _, name := range other.Names {
					if plugins.Match(pattern, strings.ReplaceAll(name, "*", "x")) {
						t.Errorf("%s: %s matches %s of %s", wide.File, pattern, name, other.File)
					}
				}
			}
		}
	}
}

// overlap reports whether two lists of kinds have one in common; an empty one stands for all.
func overlap(a, b []string) bool {
	return len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, func(text string) bool {
		return slices.ContainsFunc(b, func(other string) bool {
			return plugins.Match(text, other) || plugins.Match(other, text)
		})
	})
}

// TestWaitsCompile compiles every expression in the way that a diagnosis does.
func TestWaitsCompile(t *testing.T) {
	set, waits := embedded(t), 0
	for _, known := range set.All() {
		for _, wait := range known.Waits {
			waits++
			if _, err := set.Condition(wait.Where); err != nil {
				t.Errorf("%s: %s: %v", known.File, wait.Where, err)
			}
		}
	}
	if waits == 0 {
		t.Error("no plugin declares a wait")
	}
}

func embedded(t testing.TB) *plugins.Set {
	t.Helper()
	set, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestDocumentedPlugin wants the example in the documentation to be a good plugin.
func TestDocumentedPlugin(t *testing.T) {
	text, err := os.ReadFile("../docs/plugins.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "```yaml\n")
	example, _, _ := strings.Cut(after, "```")
	plugin, problems := plugins.Parse("docs/plugins.md", []byte(example))
	if plugin == nil || len(problems) > 0 {
		t.Fatal(problems)
	}
	if complaints := lint(plugin.Finalizers[0]); len(complaints) > 0 {
		t.Error(complaints)
	}
}

func BenchmarkFirstCondition(b *testing.B) {
	for b.Loop() {
		set := embedded(b)
		known, _ := set.Find("cephobjectstore.ceph.rook.io", "CephObjectStore.ceph.rook.io")
		if _, err := set.Condition(known.Waits[0].Where); err != nil {
			b.Fatal(err)
		}
	}
}
