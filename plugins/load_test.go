package plugins_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

const head = "apiVersion: finalizers.kubectl/v1alpha1\nkind: FinalizerPlugin\nproject: Shop\n"

const mine = head + `finalizers:
- names: [shop.example.com/cleanup]
  kinds: [Database.shop.example.com]
  removedBy: shop-operator
  waitsFor: the database is dropped
  loses: the database
`

// TestParse wants every mistake to be told with its line and its field.
func TestParse(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"good", mine, ""},
		{"empty", "", "x.yaml: it is empty"},
		{"no YAML", head + "a: [", "x.yaml:4: no YAML: "},
		{"another version", strings.Replace(mine, "v1alpha1", "v9", 1),
			"x.yaml:1: apiVersion: it has to be finalizers.kubectl/v1alpha1"},
		{"another kind", strings.Replace(mine, "FinalizerPlugin", "Pod", 1), "x.yaml:2: kind: it has to be FinalizerPlugin"},
		{"unknown field", mine + "  waitFor: x\n",
			"x.yaml:10: finalizers[0].waitFor: there is no such field here; there are names, kinds"},
		{"a field twice", mine + "  loses: x\n", "x.yaml:10: finalizers[0].loses: it is given twice"},
		{"text for a list", strings.Replace(mine, "[shop.example.com/cleanup]", "a", 1),
			"x.yaml:5: finalizers[0].names: it is text, and should be a list"},
		{"a list for text", strings.Replace(mine, "shop-operator", "[a]", 1),
			"x.yaml:7: finalizers[0].removedBy: it is a list, and should be text"},
		{"an empty field", strings.Replace(mine, "the database is dropped", "''", 1),
			"x.yaml:8: finalizers[0].waitsFor: it is empty"},
		{"no waitsFor", strings.Replace(mine, "  waitsFor: the database is dropped\n", "", 1),
			"x.yaml:5: finalizers[0].waitsFor: it is missing"},
		{"text for true", mine + "  alwaysOutside: 'yes'\n  mayRunOutside: a person runs it\n",
			"x.yaml:10: finalizers[0].alwaysOutside: it should be true or false"},
		{"outside, without a place", mine + "  alwaysOutside: true\n",
			"x.yaml:10: finalizers[0].alwaysOutside: mayRunOutside, which says where it runs, is missing"},
		{"outside", mine + "  alwaysOutside: true\n  mayRunOutside: a person runs it\n", ""},
		{"no finalizers", head, "x.yaml:1: finalizers: there is none"},
		{"observers alone", head + "observers: [scan-*]\n", ""},
		{"everybody as an observer", head + "observers: ['*']\n", "x.yaml:4: observers[0]: \"*\" would be everybody"},
		{"a bad observer", head + "observers: ['a\\tb']\n", "x.yaml:4: observers[0]: "},
		{"a bad name", strings.Replace(mine, "shop.example.com/cleanup", "'a b'", 1),
			`x.yaml:5: finalizers[0].names[0]: "a b" is no name of a finalizer`},
		{"every name", strings.Replace(mine, "shop.example.com/cleanup", "'*'", 1),
			`x.yaml:5: finalizers[0].names[0]: "*" would be every finalizer`},
		{"a bad kind", strings.Replace(mine, "Database.shop.example.com", "shop.example.com/Database", 1),
			"x.yaml:6: finalizers[0].kinds[0]: "},
		{"a bad workload", mine + "  workloads: [shop-operator]\n",
			"x.yaml:10: finalizers[0].workloads[0]: \"shop-operator\" is not KIND/NAME"},
		{"a bad lease", mine + "  leases: [shop]\n", "x.yaml:10: finalizers[0].leases[0]: \"shop\" is not NAMESPACE/NAME"},
		{"a bad guard", mine + "  guards: [Everything]\n",
			"x.yaml:10: finalizers[0].guards[0]: \"Everything\" is not one of [InUse External"},
		{"a bad link", mine + "  links: [example.com]\n",
			"x.yaml:10: finalizers[0].links[0]: \"example.com\" is no https address"},
		{"a bad check", mine + "  verified: {name: yes}\n",
			"x.yaml:10: finalizers[0].verified.name: \"yes\" is not one of [Source Excerpt None]"},
		{"a bad path", mine + "  resourceFields: [{path: spec.name, says: x}]\n",
			"x.yaml:10: finalizers[0].resourceFields[0].path: \"spec.name\" is no JSONPath"},
		{"a wait for Secrets' data", mine + "  waits: [{resource: secrets, scope: Cluster, where: 'has(object.data.key)', " +
			"says: x}]\n", "x.yaml:10: finalizers[0].waits[0].where: of Secrets and ConfigMaps nothing but metadata is read"},
		{"a wait for Secrets", mine + "  waits: [{resource: secrets, scope: Cluster, where: 'has(object.metadata.labels)', " +
			"says: x}]\n", ""},
		{"bad CEL", mine + "  waits:\n  - {resource: pods, scope: Cluster, " +
			"says: x,\n     where: 'slef.metadata.name == 1'}\n",
			"x.yaml:12: finalizers[0].waits[0].where: no CEL expression over self and object: ERROR: <input>:1:1: undeclared " +
				"reference to 'slef'"},
		{"CEL that is no condition", mine + "  waits: [{resource: pods, scope: Cluster, where: '1 + 1', says: x}]\n",
			"it yields int, not true or false"},
		{"a bad scope", mine + "  waits: [{resource: pods, scope: World, where: 'true', says: x}]\n",
			"x.yaml:10: finalizers[0].waits[0].scope: \"World\" is not one of [Namespace Cluster]"},
		{"default names", strings.Replace(mine, "finalizers:\n", "defaults: {names: [a]}\nfinalizers:\n", 1),
			"x.yaml:4: defaults.names: names can't be defaults"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, problems := plugins.Parse("x.yaml", []byte(c.data))
			var told []string
			for _, problem := range problems {
				told = append(told, problem.Error())
			}
			if text := strings.Join(told, "\n"); c.want == "" && text != "" || !strings.Contains(text, c.want) {
				t.Errorf("told %q, want %q", text, c.want)
			}
		})
	}
}

func TestAddDir(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{
		"a.yaml":      mine,
		"b.yml":       strings.Replace(mine, "the database is dropped", "the backup is done", 1),
		"broken.yaml": mine + "  typo: x\n",
		"notes.txt":   "not a plugin",
		"glob.yaml": strings.Replace(strings.Replace(mine, "shop.example.com/cleanup", "'kubernetes.io/*'", 1),
			"  kinds: [Database.shop.example.com]\n", "", 1),
		"pvc.yaml": strings.Replace(strings.Replace(mine, "shop.example.com/cleanup", "kubernetes.io/pvc-protection", 1),
			"Database.shop.example.com", "PersistentVolumeClaim", 1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set := embedded(t)
	problems, err := set.AddDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) != 1 || !strings.Contains(problems[0].Error(),
		"broken.yaml:10: finalizers[0].typo: there is no such field") {
		t.Errorf("problems: %v", problems)
	}
	for _, c := range []struct{ finalizer, kind, waitsFor, why string }{
		{"shop.example.com/cleanup", "Database.shop.example.com", "the backup is done", "a later file wins"},
		{"kubernetes.io/pvc-protection", "PersistentVolumeClaim", "the database is dropped",
			"a user's file wins over the program's"},
		{"kubernetes.io/pv-protection", "PersistentVolume", "the volume is no longer bound to a claim",
			"a name wins over a glob"},
		{"kubernetes.io/mine", "ConfigMap", "the database is dropped", "a glob fits"},
	} {
		if found, _ := set.Find(c.finalizer, c.kind); found.WaitsFor != c.waitsFor {
			t.Errorf("%s waits for %q, but %s", c.finalizer, found.WaitsFor, c.why)
		}
	}
	if _, err := set.AddDir(filepath.Join(dir, "nowhere")); !os.IsNotExist(err) {
		t.Errorf("a folder that isn't there: %v", err)
	}
}

func TestDefaults(t *testing.T) {
	data := strings.Replace(mine, "finalizers:\n",
		"defaults: {removedBy: someone, guards: [External], verified: {name: Source, waitsFor: Source}, "+
			"start: Start it., safeWayOut: Look.}\nfinalizers:\n", 1) +
		"  verified: {waitsFor: None}\n  endsWait: Let it finish.\n- {names: [b], waitsFor: x, loses: y}\n"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	set := embedded(t)
	if problems, err := set.AddDir(dir); err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	own, _ := set.Find("shop.example.com/cleanup", "Database.shop.example.com")
	if own.RemovedBy != "shop-operator" || len(own.Guards) != 1 || own.Verified.Name != plugins.CheckSource ||
		own.Verified.WaitsFor != plugins.CheckNone || own.SafeWay() != "Let it finish." {
		t.Errorf("what a finalizer says itself: %+v", own)
	}
	if other, _ := set.Find("b", "ConfigMap"); other.RemovedBy != "someone" || other.Verified.Doubt() != "" ||
		other.SafeWay() != "Start it. Look." {
		t.Errorf("what the defaults say: %+v", other)
	}
}

// TestOddPlugins puts into a folder what is no plugin, or never ends: each has its problem, and the rest is read.
func TestOddPlugins(t *testing.T) {
	dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "shop.txt")
	long := mine + strings.Repeat("# and so on\n", 1<<17)
	bomb := head + "finalizers:\n- &a {names: &n [" + strings.Repeat("a/b, ", 2000) + "]}\n" + strings.Repeat("- *a\n",
		100_000)
	circle := head + "finalizers: &a\n- names: *a\n"
	err := errors.Join(
		os.WriteFile(elsewhere, []byte(mine), 0o600), os.Symlink(elsewhere, filepath.Join(dir, "linked.yaml")),
		os.Symlink("loop.yaml", filepath.Join(dir, "loop.yaml")), os.Symlink("/dev/zero", filepath.Join(dir, "zero.yaml")),
		os.Symlink(dir, filepath.Join(dir, "folder.yaml")), makePipe(filepath.Join(dir, "pipe.yaml")),
		os.WriteFile(filepath.Join(dir, "long.yaml"), []byte(long), 0o600),
		os.WriteFile(filepath.Join(dir, "bomb.yaml"), []byte(bomb), 0o600),
		os.WriteFile(filepath.Join(dir, "circle.yaml"), []byte(circle), 0o600),
	)
	if err != nil {
		t.Skip(err) // links take rights on Windows
	}
	set := embedded(t)
	problems, err := set.AddDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if found, _ := set.Find("shop.example.com/cleanup", "Database.shop.example.com"); found.Project != "Shop" {
		t.Errorf("a link to a file isn't read: %v", problems)
	}
	told := map[string]string{}
	for _, problem := range problems {
		told[filepath.Base(problem.File)] += problem.Reason + "\n"
	}
	for name, want := range map[string]string{
		"loop.yaml": "loop.yaml", "zero.yaml": "it is no file", "pipe.yaml": "it is no file", "folder.yaml": "it is no file",
		"long.yaml": "longer than 1 MiB", "bomb.yaml": "more than 20000 fields", "circle.yaml": "should be text",
	} {
		if !strings.Contains(told[name], want) {
			t.Errorf("%s: %q, want %q", name, told[name], want)
		}
	}
	many := t.TempDir()
	for i := range 1001 {
		if err := os.WriteFile(filepath.Join(many, fmt.Sprintf("%d.yaml", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := set.AddDir(many); err == nil || !strings.Contains(err.Error(), "more than 1000") {
		t.Errorf("a folder of 1001 plugins: %v", err)
	}
}
