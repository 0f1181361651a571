package mechanism

import (
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestNamedSwitch looks for switches of the catalogue on objects that the held one names: its class, its namespace, and
// the settings of its controller. What can't be read pauses nothing.
func TestNamedSwitch(t *testing.T) {
	const version = "store.example.com/v1"
	namespace := func(paused string) string {
		return manifest("v1", "Namespace", "", "shop", `annotations: {x.io/paused: "`+paused+`"}`, "")
	}
	class := func(paused string) string {
		return manifest(version, "App", "shop", "fast", "", "spec: {paused: "+paused+"}")
	}
	item := manifest(version, "Item", "shop", "one", deleted(time.Hour, "x.io/hold"), "spec: {class: fast}")
	ofNamespace := plugins.Switch{
		Path: `{.metadata.annotations.x\.io/paused}`, Of: "Namespace", Named: "{.metadata.namespace}",
	}
	ofClass := plugins.Switch{Path: "{.spec.paused}", Of: "App.store.example.com", Named: "{.spec.class}"}
	settings := plugins.Switch{Path: "{.spec.paused}", Of: "App.store.example.com", Named: "fast"}
	for _, test := range []struct {
		name, objects, deny string
		known               plugins.Switch
		want                string
	}{
		{"a paused namespace", namespace("true"), "", ofNamespace, "Namespace shop"},
		{"a namespace that is not paused", namespace("false"), "", ofNamespace, ""},
		{"a namespace that can't be read", namespace("true"), "namespaces", ofNamespace, ""},
		{"a paused class", class("true"), "", ofClass, "App shop/fast"},
		{"a class that is not paused", class("false"), "", ofClass, ""},
		{"a class that isn't there", "", "", ofClass, ""},
		{"a class that can't be read", class("true"), "apps", ofClass, ""},
		{"nothing can be read", class("true"), "*", ofClass, ""},
		{"settings that pause", class("true"), "", settings, "App shop/fast"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tools := toolsFor(t, item+test.objects, test.deny)
			object := firstOf(t, tools, item)
			bearer, on := knownSwitch(t.Context(), tools, object, []plugins.Switch{test.known}, Answer{})
			got := ""
			if on != nil {
				got = bearer.Ref.String()
			}
			if got != test.want {
				t.Errorf("%q bears the switch, want %q", got, test.want)
			}
		})
	}
}
