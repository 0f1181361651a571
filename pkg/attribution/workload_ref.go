package attribution

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// followReference looks for a custom workload that runs the template of a candidate's workload, which then has no pods
// of its own: an Argo Rollout with a spec.workloadRef (argo-rollouts v1.8
// pkg/apis/rollouts/v1alpha1/types.go:ObjectRef). That one is the candidate's workload then. It answers false if that
// can't be read.
func followReference(ctx context.Context, s *search, c *candidate) bool {
	if c.workload == nil || c.workload.Whole == nil || !cluster.ServedByKubernetes(c.workload.Resource.Group) {
		return true
	}
	typed, err := session.As[scaledRunner](c.workload.Whole)
	if err != nil || !typed.stopped() || len(typed.Spec.Template.Spec.Containers) == 0 {
		return true
	}
	for _, kind := range customWorkloads(ctx, s.session) {
		list, err := s.session.Reader.List(ctx, kind, c.namespace, cluster.Selector{})
		if err != nil && !apierrors.IsNotFound(err) {
			return s.cannot(finding.Unread{Kinds: []string{kind.QualifiedName()}, Namespace: c.namespace}, err)
		}
		for i := range list {
			if !refersTo(&list[i], c.workload) {
				continue
			}
			if found, err := session.FromWhole(kind, &list[i]); err == nil {
				c.evidence = append(c.evidence, session.ObservedOf(found, "runs the template of "+c.workload.Ref.String()))
				c.workload = found
				return true
			}
		}
	}
	return true
}

// refersTo reports whether an object's spec.workloadRef names a workload.
func refersTo(object *unstructured.Unstructured, workload *session.Object) bool {
	field := func(name string) string {
		text, _, _ := unstructured.NestedString(object.Object, "spec", "workloadRef", name)
		return text
	}
	return field("name") == workload.Ref.Name &&
		schema.FromAPIVersionAndKind(field("apiVersion"), field("kind")).GroupKind() == workload.Resource.GroupKind()
}
