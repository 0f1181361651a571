package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// mostMeant is how many objects are looked at that one text names.
const mostMeant = 3

// NamedInWords returns the objects that exist and that words name right behind a word for their kind: beside an object,
// or in the namespace that they name. unread are the ones that could not be read.
func (s *Session) NamedInWords(
	ctx context.Context, object *Object, words string,
) (found []*Object, unread []finding.Unread) {
	for _, named := range meantByWords(s.ServedKinds(ctx), object, words) {
		one, err := s.Read(ctx, named.Resource, named.Ref.Namespace, named.Ref.Name)
		if err != nil && !apierrors.IsNotFound(err) {
			unread = append(unread, finding.UnreadObject(named.Ref).Because(err))
		}
		same := func(other *Object) bool { return other.Ref == one.Ref }
		if err == nil && one.Ref.UID != object.Ref.UID && !slices.ContainsFunc(found, same) {
			found = append(found, one)
		}
	}
	return found, unread
}

// meantByWords returns what words may name, whether it exists or not; it is no Secret, and not the object's namespace.
func meantByWords(served *cluster.ServedKinds, object *Object, words string) (named []*Object) {
	kinds := served.ByWord()
	statement := statuses.Statement{Words: words}
	for _, reference := range statement.Named(func(word string) bool { return len(kinds[word]) > 0 }) {
		if !reference.Near || len(validation.IsDNS1123Subdomain(reference.Name)) > 0 {
			continue
		}
		word := strings.ToLower(reference.Kinds[0])
		if reference.Group != "" {
			word += "." + reference.Group
		}
		for _, resource := range cluster.Closest(kinds[word], object.Resource.Group) {
			namespace := cmp.Or(reference.Namespace, object.Ref.Namespace)
			if !resource.Namespaced {
				namespace = ""
			}
			own := resource.Group == "" && resource.Kind == "Namespace" && reference.Name == object.Ref.Namespace
			secret := resource.Group == "" && resource.Resource == "secrets"
			if own || secret || resource.Namespaced && namespace == "" || len(named) == mostMeant {
				continue
			}
			named = append(named, Named(resource, namespace, reference.Name))
		}
	}
	return named
}
