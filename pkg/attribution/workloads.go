package attribution

import (
	"cmp"
	"context"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// runner is a workload and what its pods are made of.
type runner struct {
	object   *session.Object
	template corev1.PodTemplateSpec
}

// workloadsByName returns the workloads that go by the project's name, the best first. Operators are Deployments;
// others are looked at only where something says whom to look for.
func (s *search) workloadsByName(ctx context.Context, leases []leaseItem) (found []*candidate, read bool) {
	every := cluster.Selector{}
	deployments, err := session.ListServed[appsv1.Deployment](ctx, s.session, "apps", "deployments", "", every)
	if err != nil {
		return nil, s.cannot(finding.Unread{Kinds: []string{"Deployments"}}, err)
	}
	for _, one := range deployments {
		found = s.consider(found, runner{one.Object, one.Typed.Spec.Template}, leases)
	}
	looked := "Deployments"
	if len(found) == 0 && s.traced() {
		looked = "Deployments, StatefulSets and DaemonSets"
		sets, err := session.ListServed[appsv1.StatefulSet](ctx, s.session, "apps", "statefulsets", "", every)
		if err != nil {
			return nil, s.cannot(finding.Unread{Kinds: []string{"StatefulSets"}}, err)
		}
		for _, one := range sets {
			found = s.consider(found, runner{one.Object, one.Typed.Spec.Template}, leases)
		}
		daemons, err := session.ListServed[appsv1.DaemonSet](ctx, s.session, "apps", "daemonsets", "", every)
		if err != nil {
			return nil, s.cannot(finding.Unread{Kinds: []string{"DaemonSets"}}, err)
		}
		for _, one := range daemons {
			found = s.consider(found, runner{one.Object, one.Typed.Spec.Template}, leases)
		}
	}
	slices.SortStableFunc(found, func(a, b *candidate) int { return cmp.Compare(b.score, a.score) })
	if len(found) == 0 {
		name := cmp.Or(s.group(), finding.Some(s.words(), mostNamed))
		s.evidence = append(s.evidence, finding.Evidence{
			Source: looked, Observed: "none goes by the name of " + name + ", or is told of it as more than a host",
		})
	}
	return found, true
}

// traced tells whether something besides the API group's name leads to a workload: a program that wrote the
// finalizer, a Lease, an installation, something that answers for the group.
func (s *search) traced() bool {
	answered := slices.ContainsFunc(s.endpoints, func(one endpoint) bool { return one.selector != nil })
	return s.liveLease || s.oldLease || s.installed != (installation{}) || answered || s.written
}

func (s *search) consider(found []*candidate, one runner, leases []leaseItem) []*candidate {
	if c := s.workloadCandidate(one, leases); c != nil {
		return append(found, c)
	}
	return found
}

// workloadCandidate judges whether a workload may be the controller. One name in common is not enough:
// a project has other programs too.
func (s *search) workloadCandidate(one runner, leases []leaseItem) *candidate {
	name, account := one.object.Ref.Name, one.template.Spec.ServiceAccountName
	c := &candidate{workload: one.object, namespace: one.object.Ref.Namespace}
	if account != "" {
		c.account = controller.Subject{Kind: "ServiceAccount", Namespace: c.namespace, Name: account}
	}
	if slices.Contains(s.managers, name) {
		c.clue(4, finding.Phrase{Situation: "SetTheFinalizer"})
	}
	if mentions, weight := s.mentioned(one.template); mentions != "" {
		c.clue(weight, finding.Phrase{Situation: "MentionsName", Details: finding.Clue{Name: mentions}})
	}
	release := one.object.Meta.Annotations["meta.helm.sh/release-name"]
	if release != "" && release == s.installed.release && c.namespace == s.installed.namespace {
		c.clue(3, finding.Phrase{Situation: "OfSameRelease"})
	}
	if slices.ContainsFunc(leases, func(lease leaseItem) bool {
		holds := strings.HasPrefix(holderOf(lease.Typed), name+"-")
		return holds && lease.Object.Ref.Namespace == c.namespace && s.namesProject(lease)
	}) {
		c.clue(3, finding.Phrase{Situation: "HoldsLease"})
	}
	operates := controller.LooksLikeOperator(name) || controller.LooksLikeOperator(c.namespace)
	if operates && controller.NamedAfter(c.namespace, name, s.words()...) {
		c.clue(3, finding.Phrase{Situation: "NamedAsProjectsOperator"})
	}
	if own, beside := s.answers(c.namespace, one.template.Labels); own != nil {
		c.clue(4, finding.Phrase{Situation: "AnswersFor", Details: finding.Clue{Rights: own}})
	} else if beside != nil {
		c.clue(1, finding.Phrase{Situation: "BesideAnswering", Details: finding.Clue{Rights: beside}})
	}
	if c.score < 3 {
		return nil
	}
	c.evidence = append(c.evidence, session.ObservedOf(one.object, strings.Join(s.voice().Phrases(c.clues), ", and ")))
	return c
}
