package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// shop is the source of an operator, as a module has it.
func shop() map[string]string {
	return map[string]string{
		"go.mod": "module example.com/shop\n",
		"api/v1/types.go": `package v1

const (
	Group     = "shop.example.com"
	Finalizer = Group + "/cleanup"
)

type Order struct {
	Status Status ` + "`json:\"status\"`" + `
}

type Status struct {
	Failed string ` + "`json:\"failureText,omitempty\"`" + `
}
`,
		"controller/order.go": `package controller

import (
	"fmt"

	api "example.com/shop/api/v1"
)

var loop = loop + "x"

const paused, lease = "shop.example.com/paused", "shop-leader"

func reconcile(kind string) {
	RemoveFinalizer(api.Finalizer)
	RemoveFinalizer(fmt.Sprintf("deletion.%s.shop.example.com", kind))
	keep := "shop.example.com/" + kind
	_ = keep
}
`,
		"controller/order_test.go":  "package controller\n\nconst OnlyTested = \"tested.example.com/x\"\n",
		"vendor/other/constants.go": "package other\n\nconst Vendored = \"vendored.example.com/x\"\n",
		"charts/shop/Chart.yaml":    "name: shop\n",
		"charts/shop/templates/deployment.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n" +
			"  labels:\n    {{- include \"labels\" . | nindent 4 }}\n  name: {{ include \"shop.fullname\" . }}-controller\n",
		"config/kustomization.yaml": "namePrefix: shop-\n",
		"config/manager.yaml":       "apiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: manager\n",
	}
}

// onDisk writes files, and opens them as a module.
func onDisk(t *testing.T, files map[string]string) *source {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		file := filepath.Join(folder, "example.com", "shop", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	modules := &store{folder: folder, known: map[string]string{}, strings: map[string]map[string]string{}}
	found, why, err := open(t.Context(), modules, "example.com/shop@v1.0.0")
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	return found
}

func TestClaims(t *testing.T) {
	t.Parallel()
	found := onDisk(t, shop())
	entry := func(name string, change func(*plugins.Finalizer)) plugins.Finalizer {
		f := plugins.Finalizer{Names: []string{name}, Kinds: []string{"Order.shop.example.com"}}
		if change != nil {
			change(&f)
		}
		return f
	}
	field := func(path string) []plugins.Field { return []plugins.Field{{Path: path}} }
	for name, c := range map[string]struct {
		entry plugins.Finalizer
		claim string
		want  outcome
	}{
		"a constant made of another":     {entry("shop.example.com/cleanup", nil), "names", held},
		"a format":                       {entry("deletion.orders.shop.example.com", nil), "names", held},
		"a part of it":                   {entry("shop.example.com/orders", nil), "names", notCheckable},
		"only a test has it":             {entry("tested.example.com/x", nil), "names", drifted},
		"only a vendored package has it": {entry("vendored.example.com/x", nil), "names", drifted},
		"a pattern":                      {entry("*.elsewhere.example.com", nil), "names", notCheckable},
		"its kind":                       {entry("x", nil), "kinds", held},
		"a kind of others": {
			entry("x", func(f *plugins.Finalizer) { f.Kinds = []string{"Other.shop.example.com"} }), "kinds", notCheckable,
		},
		"its symbol": {entry("shop.example.com/cleanup", func(f *plugins.Finalizer) {
			f.Symbols = []string{"api/v1.Finalizer"}
		}), "symbols", held},
		"a symbol with another value": {entry("shop.example.com/cleanup", func(f *plugins.Finalizer) {
			f.Symbols = []string{"api/v1.Group"}
		}), "symbols", drifted},
		"a symbol that is gone": {entry("shop.example.com/cleanup", func(f *plugins.Finalizer) {
			f.Symbols = []string{"api/v1.Gone"}
		}), "symbols", drifted},
		"a symbol made of itself": {entry("shop.example.com/cleanup", func(f *plugins.Finalizer) {
			f.Symbols = []string{"controller.loop"}
		}), "symbols", notCheckable},
		"a workload of a chart": {entry("x", func(f *plugins.Finalizer) {
			f.Workloads = []string{"Deployment/shop-controller"}
		}), "workloads", held},
		"a workload with a prefix": {entry("x", func(f *plugins.Finalizer) {
			f.Workloads = []string{"StatefulSet/shop-manager"}
		}), "workloads", held},
		"a workload of another kind": {entry("x", func(f *plugins.Finalizer) {
			f.Workloads = []string{"Deployment/shop-manager"}
		}), "workloads", drifted},
		"a Lease": {
			entry("x", func(f *plugins.Finalizer) { f.Leases = []string{"shop/shop-leader"} }), "leases", held,
		},
		"a Lease of others": {
			entry("x", func(f *plugins.Finalizer) { f.Leases = []string{"shop/other-leader"} }), "leases", drifted,
		},
		"a field": {
			entry("x", func(f *plugins.Finalizer) { f.StatusFields = field("{.status.failureText}") }), "statusFields", held,
		},
		"a field that is gone": {entry("x", func(f *plugins.Finalizer) {
			f.StatusFields = field("{.status.failureMessage}")
		}), "statusFields", drifted},
		"an annotation": {entry("x", func(f *plugins.Finalizer) {
			f.Switches = []plugins.Switch{{Path: `{.metadata.annotations.shop\.example\.com/paused}`}}
		}), "switches", held},
		"an annotation that is gone": {entry("x", func(f *plugins.Finalizer) {
			f.Switches = []plugins.Switch{{Path: `{.metadata.annotations.shop\.example\.com/stopped}`}}
		}), "switches", drifted},
	} {
		t.Run(name, func(t *testing.T) {
			results := checkAll(t.Context(), found, c.entry)
			at := slices.IndexFunc(results, func(r result) bool { return strings.HasPrefix(r.claim, c.claim+":") })
			if at < 0 || results[at].outcome != c.want {
				t.Errorf("%s of %+v: want %s", c.claim, results, c.want)
			}
		})
	}
}

// TestNowhere shows a module that can't be read: nothing is held, and nothing has drifted.
func TestNowhere(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	rows := []row{checkEntry(t.Context(), nil, plugins.Finalizer{Project: "Shop"}, "why", options{}, &out)}
	if summary(&out, rows) != 0 || out.String() != "1 entries: 0 held, 0 drifted, 1 not checkable\n" {
		t.Error(out.String())
	}
	if want := "| Shop |  | 1 | 0 |  | 1: why |\n"; !strings.HasSuffix(table(rows), want) {
		t.Errorf("%s, want %s", table(rows), want)
	}
}

// TestModules holds that each module of the catalogue is PATH@VERSION, and each symbol FOLDER.NAME.
func TestModules(t *testing.T) {
	t.Parallel()
	set, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range set.All() {
		modulePath, version, found := strings.Cut(entry.Module, "@v")
		if entry.Module != "" && (!found || modulePath == "" || version == "") {
			t.Errorf("%s: module %s is no PATH@VERSION", entry.Project, entry.Module)
		}
		for _, symbol := range entry.Symbols {
			if entry.Module == "" || strings.LastIndex(symbol, ".") <= 0 {
				t.Errorf("%s: symbol %s is no FOLDER.NAME of a module", entry.Project, symbol)
			}
		}
	}
}
