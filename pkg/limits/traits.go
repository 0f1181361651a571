package limits

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// trait is what may tell one instance of a program from others by a setting of any name: --engine=mysql. By itself it
// limits nothing: the program may act on all objects, and be told about one of its parts.
type trait struct{ word, value string }

// ByTrait reports whether a limit is about a trait.
func (l Limit) ByTrait() bool { return l.trait != nil }

// ToldApart reports whether some of the programs with these limits have a trait's setting with another value.
func (l Limit) ToldApart(all []Limit) bool {
	return slices.ContainsFunc(all, func(other Limit) bool {
		return l.trait != nil && other.trait != nil && other.trait.word == l.trait.word && other.trait.value != l.trait.value
	})
}

// LeftToAnother reports whether an object has the trait of another program than the one with this limit: in its spec,
// a label, an annotation, or, where none of these says one, its namespace. An object that has none of their traits may
// be anyone's.
func (l Limit) LeftToAnother(
	all []Limit, namespace string, meta *metav1.PartialObjectMetadata, around Surroundings,
) bool {
	return !l.trait.of(namespace, meta, around) && slices.ContainsFunc(all, func(other Limit) bool {
		return other.trait != nil && other.trait.word == l.trait.word && other.trait.of(namespace, meta, around)
	})
}

func (t *trait) of(namespace string, meta *metav1.PartialObjectMetadata, around Surroundings) bool {
	places := []map[string]string{around.Fields}
	if meta != nil {
		places = append(places, meta.Labels, meta.Annotations)
	}
	said := false
	for _, texts := range places {
		for key, value := range texts {
			switch {
			case !naming.SaysTrait(key, t.word):
			case value == t.value:
				return true
			default:
				said = true
			}
		}
	}
	return !said && t.value == namespace
}
