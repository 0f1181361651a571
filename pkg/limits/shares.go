package limits

import (
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// share is the part of all objects of a kind that a program acts on: the ones with one of its values in a label or an
// annotation of these words. A tenant may also be in the spec, or in a label of the object's namespace.
type share struct {
	words  string
	values []string
	home   string // the program's own namespace
}

// listed are what the items of a setting are separated by.
func listed(r rune) bool { return strings.ContainsRune(`,; "'[]`, r) }

// tenants reports whether a share is that of a tenant.
func (s *share) tenants() bool { return s != nil && naming.OwnersShare(s.words) }

// excludes reports whether an object says that it belongs to another share. One that says nothing is anyone's, unless
// the program's namespace is named after its tenant, so that namespaces are the tenants', and the object's is not.
func (s *share) excludes(
	namespace string, meta *metav1.PartialObjectMetadata, around Surroundings,
) bool {
	if meta == nil || slices.Contains(s.values, "*") || slices.Contains(s.values, "all") {
		return false
	}
	places := []map[string]string{meta.Labels, meta.Annotations}
	if s.tenants() {
		both := maps.Clone(meta.Labels) // either may say it, and one of them is enough
		if both == nil {
			both = map[string]string{}
		}
		maps.Copy(both, meta.Annotations)
		places = []map[string]string{both, around.Fields, around.Labels}
	}
	excluded := false
	for _, texts := range places {
		own, said := s.in(texts)
		switch {
		case own:
			return false
		case said && s.tenants():
			return true
		}
		excluded = excluded || said
	}
	if excluded || !s.tenants() || namespace == "" {
		return excluded
	}
	return naming.Mentions(s.home, s.values...) && !naming.Mentions(namespace, s.values...)
}

// in reports whether texts say a share, and whether that is the program's own.
func (s *share) in(texts map[string]string) (own, said bool) {
	for key, text := range texts {
		if naming.SaysShare(key, s.words) && text != "" {
			own, said = own || slices.Contains(s.values, text), true
		}
	}
	return own, said
}
