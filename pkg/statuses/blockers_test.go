package statuses

import (
	"reflect"
	"testing"
)

// TestNamedBlockers has fields that list what keeps an object, beside fields that list what else belongs to it.
func TestNamedBlockers(t *testing.T) {
	lock := map[string]any{"apiVersion": "locks.example.org/v1", "kind": "Lock", "name": "nightly"}
	const nightly = "Lock.locks.example.org nightly"
	for name, test := range map[string]struct {
		status map[string]any
		want   []string
	}{
		"a list":       {map[string]any{"blockedBy": []any{lock}}, []string{"blockedBy: " + nightly}},
		"one":          {map[string]any{"blockingResource": lock}, []string{"blockingResource: " + nightly}},
		"further down": {map[string]any{"end": map[string]any{"blockers": []any{lock}}}, []string{"blockers: " + nightly}},
		"texts": {
			map[string]any{"inUseBy": []any{"Lock/a", "Lock/shop/b"}}, []string{"inUseBy: Lock a, Lock shop/b"},
		},
		"its own parts": {
			map[string]any{"relatedObjects": []any{lock}, "managedBy": lock, "resources": []any{"Lock/a"}}, nil,
		},
		"words":   {map[string]any{"blockedBy": "somebody"}, nil},
		"no kind": {map[string]any{"blockedBy": []any{map[string]any{"name": "nightly"}}}, nil},
	} {
		var got []string
		for _, said := range namedBlockers(test.status, statusContext{}) {
			got = append(got, said.Words)
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
