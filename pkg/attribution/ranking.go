package attribution

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// candidate ranks a ServiceAccount: by its rights first, then by whatever else points at it. Names come
// last, and prove nothing.
func (s *search) candidate(ctx context.Context, access *controller.Access) *candidate {
	found := &candidate{account: access.Subject, access: access, namespace: access.Namespace, score: 4 * access.Specific()}
	hint := func(weight int, why string) {
		found.score += weight
		found.hints = append(found.hints, why)
	}
	for _, manager := range s.managers {
		if manager == access.Name || controller.Mentions(manager, access.Name) || controller.Mentions(access.Name, manager) {
			hint(8, "goes by the name of the field manager "+manager)
		}
	}
	if s.known != nil && matchesAny(s.known.Namespaces, access.Namespace) {
		hint(6, "stands where "+s.known.RemovedBy+" is usually installed")
	}
	if of := s.serviceOfGroup(ctx, access.Namespace); of != "" {
		hint(6, "stands in the namespace of "+of)
	}
	if len(access.Elsewhere) > 0 {
		hint(4, "may change the kind in "+facts.Some(access.Elsewhere, 3))
	}
	if controller.NamedAfter(access.Namespace, access.Name, s.projectWords()...) {
		hint(2, "goes by the name of the "+s.itself())
	}
	if controller.LooksLikeOperator(access.Name) || controller.LooksLikeOperator(access.Namespace) {
		hint(1, "has the name of an operator")
	}
	return found
}

// itself is what names are compared with.
func (s *search) itself() string {
	if s.foreign() {
		return "project"
	}
	return "API group"
}

// serviceOfGroup names the webhook of the object's API group whose Service stands in a namespace.
func (s *search) serviceOfGroup(ctx context.Context, namespace string) string {
	for _, hook := range s.AdmissionRules(ctx).Hooks {
		of, inCluster := refusal.HookService(hook.Hook.Client)
		if inCluster && of.Namespace == namespace && s.ofProject(hook) {
			return refusal.DescribeHook(hook) + " of the same " + s.itself()
		}
	}
	return ""
}

// concernsGroup tells whether a webhook is made for an API group and no other.
func concernsGroup(hook refusal.RegisteredHook, group string) bool {
	return len(hook.Hook.Rules) > 0 && !slices.ContainsFunc(hook.Hook.Rules, func(rule admissionregistrationv1.RuleWithOperations) bool {
		return !slices.Equal(rule.APIGroups, []string{group})
	})
}

func (s *search) sayWho(resource string) {
	say := func(observed string) {
		s.evidence = append(s.evidence, graph.Evidence{Source: "RBAC", Observed: observed})
	}
	for _, one := range s.writers[:min(len(s.writers), mostCandidates)] {
		say(fmt.Sprintf("%s may update %s (%s)%s", one.account, resource, facts.Some(one.access.Via, 2), parenthesized(one.hints)))
	}
	if more := len(s.writers) - mostCandidates; more > 0 {
		say(fmt.Sprintf("%d more ServiceAccounts may update %s", more, resource))
	}
	if len(s.outside) > 0 {
		say(fmt.Sprintf("%s may update %s, from outside the cluster if they run a controller", facts.Some(s.outside, 3), resource))
	}
	if s.everyone != "" {
		say(fmt.Sprintf("%s, %s, may update %s", s.everyone, s.programs, resource))
	}
	if len(s.writers) > 0 || s.everyone != "" {
		return
	}
	s.nobody = fmt.Sprintf("RBAC lets nobody but administrators update %s", resource)
	switch {
	case len(s.outside) > 0:
		s.nobody = fmt.Sprintf("RBAC lets no ServiceAccount update %s", resource)
	case len(s.ordinary) > 0:
		s.nobody = fmt.Sprintf("nobody has rights on %s of their own; %s may update everything", resource, facts.Some(accounts(s.ordinary), 3))
	}
	say(strings.TrimPrefix(s.nobody, "RBAC "))
	for _, one := range s.lesser[:min(len(s.lesser), mostCandidates)] {
		say(fmt.Sprintf("%s %s (%s)%s", one.account, one.may(resource), facts.Some(one.access.Via, 2), parenthesized(one.hints)))
	}
}

// may says what somebody may do who may not do enough.
func (c *candidate) may(resource string) string {
	switch {
	case c.access.Write:
		return "may update " + resource + " by RBAC"
	case c.access.Finalizers:
		return "may update " + resource + "/finalizers, which changes no finalizer, and not " + resource
	case c.access.Status:
		return "may update " + resource + "/status, and not " + resource
	case len(c.access.Elsewhere) > 0:
		return "may update " + resource + " in " + facts.Some(c.access.Elsewhere, 3) + ", and not here"
	}
	if c.kin != "" || c.nominal {
		return "has no right to update " + resource
	}
	return "may only read " + resource
}

func accounts(candidates []*candidate) (names []string) {
	for _, one := range candidates {
		names = append(names, one.account.String())
	}
	return names
}

func parenthesized(hints []string) string {
	if len(hints) == 0 {
		return ""
	}
	return "; it " + strings.Join(hints, ", and ")
}

// ref is what a candidate is known by.
func (c *candidate) ref() graph.Ref {
	if c.workload != nil {
		return c.workload.Ref
	}
	return refOf(c.account)
}

// refOf is the object that stands for a subject, or what RBAC calls it.
func refOf(subject controller.Subject) graph.Ref {
	version := rbacv1.SchemeGroupVersion.String()
	if subject.Kind == rbacv1.ServiceAccountKind {
		version = "v1"
	}
	return graph.Ref{APIVersion: version, Kind: subject.Kind, Namespace: subject.Namespace, Name: subject.Name}
}
