package preview_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestSameSaidOfKindsIsSaidOnce says once of a finalizer on two kinds what removes it, and of each kind by itself how
// many of its objects may hang.
func TestSameSaidOfKindsIsSaidOnce(t *testing.T) {
	const begun = "deletionTimestamp: '2026-01-02T11:59:50Z', finalizers: "
	for finalizers, want := range map[string][]string{
		"[foregroundDeletion]": {"- foregroundDeletion on configmaps (1 object) and secrets (1 object): "},
		"[example.com/hold]": {
			"- example.com/hold on configmaps (1 object, which may hang).",
			"- example.com/hold on secrets (1 object, which may hang).",
		},
	} {
		leaf := ownedBy(true, below) + ", " + begun + finalizers
		shown := previewCase{
			objects: []string{manager(), configMap("top", ""), configMap("leaf", leaf), secret("mid", leaf)},
			cascade: metav1.DeletePropagationForeground,
		}.several(t, []string{"configmaps/top"})
		text := human(t, shown[0])
		for _, says := range want {
			if !strings.Contains(text, says) {
				t.Errorf("it doesn't say %q:\n%s", says, text)
			}
		}
		name, times := strings.Trim(finalizers, "[]"), 0
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "  - "+name+" on ") {
				times++
			}
		}
		if times != len(want) {
			t.Errorf("%s is in %d items:\n%s", name, times, text)
		}
	}
}
