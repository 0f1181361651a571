package cli

import (
	"slices"
	"strings"
	"testing"
)

// TestCompletionFromRecording offers what a recording holds, Terminating objects before types.
func TestCompletionFromRecording(t *testing.T) {
	for line, want := range map[string]string{ // the beginning of what is offered, without what is beside it
		"why -n shop ":          "namespaces/payments deployments.apps/web persistentvolumeclaims/data",
		"why -n shop persist":   "persistentvolumeclaims/data persistentvolumeclaims persistentvolumes :36",
		"why -n shop pvc/":      "pvc/data :36",
		"why -n shop pvc d":     "data :36",
		"why -n default pods":   "pods :36",
		"why -A namespa":        "namespaces/payments namespaces :36",
		"why -n pay":            "payments :36",
		"remove -n shop none":   ":36",
		"explain --kind Persis": "PersistentVolume PersistentVolumeClaim :4",
	} {
		words := strings.Split(line, " ")
		args := append([]string{"__complete", words[0], "--snapshot", demoRecording}, words[1:]...)
		out, errOut := run(t, args...)
		var offered []string
		for said := range strings.Lines(out) {
			word, _, _ := strings.Cut(strings.TrimSpace(said), "\t")
			offered = append(offered, word)
		}
		wanted := strings.Fields(want)
		if strings.HasSuffix(line, "shop ") { // pods have other names in each recording
			offered = slices.DeleteFunc(offered, func(word string) bool { return strings.Contains(word, "web-") })
			offered = []string{offered[0], offered[1], offered[2]}
			slices.Sort(offered)
			slices.Sort(wanted)
		}
		if !slices.Equal(offered, wanted) || strings.Contains(errOut, "recording") {
			t.Errorf("%s: %q, want %q\n%s", line, offered, wanted, errOut)
		}
	}
}
