package attribution

import (
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// customWorkloads are the kinds of other projects that may run pods, as an Argo Rollout does: their objects are in
// namespaces, and can be scaled. Whether they have a pod template, the objects show.
func customWorkloads(ctx context.Context, reads *session.Session) []cluster.Resource {
	return slices.DeleteFunc(slices.Clone(reads.ServedKinds(ctx).Resources), func(kind cluster.Resource) bool {
		return !kind.Scales || !kind.Namespaced || cluster.ServedByKubernetes(kind.Group) ||
			!slices.Contains(kind.Verbs, "list")
	})
}

// lesserKinds are the kinds of workloads that few controllers run in.
func lesserKinds(ctx context.Context, reads *session.Session) []cluster.Resource {
	return append(customWorkloads(ctx, reads), cluster.ReplicaSets(), cluster.ReplicationControllers())
}

// findOther looks for what has no pods, and would run them as a candidate's ServiceAccount: a custom workload, a
// ReplicaSet or a ReplicationController. It answers false if one of these can't be read.
func findOther(ctx context.Context, s *search, c *candidate) bool {
	if c.namespaceTerminating || c.namespaceGone {
		return true // nothing can start there
	}
	others, read := (examination{s, c}).programsOf(ctx, lesserKinds(ctx, s.session)...)
	if !read {
		return false
	}
	for _, other := range others {
		if len(other.template.Spec.Containers) == 0 {
			continue // no template of pods
		}
		above, read := above(ctx, s, c, other.workload)
		if !read {
			return false
		}
		if above != nil {
			(examination{s, c}).settleOn(&program{workload: above, name: above.Ref.Name, template: other.template})
			describeOther(s, c)
			return true
		}
	}
	return true
}

// describeOther adds that the catalogue means a candidate's workload, of whatever kind that is: it gives the kinds that
// the project is installed as, and people have others.
func describeOther(s *search, c *candidate) {
	if s.criteria.known == nil || c.workload.Whole == nil {
		return
	}
	var names []string
	for _, kind := range cluster.WorkloadKinds() {
		names = append(names, patterns(s.criteria, kind.Kind)...)
	}
	if clue, fits := described(s.criteria, c.workload.Whole, names); fits {
		c.points(clue, finding.Clue{Name: s.criteria.known.RemovedBy})
	}
}

// above is what runs a workload of a candidate: another one that controls it and can be scaled, or it itself. It is
// nil for one whose owner is gone or no longer runs it. It answers false if that can't be read.
func above(ctx context.Context, s *search, c *candidate, workload *session.Object) (*session.Object, bool) {
	owner := metav1.GetControllerOf(workload.Meta)
	if owner == nil {
		return workload, true
	}
	kind := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).GroupKind()
	resource, served := s.session.ServedKinds(ctx).OfKind(kind)
	deploys := kind == cluster.Deployments().GroupKind()
	if !deploys && (!served || !resource.Scales || !resource.Namespaced) {
		return workload, true
	}
	whole, err := s.session.Reader.Get(ctx, resource, c.namespace, owner.Name)
	switch {
	case err != nil && !apierrors.IsNotFound(err):
		return nil, s.cannot(finding.Unread{Kinds: []string{resource.QualifiedName()}, Namespace: c.namespace}, err)
	case err != nil, whole.GetUID() != owner.UID: // it is left behind, for the garbage collector
		return nil, true
	}
	typed, err := session.As[podRunner](whole)
	if err == nil && len(typed.Spec.Template.Spec.Containers) > 0 && !c.runsAs(accountOf(whole)) {
		return nil, true
	}
	found, err := session.FromWhole(resource, whole)
	if err != nil {
		return workload, true
	}
	return found, true
}

// namesOfKinds are the names of kinds, as a sentence lists what was looked at.
func namesOfKinds(kinds []cluster.Resource) string {
	return strings.Join(finding.Each(kinds, func(kind cluster.Resource) string { return kind.Kind }), ", ")
}
