package switches_test

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

func parsed(t *testing.T, text string) (object map[string]any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	return object
}

// told is a switch in short: where it is, what it does, and what turns it off.
func told(found []switches.Switch) string {
	var all []string
	for _, one := range found {
		does := "pauses"
		if one.Protects {
			does = "protects"
		}
		all = append(all, fmt.Sprintf("%s=%s %s %s", one.Field(), one.Value, does, one.Patch()))
	}
	return strings.Join(all, "\n")
}

// TestNamed knows switches by their names, and leaves alone what is only similar.
func TestNamed(t *testing.T) {
	for _, test := range []struct{ object, want string }{
		{`{metadata: {annotations: {ops.example.com/paused: "true"}}}`,
			`annotation ops.example.com/paused=true pauses {"metadata":{"annotations":{"ops.example.com/paused":null}}}`},
		{`{metadata: {annotations: {ops.example.com/paused: ""}}}`,
			`annotation ops.example.com/paused= pauses {"metadata":{"annotations":{"ops.example.com/paused":null}}}`},
		{`{metadata: {annotations: {ops.example.com/paused: "false"}}}`, ""},
		{`{metadata: {annotations: {ops.example.com/skip-reconcile: "True"}}}`,
			`annotation ops.example.com/skip-reconcile=True pauses ` +
				`{"metadata":{"annotations":{"ops.example.com/skip-reconcile":null}}}`},
		{`{metadata: {annotations: {ops.example.com/reconcile: disabled}}}`,
			`annotation ops.example.com/reconcile=disabled pauses ` +
				`{"metadata":{"annotations":{"ops.example.com/reconcile":null}}}`},
		{`{metadata: {annotations: {ops.example.com/managed: "true"}}}`, ""},
		{`{metadata: {annotations: {ops.example.com/block-reconcile: "true", ops.example.com/ignore-differences: "true"}}}`,
			`annotation ops.example.com/block-reconcile=true pauses ` +
				`{"metadata":{"annotations":{"ops.example.com/block-reconcile":null}}}`},
		{`{metadata: {annotations: {ops.example.com/hold-reconcile: "true", ops.example.com/hold: "true"}}}`,
			`annotation ops.example.com/hold-reconcile=true pauses ` +
				`{"metadata":{"annotations":{"ops.example.com/hold-reconcile":null}}}`},
		{`{metadata: {annotations: {ops.example.com/allow-destroy: "false"}}}`,
			`annotation ops.example.com/allow-destroy=false protects ` +
				`{"metadata":{"annotations":{"ops.example.com/allow-destroy":"true"}}}`},
		{`{metadata: {annotations: {ops.example.com/allow-destroy: "true"}}, spec: {forceDestroy: false}}`, ""},
		{`{spec: {deletion: {allowed: false, policy: Retain}}}`,
			`spec.deletion.allowed=false protects {"spec":{"deletion":{"allowed":true}}}`},
		{`{spec: {deletion: {preventDeletion: true}}}`,
			`spec.deletion.preventDeletion=true protects {"spec":{"deletion":{"preventDeletion":false}}}`},
		{`{spec: {deletion: {allowed: true}, access: {allowed: false}}}`, ""},
		{`{spec: {protection: {deletion: true, update: true}}}`,
			`spec.protection.deletion=true protects {"spec":{"protection":{"deletion":false}}}`},
		{`{spec: {protect: {delete: true}, protection: {deletion: false}}}`,
			`spec.protect.delete=true protects {"spec":{"protect":{"delete":false}}}`},
		{`{spec: {deletable: false}}`, `spec.deletable=false protects {"spec":{"deletable":true}}`},
		{`{spec: {deletionPolicy: Block}}`, `spec.deletionPolicy=Block protects {"spec":{"deletionPolicy":null}}`},
		{`{metadata: {annotations: {x.io/no-delete: "true"}}}`,
			`annotation x.io/no-delete=true protects {"metadata":{"annotations":{"x.io/no-delete":null}}}`},
		{`{spec: {locked: true, enabled: false}}`, ""},
		{`{spec: {deletion: {protected: true}, data: {deletion: {allowed: false}}}}`,
			`spec.deletion.protected=true protects {"spec":{"deletion":{"protected":false}}}`},
		{`{spec: {allowDeletion: false}}`, `spec.allowDeletion=false protects {"spec":{"allowDeletion":true}}`},
		{`{spec: {reconciliationDisabled: true, blocked: true}}`,
			`spec.reconciliationDisabled=true pauses {"spec":{"reconciliationDisabled":false}}`},
		{`{spec: {deletionPolicy: DoNotTerminate}}`,
			`spec.deletionPolicy=DoNotTerminate protects {"spec":{"deletionPolicy":null}}`},
		{`{spec: {deletionPolicy: Retain}, metadata: {annotations: {helm.sh/resource-policy: keep}}}`, ""},
		{`{metadata: {labels: {ops.example.com/delete-protection: Always}}}`,
			`label ops.example.com/delete-protection=Always protects ` +
				`{"metadata":{"labels":{"ops.example.com/delete-protection":null}}}`},
		{`{metadata: {labels: {pause: "yes"}}}`, `label pause=yes pauses {"metadata":{"labels":{"pause":null}}}`},
		{`{metadata: {annotations: {ops.example.com/paused-by: alice, ops.example.com/last-suspend: "true"}}}`, ""},
		{`{spec: {paused: true}}`, `spec.paused=true pauses {"spec":{"paused":false}}`},
		{`{spec: {paused: false, suspend: "no"}}`, ""},
		{`{spec: {suspend: true}}`, `spec.suspend=true pauses {"spec":{"suspend":false}}`},
		{`{spec: {managementState: Unmanaged}}`, `spec.managementState=Unmanaged pauses {"spec":{"managementState":null}}`},
		{`{spec: {template: {paused: true}}}`, ""},
		{`{spec: {operator: {pause: true}, storage: {pause: true}}}`,
			`spec.operator.pause=true pauses {"spec":{"operator":{"pause":false}}}`},
		{`{spec: {management: {mode: Manual}}}`, `spec.management.mode=Manual pauses {"spec":{"management":{"mode":null}}}`},
		{`{spec: {controller: {image: {pause: true}}}}`, ""},
		{`{spec: {mode: manual, failover: {mode: manual}}}`, `spec.mode=manual pauses {"spec":{"mode":null}}`},
		{`{spec: {mode: automatic}, metadata: {annotations: {x.io/mode: ReadOnly}}}`, ""},
		{`{metadata: {labels: {x.io/managed-by-operator: "false"}, annotations: {x.io/managed-by: operator}}}`,
			`label x.io/managed-by-operator=false pauses {"metadata":{"labels":{"x.io/managed-by-operator":null}}}`},
		{`{metadata: {annotations: {x.io/managed-by-operator: "true"}}}`, ""},
		{`{spec: {reconcile: {enabled: false}}}`,
			`spec.reconcile.enabled=false pauses {"spec":{"reconcile":{"enabled":true}}}`},
		{`{spec: {reconcile: {enabled: true}, backup: {enabled: false}}}`, ""},
		{`{spec: {suspend: {after: 3}}}`, ""},
		{`{metadata: {annotations: {x.io/protected: "true"}}, spec: {protected: true}}`,
			`annotation x.io/protected=true protects {"metadata":{"annotations":{"x.io/protected":null}}}`},
		{`{metadata: {annotations: {x.io/protected: "false", x.io/protected-by: alice}}}`, ""},
		{`{spec: {maintenanceMode: true}}`, `spec.maintenanceMode=true pauses {"spec":{"maintenanceMode":false}}`},
		{`{spec: {maintenance: {window: nightly}, storage: {maintenance: true}}}`, ""},
		{`{metadata: {annotations: {x.io/do-not-reconcile: "yes"}}}`,
			`annotation x.io/do-not-reconcile=yes pauses {"metadata":{"annotations":{"x.io/do-not-reconcile":null}}}`},
		{`{metadata: {annotations: {x.io/do-not-reconcile: "no"}}}`, ""},
		{`{spec: {forProvider: {deletionProtection: true}}}`,
			`spec.forProvider.deletionProtection=true protects {"spec":{"forProvider":{"deletionProtection":false}}}`},
		{`{metadata: {annotations: {syn.tools/protected-delete: "true"}}}`,
			`annotation syn.tools/protected-delete=true protects ` +
				`{"metadata":{"annotations":{"syn.tools/protected-delete":null}}}`},
		{`{status: {paused: true}}`, ""},
		{`{}`, ""},
	} {
		if got := told(switches.Named(parsed(t, test.object))); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.object, got, test.want)
		}
	}
}

// TestRemarked finds what may be a switch, and may as well be something else.
func TestRemarked(t *testing.T) {
	for object, want := range map[string]string{
		`{spec: {locked: true, enabled: true}}`:                       "spec.locked=true",
		`{spec: {locked: false, enabled: false}}`:                     "spec.enabled=false",
		`{spec: {desiredState: Paused, state: Running}}`:              "spec.desiredState=Paused",
		`{metadata: {annotations: {x.io/skip: "true"}}}`:              "annotation x.io/skip=true",
		`{metadata: {annotations: {x.io/skip: "false"}}}`:             "",
		`{spec: {backup: {enabled: false}, door: {locked: true}}}`:    "",
		`{spec: {paused: true, deletable: false}}`:                    "", // switches, by their names
		`{metadata: {labels: {x.io/legal-hold: "true", hold: "no"}}}`: "label x.io/legal-hold=true",
	} {
		var got []string
		for _, one := range switches.Remarked(parsed(t, object)) {
			got = append(got, one.Field()+"="+one.Value)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %v, want %s", object, got, want)
		}
	}
}

// TestOn knows the switches of the catalogue by their paths and values, on the kind that bears them.
func TestOn(t *testing.T) {
	known := []plugins.Switch{
		{Path: `{.metadata.annotations.x\.io/hold}`},
		{Path: "{.spec.state}", Values: []string{"Off"}, Off: "On", Protects: true},
		{Path: "{.spec.paused}", Of: "Cluster.x.io"},
	}
	for _, test := range []struct{ kind, object, want string }{
		{"Machine.x.io", `{metadata: {annotations: {x.io/hold: ""}}}`,
			`annotation x.io/hold= pauses {"metadata":{"annotations":{"x.io/hold":null}}}`},
		{"Machine.x.io", `{metadata: {annotations: {x.io/hold: "false"}}}`, ""},
		{"Machine.x.io", `{spec: {state: "Off"}}`, `spec.state=Off protects {"spec":{"state":"On"}}`},
		{"Machine.x.io", `{spec: {state: "On", paused: true}}`, ""},
		{"Cluster.x.io", `{spec: {paused: true}}`, `spec.paused=true pauses {"spec":{"paused":false}}`},
		{"Cluster.x.io", `{spec: [paused]}`, ""},
	} {
		if got := told(switches.On(parsed(t, test.object), test.kind, known)); got != test.want {
			t.Errorf("%s %s: got\n%s\nwant\n%s", test.kind, test.object, got, test.want)
		}
	}
}

// TestConfirmation: a switch in the items of a list is off while an annotation has a time since the deletion.
func TestConfirmation(t *testing.T) {
	known := []plugins.Switch{{
		Path: "{.status.parts[*].confirm}", Values: []string{"true"}, Protects: true,
		Confirmation: `{.metadata.annotations.x\.io/approved}`,
	}}
	const on = `status.parts.confirm=true protects {"metadata":{"annotations":{"x.io/approved":"2026-01-02T03:00:00Z"}}}`
	for _, test := range []struct{ approved, parts, want string }{
		{"", `[{name: a}, {kind: Disk, name: b, confirm: true}]`, on + " of Disk b"},
		{"2026-01-02T02:59:59Z", `[{confirm: true}]`, on + " of "},
		{"2026-01-02T03:00:00Z", `[{confirm: true}]`, ""},
		{"2026-01-02T05:00:00+01:00", `[{confirm: true}]`, ""},
		{"yes", `[{confirm: true}]`, on + " of "},
		{"", `[{confirm: false}, {}, 3]`, ""},
		{"", `{confirm: "true"}`, on + " of "},
		{"", `[]`, ""},
	} {
		object := parsed(t, `{metadata: {deletionTimestamp: "2026-01-02T03:00:00Z", annotations: {x.io/approved: "`+
			test.approved+`"}}, status: {parts: `+test.parts+`}}`)
		got := ""
		for _, found := range switches.On(object, "Machine.x.io", known) {
			got = told([]switches.Switch{found}) + " of " + found.Item
			if !found.Turnable() {
				t.Errorf("%v: nothing confirms the deletion", test)
			}
		}
		if got != test.want {
			t.Errorf("%v: got %s, want %s", test, got, test.want)
		}
	}
	live := parsed(t, `{status: {parts: [{confirm: true}]}}`)
	if found := switches.On(live, "Machine.x.io", known); len(found) != 1 || found[0].Turnable() {
		t.Errorf("of an object that was not deleted: %v", found)
	}
}

// TestBearer finds the name of another object that bears a switch, in the held object's fields or in the catalogue.
func TestBearer(t *testing.T) {
	const object = `{metadata: {namespace: shop, labels: {x.io/of: c1}}, spec: {className: fast}}`
	for _, test := range []struct {
		named, want string
		here        bool // metadata is enough
	}{
		{"", "", true},
		{"settings.x.io", "settings.x.io", true},
		{"{.metadata.namespace}", "shop", true},
		{`{.metadata.labels.x\.io/of}`, "c1", true},
		{"{.spec.className}", "fast", false},
		{"{.spec.other}", "", false},
	} {
		known := plugins.Switch{Path: "{.spec.paused}", Of: "Class.x.io", Named: test.named}
		if got := switches.Bearer(parsed(t, object), known); got != test.want {
			t.Errorf("%s: %q, want %q", test.named, got, test.want)
		}
		if got := switches.Here(known); got != test.here {
			t.Errorf("%s: in metadata: %v, want %v", test.named, got, test.here)
		}
		paused := parsed(t, `{spec: {paused: true}}`)
		if found := switches.On(paused, "Class.x.io", []plugins.Switch{known}); test.named != "" &&
			len(found) > 0 {
			t.Errorf("%s: it counts of any object of the kind", test.named)
		}
	}
}
