package states_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/states"
)

const gatewayDefinition = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
 "metadata":{"name":"gateways.net.example.com"},"spec":{"versions":[
 {"name":"v1","additionalPrinterColumns":[
  {"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type==\"Ready\")].status"},
  {"name":"STATUS","type":"string","jsonPath":".status.phase"},
  {"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}]},
 {"name":"v2","additionalPrinterColumns":[
  {"name":"ready","type":"integer","jsonPath":".status.ready"},
  {"name":"Status","type":"string","jsonPath":".spec.data.mode"}]},
 {"name":"v3"},
 {"name":"v4","additionalPrinterColumns":[
  {"name":"Ready","type":"string","jsonPath":".metadata.labels.ready"},
  {"name":"Status","type":"boolean","jsonPath":".status.up"}]},
 {"name":"v5","additionalPrinterColumns":[
  {"name":"Ready","type":"date","jsonPath":".status.since"},
  {"name":"Status","type":"string","jsonPath":".status[["}]},
 {"name":"v6","additionalPrinterColumns":[
  {"name":"Ready","type":"string","jsonPath":".....................a"},
  {"name":"Status","type":"string","jsonPath":"..phase"}]},
 {"name":"v7","additionalPrinterColumns":[
  {"name":"Ready","type":"string","jsonPath":".status['a','a']['a','a']['a','a']['a','a']['a','a']"},
  {"name":"Status","type":"string","jsonPath":"..a[?(@..a==\"x\")]..a"}]}]}}`

// TestCustom prints custom resources by their definition, as an API server does.
func TestCustom(t *testing.T) {
	both := func(ready, status string) map[string]string {
		return map[string]string{"READY": ready, "STATUS": status}
	}
	for _, c := range []struct {
		name, version, body string
		partial, undefined  bool
		want                map[string]string
	}{
		{name: "ready", version: "v1",
			body: `"status":{"phase":"Up","conditions":[{"type":"Synced","status":"False"},{"type":"Ready","status":"True"}]}`,
			want: both("True", "Up")},
		{name: "of which nothing is known yet", version: "v1", body: `"spec":{}`, want: map[string]string{}},
		{name: "with numbers", version: "v2", body: `"spec":{"(not recorded)":["x"]},"status":{"ready":2}`,
			want: both("2", states.Unknown)},
		{name: "of another type", version: "v2", body: `"(not recorded)":[],"status":{"ready":"two"}`,
			want: map[string]string{"STATUS": states.Unknown}},
		{name: "not there, and looked for", version: "v2", body: `"spec":{"(not recorded)":["data"]},"status":{"ready":2}`,
			want: map[string]string{"READY": "2"}},
		{name: "cleaned", version: "v1", body: `"status":{"phase":"` + snapshot.Removed + `"}`,
			want: map[string]string{"STATUS": states.Unknown}},
		{name: "metadata", version: "v1", partial: true, want: both(states.Unknown, states.Unknown)},
		{name: "metadata that says it", version: "v4", partial: true, want: both("soon", states.Unknown)},
		{name: "without columns", version: "v3", body: `"status":{"phase":"Up"}`},
		{name: "truth", version: "v4", body: `"status":{"up":true}`, want: both("soon", "true")},
		{name: "a path that can't be read", version: "v5", body: `"status":{"since":"2026-01-01T10:00:00Z"}`},
		{name: "a path that would take for ever", version: "v6", body: `"status":{"phase":"Up","a":` +
			strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100) + "}", want: both(states.Unknown, "Up")},
		{name: "paths that double each result", version: "v7", body: `"status":{"a":` +
			strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100) + "}", want: both(states.Unknown, states.Unknown)},
		{name: "undefined", version: "v1", undefined: true, body: `"status":{"phase":"Up"}`,
			want: both(states.Unknown, states.Unknown)},
		{name: "undefined version", version: "v9", body: `"status":{"phase":"Up"}`,
			want: both(states.Unknown, states.Unknown)},
	} {
		t.Run(c.name, func(t *testing.T) {
			gateways := cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Group: "net.example.com",
				Version: c.version, Resource: "gateways"}, Kind: "Gateway", Namespaced: true}
			builder := snapshot.NewBuilder("a test")
			add := builder.Whole
			if c.partial {
				add = builder.Metadata
			}
			body := `{"apiVersion":"net.example.com/` + c.version +
				`","kind":"Gateway","metadata":{"name":"main","namespace":"shop","labels":{"ready":"soon"}}`
			if c.body != "" {
				body += "," + c.body
			}
			err := add(gateways, "shop", "main", snapshot.Alone([]byte(body+"}")))
			if !c.undefined {
				err = errors.Join(err, builder.Whole(cluster.CustomResourceDefinitions(), "", "gateways.net.example.com",
					snapshot.Alone([]byte(gatewayDefinition))))
			}
			if err != nil {
				t.Fatal(err)
			}
			recording, err := builder.Finish(time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC),
				&cluster.ServedKinds{Resources: []cluster.Resource{gateways}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"", "main"} {
				rows, err := states.Printer{Reader: recording}.Rows(t.Context(), gateways, "shop", name)
				var got map[string]string
				if len(rows) > 0 {
					got = rows[0].Cells
				}
				if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
					t.Errorf("asked for %q: %v, -want +got:\n%s", name, err, diff)
				}
			}
		})
	}
}
