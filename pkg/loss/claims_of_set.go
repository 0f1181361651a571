package loss

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// setClaims tells by its name whether a claim is one of a StatefulSet's: TEMPLATE-SET-ORDINAL (k8s v1.37
// pkg/controller/statefulset/stateful_set_utils.go:getPersistentVolumeClaimName). Nothing else ties them together where
// the claims have no owner, and nothing at all once the StatefulSet is gone.
type setClaims struct {
	namespace, set string
	longer         []string // other StatefulSets of the namespace: one of a longer name that fits, too, is the right one
}

// ClaimsOfSet says of names of claims whether they are of a StatefulSet, as far as known objects tell.
func ClaimsOfSet(set *session.Object, known []*session.Object) func(namespace, claim string) bool {
	claims := setClaims{namespace: set.Ref.Namespace, set: set.Ref.Name}
	for _, other := range known {
		if other.Is("apps", "StatefulSet") && other.Ref.Namespace == set.Ref.Namespace &&
			len(other.Ref.Name) > len(set.Ref.Name) {
			claims.longer = append(claims.longer, other.Ref.Name)
		}
	}
	return claims.include
}

func (c setClaims) include(namespace, claim string) bool {
	rest := strings.TrimRight(claim, "0123456789")
	isOf := func(set string) bool {
		template, found := strings.CutSuffix(rest, "-"+set+"-")
		return found && template != ""
	}
	return namespace == c.namespace && rest != claim && isOf(c.set) && !slices.ContainsFunc(c.longer, isOf)
}
