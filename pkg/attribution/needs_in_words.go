package attribution

import (
	"context"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// needsInWords are the objects that words name right behind a word for their kind. A word of prose is no name: nothing
// is called "policy" because a bucket policy was not found.
func needsInWords(h *held, words string, kinds map[string][]cluster.Resource) (all []need) {
	statement := statuses.Statement{Words: inOneWord(words)}
	for _, reference := range statement.Named(func(word string) bool { return len(kinds[word]) > 0 }) {
		certain := statement.SureOf(reference)
		if !reference.Near || certain == statuses.MayBeName {
			continue
		}
		reference.Path = ""
		one := need{Need: statuses.Need{Reference: reference}, said: true, sure: certain == statuses.IsName}
		all = withNeed(h, all, one, kinds)
	}
	return all
}

// awaitedNeeds are what the controller has said since the deletion that it waits for, or needs. What it only waits for
// may have to go.
func awaitedNeeds(ctx context.Context, h *held) (all []need) {
	for _, said := range sayings(h.search, h.object) {
		named, needed := statuses.Awaited(said.Words)
		if named == "" || !said.Seen || h.voices().byOthers(said) {
			continue
		}
		for _, one := range needsInWords(h, named, h.search.session.ServedKinds(ctx).ByWord()) {
			one.only, one.says = !needed, &said
			all = append(all, one)
		}
	}
	return all
}

// inOneWord writes the kinds of Kubernetes' own that people write in several words as they are called.
func inOneWord(words string) string {
	return strings.NewReplacer(
		"config map", "configmap", "Config map", "ConfigMap", "Config Map", "ConfigMap", "service account", "serviceaccount",
		"Service account", "ServiceAccount", "Service Account", "ServiceAccount",
	).Replace(words)
}
