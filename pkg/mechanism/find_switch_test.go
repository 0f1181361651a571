package mechanism

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
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
			bearer, on := knownSwitch(t.Context(), &switchSearch{Tools: tools}, object, []plugins.Switch{test.known}, Answer{})
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

// TestUnnamedSwitch wants nothing to be read where the held object names no class.
func TestUnnamedSwitch(t *testing.T) {
	item := manifest("store.example.com/v1", "Item", "shop", "one", deleted(time.Hour, "x.io/hold"), "spec: {size: 1}")
	ofClass := plugins.Switch{Path: "{.spec.paused}", Of: "App.store.example.com", Named: "{.spec.class}"}
	class := manifest("store.example.com/v1", "App", "shop", "fast", "", "spec: {paused: true}")
	tools := toolsWith(t, item+class, func(memory *clustertest.Memory) {
		memory.Before = func(what string) {
			if strings.HasPrefix(what, "apps.store.example.com") {
				t.Errorf("it reads %q", what)
			}
		}
	})
	search := &switchSearch{Tools: tools}
	bearer, on := knownSwitch(t.Context(), search, firstOf(t, tools, item), []plugins.Switch{ofClass}, Answer{})
	if on != nil {
		t.Errorf("%s bears the switch, and is not named", bearer.Ref)
	}
}

// TestConcerns asks for which finalizers of an object a switch counts that only its name tells.
func TestConcerns(t *testing.T) {
	const group = "shop.acme.dev"
	carts := cluster.Resource{Kind: "Cart"}
	carts.GroupVersionResource = schema.GroupVersionResource{Group: group, Version: "v1", Resource: "carts"}
	for _, test := range []struct {
		name, path, finalizer, beside string
		want                          bool
	}{
		{"the kind's own", "paused", group + "/a", "", true},
		{"of the same owner", "paused", "disks.acme.dev/a", group + "/a", true},
		{"a bare word", "paused", "cleanup", group + "/a", true},
		{"another project's, alone", "paused", "frost.quaycraft.io/c", "", true},
		{"another project's, beside the kind's own", "paused", "frost.quaycraft.io/c", group + "/a", false},
		{"another project's, beside one that tells nothing", "paused", "frost.quaycraft.io/c", "example.com/a", true},
		{"that project's switch", "quaycraft.io/paused", "frost.quaycraft.io/c", group + "/a", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			meta := &metav1.PartialObjectMetadata{}
			meta.Finalizers = append(meta.Finalizers, test.finalizer)
			if test.beside != "" {
				meta.Finalizers = append(meta.Finalizers, test.beside)
			}
			object := &Object{Resource: carts, Meta: meta}
			held := Held{Object: object, Hold: finding.Hold{Name: test.finalizer}}
			if got := concerns(switches.Switch{Path: []string{"metadata", test.path}}, held); got != test.want {
				t.Errorf("concerns %s: %v, want %v", test.finalizer, got, test.want)
			}
		})
	}
}
