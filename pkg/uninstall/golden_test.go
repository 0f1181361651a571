package uninstall_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func TestMain(m *testing.M) {
	flag.Bool("update", false, "write the golden files again")
	flag.Parse()
	os.Exit(m.Run())
}

// TestGolden shows one plan in each of its formats.
func TestGolden(t *testing.T) {
	objects := append(operator(1),
		database("orders", ours, "spec: {databaseRef: {name: main}}"), database("main", ours, ""),
		object("v1", "Service", "other/web", "finalizers: [shop.example.com/dns]", "spec: {}"))
	whole, err := planCase{objects: append(objects, claim()...), target: "deployments.apps/system/operator"}.ask(t)
	if err != nil {
		t.Fatal(err)
	}
	down, err := planCase{objects: append(operator(0), database("orders", ours, "")), release: "store"}.ask(t)
	if err != nil {
		t.Fatal(err)
	}
	for name, plan := range map[string]*result.UninstallPlan{"ready": whole, "blocked": down} {
		for format, extension := range map[string]string{
			"human": "txt", "short": "short", "json": "json", "markdown": "md", "script": "sh", "name": "names",
		} {
			compareGolden(t, name+"."+extension, printed(t, plan, format))
		}
	}
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
