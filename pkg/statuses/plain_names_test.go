package statuses

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestPlainNames(t *testing.T) {
	t.Parallel()
	object := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
		"project": "default", "replicas": int64(1), "empty": "", "inside": map[string]any{"project": "other"},
	}}}
	found := PlainNames(object)
	if len(found) != 1 || found[0].Name != "default" || found[0].Path != "spec.project" {
		t.Errorf("found %v", found)
	}
	for _, c := range []struct {
		kind, word string
		want       bool
	}{
		{"AppProject", "project", true}, {"Project", "project", true}, {"AppProject", "ect", false},
		{"Project", "appproject", false}, {"AppProject", "", false}, {"AppProject", "app", false},
	} {
		if KindEndsWith(c.kind, c.word) != c.want {
			t.Errorf("%s ends with %s: want %t", c.kind, c.word, c.want)
		}
	}
}
