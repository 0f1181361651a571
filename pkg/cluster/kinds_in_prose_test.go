package cluster

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// TestByWord gives no kind for a word if nothing of it can ever be read: "with binding x" names no Binding.
func TestByWord(t *testing.T) {
	served := &ServedKinds{Resources: []Resource{
		{GroupVersionResource: schema.GroupVersionResource{Resource: "bindings"}, Kind: "Binding", Verbs: []string{"create"}},
		{GroupVersionResource: schema.GroupVersionResource{Resource: "pods"}, Kind: "Pod", Verbs: []string{"get", "list"}},
		{GroupVersionResource: schema.GroupVersionResource{Resource: "nodes"}, Kind: "Node"}, // its verbs are not known
	}}
	words := served.ByWord()
	for word, want := range map[string]int{"binding": 0, "bindings": 0, "pod": 1, "pods": 1, "node": 1} {
		if got := len(words[word]); got != want {
			t.Errorf("%q means %d kinds, want %d", word, got, want)
		}
	}
}
