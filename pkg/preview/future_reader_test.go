package preview_test

import (
	"strings"
	"testing"
)

// TestNothingIsSaidAfterADeletionToCome quotes a controller on an object that was not deleted: the answer doesn't say
// how a statement relates to a deletion, neither for one about this generation nor for one without any.
func TestNothingIsSaidAfterADeletionToCome(t *testing.T) {
	for _, seen := range []string{"observedGeneration: 3, ", ""} {
		words := "status: {" + seen + "conditions: [{type: Ready, status: 'False', reason: Failed, " +
			"message: 'the bucket is not empty'}]}"
		c := previewCase{target: "databases.shop.example.com/orders", objects: append(running(),
			object("shop.example.com/v1", "Database", "orders", cleanup+", generation: 3", words))}
		preview, err := c.ask(t, c.memory(t))
		if err != nil {
			t.Fatal(err)
		}
		if text := human(t, preview); strings.Contains(text, "after the deletion") {
			t.Errorf("with %q:\n%s", seen, text)
		}
	}
}
