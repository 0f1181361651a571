package attribution

import (
	"context"
	"slices"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// bareness is what RBAC leaves an account that may not even read the held object's kind.
type bareness string

const (
	notBare    bareness = ""           // it has rights on other custom resources: it is another project's
	boundNot   bareness = "boundNot"   // no role is bound to it
	noneCustom bareness = "noneCustom" // its roles are about kinds of Kubernetes' own alone, such as Leases
	otherKinds bareness = "otherKinds" // its roles are about other kinds of the same API group
)

// bare says whether a candidate's account looks like one that has lost its rights, or never had them: an operator of
// custom resources that may use none of them has nothing to operate, and one of this API group lacks only this kind. It
// reads nothing: where RBAC was not read, no account is, and neither is one of a workload that is younger than what was
// read.
func (s *search) bare(of *candidate) bareness {
	grants := s.finder.Grants()
	reads := func(c *candidate) bool { return c.account == of.account } // the kind, or more: that is said of it already
	if grants == nil || s.criteria.kindOfKubernetes() || slices.ContainsFunc(s.subjects.limited, reads) ||
		of.youngerThan(grants.Read) {
		return notBare
	}
	groups, bound := grants.GroupsOf(of.account)
	custom := slices.DeleteFunc(groups, cluster.ServedByKubernetes)
	switch {
	case !bound:
		return boundNot
	case len(custom) == 0:
		return noneCustom
	case slices.Contains(custom, s.criteria.resource.Group) && !slices.Contains(custom, rbacv1.APIGroupAll):
		return otherKinds
	}
	return notBare
}

// youngerThan reports whether a candidate's workload may have been created after a time. Kubernetes' times are whole
// seconds.
func (c *candidate) youngerThan(at time.Time) bool {
	return c.workload != nil && c.workload.Meta != nil && !at.IsZero() &&
		!c.workload.Meta.CreationTimestamp.Time.Before(at.Truncate(time.Second))
}

// dutyElsewhere returns operatesOthers of a candidate with the setter's name.
func dutyElsewhere(s *search, c *candidate) (groups []string) {
	if !c.signs.HasAny(signs.BySetter) {
		return nil
	}
	return operatesOthers(s, c)
}

// operatesOthers returns the API groups of custom resources that a candidate's account has rights on, if it has none on
// the held object's kind and no group among them has the owner of the kind or of the finalizer: a program that operates
// what others made has only its name in common with the controller. It reads nothing.
func operatesOthers(s *search, c *candidate) (groups []string) {
	grants := s.finder.Grants()
	if grants == nil || c.access != nil || s.criteria.kindOfKubernetes() {
		return nil
	}
	groups, _ = grants.GroupsOf(c.account)
	groups = slices.DeleteFunc(groups, cluster.ServedByKubernetes)
	for _, owner := range []string{naming.Domain(s.criteria.finalizer), s.criteria.resource.Group} {
		if _, relation := naming.ClosestGroups(owner, groups); relation != naming.Unrelated ||
			slices.Contains(groups, owner) || slices.Contains(groups, rbacv1.APIGroupAll) {
			return nil
		}
	}
	return groups
}

// observeDuty adds to the evidence that what has the setter's name operates other kinds.
func observeDuty(s *search, c *candidate) {
	if groups := dutyElsewhere(s, c); len(groups) > 0 {
		s.evidence = append(s.evidence, finding.Observed(c.ref().String(),
			"has the name of what set the finalizer, but its roles are about other projects: %s", finding.Some(groups, 2)))
	}
}

// granted reports whether RBAC lets an account change the held object. It reads nothing: what was not read grants
// nothing.
func granted(h *held, account rbac.Subject) bool {
	grants := h.search.finder.Grants()
	if grants == nil {
		return false
	}
	all := grants.Access(h.object.Resource.GroupResource(), h.object.Ref.Namespace)
	return slices.ContainsFunc(all, func(access *rbac.Access) bool {
		return access.Subject == account && (access.Write || access.Ordinary.Write)
	})
}

// unentitled reports whether RBAC was read and does not let a candidate's account change the held object, and no other
// authorizer is known to. On Kubernetes' own kinds, roles that are not read may let it.
func unentitled(h *held, c *candidate) bool {
	grants := h.search.finder.Grants()
	return grants != nil && c.account.Account() && !c.allowed && !h.search.criteria.kindOfKubernetes() &&
		!lets(grants, removalBy(c.sender(), h.object))
}

// onlyVerb is the one of the two verbs that a removal may be sent with, update and patch, that RBAC lets a candidate's
// account use on the held object; empty if it lets it use both or none, or more than RBAC may let it.
func onlyVerb(h *held, c *candidate) string {
	grants := h.search.finder.Grants()
	if grants == nil || !c.account.Account() || c.allowed || h.search.criteria.kindOfKubernetes() {
		return ""
	}
	if verbs := letting(grants, removalBy(c.sender(), h.object)); len(verbs) == 1 {
		return verbs[0]
	}
	return ""
}

// removalBy is what an account does that removes a finalizer from an object, by one verb or the other.
func removalBy(account rbac.Subject, object *session.Object) rbac.Denial {
	return rbac.Denial{
		Subject: account, Resource: object.Resource.GroupResource(), Namespace: object.Ref.Namespace, Name: object.Ref.Name,
	}
}

// lets reports whether RBAC allows a removal by one of its verbs.
func lets(grants *rbac.Grants, removal rbac.Denial) bool {
	return len(letting(grants, removal)) > 0
}

// letting are the verbs by which RBAC allows a removal.
func letting(grants *rbac.Grants, removal rbac.Denial) []string {
	return slices.DeleteFunc([]string{"update", "patch"}, func(verb string) bool {
		removal.Verb = verb
		return !grants.Allows(removal)
	})
}

// namedForKind reports whether a workload has the name of an operator of the held object's kind.
func (t terms) namedForKind(c *candidate) bool {
	if t.byDomain || t.forOtherDuty(c) {
		return false
	}
	name := c.name()
	words := slices.DeleteFunc(t.ofKind(), naming.Vague)
	return naming.NamedAfter(c.namespace, name, words...) && naming.LooksLikeOperator(name)
}

// lostRights reports whether a candidate that no rights lead to is probably the controller all the same: it is bare,
// and named as an operator of the kind, or as that of its whole project. Nothing else may be known of the controller: a
// program that set the finalizer under another name is another one.
func (s *search) lostRights(c *candidate) bool {
	if len(s.criteria.managers) > 0 || c.led != "" || len(s.gone) > 0 || s.terms().forOtherDuty(c) ||
		!naming.LooksLikeOperator(c.name()) {
		return false
	}
	switch s.bare(c) {
	case notBare:
		return false
	case otherKinds: // of several operators of a group, the one that is named after nothing but the project has all
		own := func(word string) bool { return slices.Contains(s.terms().all(), word) }
		rest := slices.DeleteFunc(ownWords(c.name()), own)
		return c.signs.Has(signs.NamedAsKindsOperator) || len(rest) == 0 && c.signs.Has(signs.NamedAsProjectsOperator)
	}
	return c.signs.Has(signs.NamedAsKindsOperator, signs.NamedAsProjectsOperator)
}

// observeBare adds to a candidate's evidence that its account lacks what it needs.
func (s *search) observeBare(c *candidate) {
	text := c.account.String()
	observed := map[bareness]string{
		boundNot:   "no role is bound to " + text,
		noneCustom: "the roles of " + text + " grant nothing on custom resources",
		otherKinds: "the roles of " + text + " grant nothing on " + s.criteria.resource.QualifiedName(),
	}[s.bare(c)]
	if lost, is := s.finder.roleless(c, s.criteria.namespace); is {
		c.evidence = append(c.evidence, finding.Observed(lost.Binding, "%s does not exist", lost.Role))
	} else if observed != "" {
		c.evidence = append(c.evidence, finding.Observed("RBAC", "%s", observed))
	}
}

// roleless is the first binding that would give a candidate rights in a namespace, if its role existed. It reads
// nothing.
func (f *Finder) roleless(c *candidate, namespace string) (lost rbac.Roleless, is bool) {
	grants := f.Grants()
	if grants == nil {
		return lost, false
	}
	all := grants.Roleless(c.account, namespace)
	return append(all, lost)[0], len(all) > 0
}

// LacksRights reports whether RBAC lets a ServiceAccount update an object in no way, as far as it can be read.
func LacksRights(ctx context.Context, f *Finder, object *session.Object, account finding.Ref) bool {
	grants, err := f.permissions(ctx)
	if err != nil {
		return false
	}
	subject := rbac.Subject{Kind: rbacv1.ServiceAccountKind, Namespace: account.Namespace, Name: account.Name}
	return !lets(grants, removalBy(subject, object))
}
