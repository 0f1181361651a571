package cluster

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GuessPlural returns what objects of a kind are called as a rule, several and one. It is Kubernetes' own guess, but
// for a y behind a vowel: that one guesses "gatewaies".
func GuessPlural(kind schema.GroupVersionKind) (plural, singular schema.GroupVersionResource) {
	plural, singular = meta.UnsafeGuessKindToResource(kind)
	for _, ending := range []string{"ay", "ey", "oy", "uy"} {
		if strings.HasSuffix(singular.Resource, ending) {
			plural.Resource = singular.Resource + "s"
		}
	}
	return plural, singular
}
