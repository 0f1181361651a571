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
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// runner is a workload and what its pods are made of.
type runner struct {
	object   *facts.Object
	template corev1.PodTemplateSpec
}

// namesakes returns the workloads that go by the project's name, the best first. Operators are Deployments; others
// are looked at only where something says whom to look for.
func (s *search) namesakes(ctx context.Context, leases []leaseItem) (found []*candidate, read bool) {
	deployments, err := facts.ListServed[appsv1.Deployment](ctx, s.World, "apps", "deployments", "", cluster.Selector{})
	if err != nil {
		return nil, s.cannot("Deployments", err)
	}
	for _, one := range deployments {
		found = s.consider(found, runner{one.Object, one.Typed.Spec.Template}, leases)
	}
	looked := "Deployments"
	if len(found) == 0 && s.traced() {
		looked = "Deployments, StatefulSets and DaemonSets"
		sets, err := facts.ListServed[appsv1.StatefulSet](ctx, s.World, "apps", "statefulsets", "", cluster.Selector{})
		if err != nil {
			return nil, s.cannot("StatefulSets", err)
		}
		for _, one := range sets {
			found = s.consider(found, runner{one.Object, one.Typed.Spec.Template}, leases)
		}
		daemons, err := facts.ListServed[appsv1.DaemonSet](ctx, s.World, "apps", "daemonsets", "", cluster.Selector{})
		if err != nil {
			return nil, s.cannot("DaemonSets", err)
		}
		for _, one := range daemons {
			found = s.consider(found, runner{one.Object, one.Typed.Spec.Template}, leases)
		}
	}
	slices.SortStableFunc(found, func(a, b *candidate) int { return cmp.Compare(b.score, a.score) })
	if len(found) == 0 {
		s.evidence = append(s.evidence, graph.Evidence{Source: looked, Observed: "none goes by the name of " + cmp.Or(s.group(), facts.Some(s.words(), mostNamed)) + ", or is told of it as more than a host"})
	}
	return found, true
}

// traced tells whether something besides the API group's name leads to a workload: a program that wrote the
// finalizer, a Lease, an installation, something that answers for the group.
func (s *search) traced() bool {
	return s.leased || s.lapsed || s.came != (installation{}) || slices.ContainsFunc(s.endpoints, func(one endpoint) bool { return one.selector != nil }) || s.written
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
	hint := func(holds bool, weight int, why string) {
		if holds {
			c.score += weight
			c.hints = append(c.hints, why)
		}
	}
	setBy := slices.Contains(s.managers, name)
	hint(setBy, 4, "has the name of the field manager that set the finalizer")
	mentions, weight := s.mentioned(one.template)
	hint(mentions != "", weight, "mentions "+mentions)
	hint(s.came.release != "" && one.object.Meta.Annotations["meta.helm.sh/release-name"] == s.came.release && c.namespace == s.came.namespace, 3, "belongs to the same Helm release")
	hint(slices.ContainsFunc(leases, func(lease leaseItem) bool {
		return lease.Object.Ref.Namespace == c.namespace && strings.HasPrefix(holderOf(lease.Typed), name+"-") && s.namesProject(lease)
	}), 3, "holds a Lease of that name")
	hint(controller.NamedAfter(c.namespace, name, s.words()...) && (controller.LooksLikeOperator(name) || controller.LooksLikeOperator(c.namespace)), 3, "goes by the name of the project, and of an operator")
	own, beside := s.answers(c.namespace, one.template.Labels)
	hint(own != "", 4, "answers "+own)
	hint(beside != "", 1, "stands beside what answers "+beside)
	if c.score < 3 {
		return nil
	}
	c.evidence = append(c.evidence, refusal.ObservedOf(one.object, strings.Join(c.hints, ", and ")))
	return c
}
