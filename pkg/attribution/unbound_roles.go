package attribution

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// unbound are the roles that would let an account remove the finalizer, by rules about this resource or its group, and
// that nothing binds: KIND NAMESPACE/NAME. For a kind of Kubernetes' own, these show nothing. It reads nothing: if RBAC
// was not read, there are none.
func (s *search) unbound() []string {
	grants := s.finder.Grants()
	if grants == nil || s.criteria.kindOfKubernetes() {
		return nil
	}
	return grants.Unbound(s.criteria.resource.GroupResource(), s.criteria.namespace)
}

// lostRole returns the unbound role with the name of a candidate's workload or ServiceAccount: the whole name, or, for
// an operator, the words that say whose it is. It is empty where none does.
func (c *candidate) lostRole(unbound []string) string {
	operates := naming.LooksLikeOperator(c.name()) || naming.LooksLikeOperator(c.account.Name)
	best := ""
	for _, role := range unbound {
		bare := role[strings.LastIndexAny(role, " /")+1:]
		for _, name := range []string{c.name(), c.account.Name} {
			switch {
			case name == "" || naming.Generic(name):
			case name == bare:
				return role
			case operates && best == "" &&
				(naming.Mentions(bare, name) || slices.Equal(ownWords(bare), ownWords(name))):
				best = role
			}
		}
	}
	return best
}

// ownWords are the words of a name but for the ones that say only what something is: acme of acme-manager-role.
func ownWords(name string) []string {
	return slices.DeleteFunc(naming.NameWords(name), func(word string) bool {
		return naming.Generic(word) || word == "role"
	})
}

// observeUnbound says of roles that nothing binds what they would grant.
func observeUnbound(s *search, resource string) {
	roles := s.unbound()
	for _, role := range roles[:min(len(roles), mostCandidates)] {
		s.note("RBAC", role+" allows updates of "+resource+" but has no binding")
	}
}

// roleFor is the unbound role to bind to a candidate: that of its name, or the only one, where it has rights by none.
func (c *candidate) roleFor(unbound []string) string {
	lost := c.lostRole(unbound)
	if lost == "" && len(unbound) == 1 && c.role == "" && (c.access == nil || c.access.Role == "") {
		return unbound[0]
	}
	return lost
}

// bindAgain is how to give a candidate the rights of a role again that nothing binds.
func bindAgain(search search, object *session.Object, c *candidate, role string, partial bool) finding.Remedy {
	ref := roleRef(role)
	name := ref.Name
	if name != c.account.Name {
		name = c.account.Name + "-" + name
	}
	kind := strings.ToLower(ref.Kind)
	command := search.session.Kubectl.Prefix(finding.Ref{Namespace: ref.Namespace}, "create", kind+"binding", name,
		"--"+kind+"="+ref.Name, "--serviceaccount="+c.account.Namespace+":"+c.account.Name)
	return finding.Remedy{
		Step: "BindRoleAgain", Command: command, Risk: finding.NoRisk,
		Details: finding.StepDetails{
			Object: c.accountRef(), Other: &ref, Name: object.Resource.QualifiedName(), Partial: partial,
		},
	}
}
