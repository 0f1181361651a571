package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestChecks has the interpreter of Argo CD run every check, with the libraries that it opens for checks of its users
// (argo-cd util/lua/lua.go:runLuaWithResourceActionParameters): on a living object, on one with each finalizer of the
// kind, on one with an unknown finalizer, and on one without any.
func TestChecks(t *testing.T) {
	tested := 0
	for key, script := range scripts(t) {
		living := health(t, script, object("", "held"))
		if living != (answer{Status: "Healthy"}) {
			t.Errorf("%s: a living object has %v", key, living)
		}
		unknown := health(t, script, object("2026-01-02T03:04:05Z", "held", "unknown.example.com/x"))
		if unknown.Status != "Progressing" || !strings.Contains(unknown.Message, "x: not in the catalogue.") {
			t.Errorf("%s: an unknown finalizer: %v", key, unknown)
		}
		none := health(t, script, object("2026-01-02T03:04:05Z", "held"))
		if none.Status != "Progressing" || !strings.Contains(none.Message, "/held -n shop") {
			t.Errorf("%s: without a finalizer: %v", key, none)
		}
		tested++
	}
	if tested < 300 {
		t.Errorf("%d checks were tested", tested)
	}
}

func TestEveryFinalizerIsTold(t *testing.T) {
	set, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	all, catalogue := scripts(t), set.All()
	for _, project := range set.Projects() {
		for _, known := range checksOf(set, catalogue, project.Project) {
			if isBundled(known.Key) {
				continue
			}
			script := all[known.Key]
			for _, said := range slices.Concat(known.Exact, known.Begins) {
				name := said.Name
				if slices.Contains(known.Begins, said) {
					name += "zzz"
				}
				found := health(t, script, object("2026-01-02T03:04:05Z", "held", name))
				want := name + ": " + said.Waits + " Risk if removed manually: " + said.Risk
				if !strings.Contains(found.Message, want) {
					t.Errorf("%s: %q does not tell %q", known.Key, found.Message, want)
				}
			}
		}
	}
}

// TestNoCheckOfItsOwnIsReplaced compares the keys with the checks that Argo CD comes with: a user's check replaces
// them, with what they say about living objects. If two globs fit one kind, Argo CD takes any of them.
func TestNoCheckOfItsOwnIsReplaced(t *testing.T) {
	all := scripts(t)
	for key := range all {
		for _, own := range []string{
			"apps/Deployment", "cert-manager.io/Certificate", "s3.services.k8s.aws/Bucket", "Pod",
		} {
			if meet(key, own) {
				t.Errorf("%s replaces Argo CD's check of %s", key, own)
			}
		}
		for other := range all {
			if key < other && strings.Contains(key, "*") && strings.Contains(other, "*") && meet(key, other) {
				t.Errorf("%s and %s fit the same kinds", key, other)
			}
		}
	}
	if isBundled("acme.cert-manager.io/Challenge") || !isBundled("PersistentVolumeClaim") ||
		!isBundled("*crossplane.io/*") {
		t.Error("what Argo CD checks by itself is not told from what it doesn't")
	}
}

func TestMeet(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"", "", true}, {"*", "", true}, {"a", "a", true}, {"a", "b", false}, {"a*", "*b", true}, {"a*", "b*", false},
		{"*.example.com/*", "shop.example.com/Order", true}, {"*.example.com/*", "example.com/Order", false},
		{"*/ProviderConfig", "*.crossplane.io/*", true}, {"x/*Group", "x/DemoGroup", true}, {"x/*Group", "x/Groups", false},
	} {
		if meet(test.a, test.b) != test.want || meet(test.b, test.a) != test.want {
			t.Errorf("%q and %q: want %v", test.a, test.b, test.want)
		}
	}
}

// scripts reads the files as Argo CD reads its ConfigMap (argo-cd util/settings/settings.go:GetResourceOverrides), and
// returns the checks by GROUP/KIND.
func scripts(t *testing.T) map[string]string {
	t.Helper()
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	add := func(file, key, script string) {
		if all[key] != "" && all[key] != script {
			t.Errorf("%s: another file has another check of %s", file, key)
		}
		all[key] = script
	}
	for name, text := range files {
		if !strings.HasPrefix(name, "health/") {
			continue
		}
		var configMap struct{ Data map[string]string }
		if err := yaml.Unmarshal(text, &configMap); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for key, value := range configMap.Data {
			if kind, single := strings.CutPrefix(key, "resource.customizations.health."); single {
				add(name, strings.Replace(kind, "_", "/", 1), value)
				continue
			}
			globs := map[string]map[string]string{}
			if err := yaml.UnmarshalStrict([]byte(value), &globs); err != nil || key != "resource.customizations" {
				t.Errorf("%s: %s: %v", name, key, err)
			}
			for glob, override := range globs {
				add(name, glob, override["health.lua"])
			}
		}
	}
	return all
}

type answer struct{ Status, Message string }

// health runs a check. Argo CD takes nothing but a table with a status that it knows.
func health(t *testing.T, script string, object map[string]any) answer {
	t.Helper()
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	for name, open := range map[string]lua.LGFunction{
		lua.LoadLibName: lua.OpenPackage, lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable,
	} {
		call := lua.P{Fn: state.NewFunction(open), Protect: true}
		if err := state.CallByParam(call, lua.LString(name)); err != nil {
			t.Fatal(err)
		}
	}
	state.SetGlobal("obj", table(state, object))
	if err := state.DoString(script); err != nil {
		t.Fatalf("%v\n%s", err, script)
	}
	returned, is := state.Get(-1).(*lua.LTable)
	if !is {
		t.Fatalf("no table is returned, but %v", state.Get(-1))
	}
	status, message := returned.RawGetString("status"), returned.RawGetString("message")
	return answer{Status: status.String(), Message: message.String()}
}

func table(state *lua.LState, value any) lua.LValue {
	switch value := value.(type) {
	case map[string]any:
		made := state.NewTable()
		for key, field := range value {
			made.RawSetString(key, table(state, field))
		}
		return made
	case []string:
		made := state.NewTable()
		for _, element := range value {
			made.Append(lua.LString(element))
		}
		return made
	}
	return lua.LString(fmt.Sprint(value))
}

func object(deleted, name string, finalizers ...string) map[string]any {
	metadata := map[string]any{"name": name, "namespace": "shop"}
	if deleted != "" {
		metadata["deletionTimestamp"] = deleted
	}
	if len(finalizers) > 0 {
		metadata["finalizers"] = finalizers
	}
	return map[string]any{"kind": "Thing", "metadata": metadata}
}
