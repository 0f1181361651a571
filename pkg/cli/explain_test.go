package cli

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestTold wants everything that a plugin can say to be told.
func TestTold(t *testing.T) {
	var full plugins.Finalizer
	fill(reflect.ValueOf(&full).Elem())
	want, got := fieldsOf(t, full), fieldsOf(t, result.Explained(full))
	for _, added := range []string{"project", "file", "doubt"} {
		delete(got, added)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("said and told (-said +told):\n%s", diff)
	}
}

func fill(value reflect.Value) {
	switch value.Kind() {
	case reflect.Struct:
		for i := range value.NumField() {
			fill(value.Field(i))
		}
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(value.Elem())
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 1, 1))
		fill(value.Index(0))
	case reflect.Bool:
		value.SetBool(true)
	default:
		value.SetString("x")
	}
}

func fieldsOf(t *testing.T, value any) map[string]any {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

func TestNearNames(t *testing.T) {
	names := []string{"foregroundDeletion", "kubernetes.io/pvc-protection", "kubernetes.io/pv-protection", "longhorn.io",
		"finalizer.acme.cert-manager.io"}
	for asked, want := range map[string][]string{
		"foregroundDeltion": {"foregroundDeletion"}, "kubernetes.io/pvc-protecton": {"kubernetes.io/pvc-protection"},
		"pvc-protecton": {"kubernetes.io/pvc-protection"},
		"longhorn.io/x": {"longhorn.io"}, "acme.cert-manager.io": {"finalizer.acme.cert-manager.io"},
		"shop.example.com/cleanup": nil,
	} {
		if diff := cmp.Diff(want, nearNames(asked, names)); diff != "" {
			t.Errorf("near %s (-want +got):\n%s", asked, diff)
		}
	}
}
