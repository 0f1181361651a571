package attribution

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// classTold is what the class of an object of Kubernetes' own is called where its controller is told it: the class of
// load balancers that a Service names, if it was read whole, or the controller of an Ingress's class (k8s v1.37
// staging/src/k8s.io/api/core/v1/types.go:ServiceSpec, api/networking/v1/types.go:IngressClassSpec). It is empty where
// there is none. What can't be read of it is returned.
func classTold(
	ctx context.Context, reads *session.Session, of criteria, object *session.Object,
) (string, *finding.Unread) {
	switch {
	case object.Is("", "Service") && object.Whole != nil:
		name, _, _ := unstructured.NestedString(object.Whole.Object, "spec", "loadBalancerClass")
		return name, nil
	case of.known == nil && object.Is("networking.k8s.io", "Ingress"):
		return ingressController(ctx, reads, object)
	}
	return "", nil
}

func ingressController(ctx context.Context, reads *session.Session, object *session.Object) (string, *finding.Unread) {
	name, unread := fieldOf(ctx, reads, object.Resource, object.Ref, "spec", "ingressClassName")
	if name == "" {
		name = object.Meta.Annotations["kubernetes.io/ingress.class"]
	}
	classes, served := reads.ServedKinds(ctx).OfKind(schema.GroupKind{Group: "networking.k8s.io", Kind: "IngressClass"})
	if name == "" || !served || cluster.CheckName("", name) != nil {
		return "", unread
	}
	return fieldOf(ctx, reads, classes, session.Named(classes, "", name).Ref, "spec", "controller")
}

// fieldOf is a field of an object; nothing where the object doesn't exist, or a recording was made without it.
func fieldOf(
	ctx context.Context, reads *session.Session, resource cluster.Resource, ref finding.Ref, path ...string,
) (value string, unread *finding.Unread) {
	whole, err := reads.Reader.GetIfAsked(ctx, resource, ref.Namespace, ref.Name)
	switch {
	case err == nil:
		value, _, _ = unstructured.NestedString(whole.Object, path...)
	case !apierrors.IsNotFound(err) && !cluster.NeverAsked(err):
		unread = new(finding.UnreadObject(ref).Because(err))
	}
	return value, unread
}

// unlessClassUnread is a search in which no program was found, where one may be told a class that could not be read.
func unlessClassUnread(s search, unread *finding.Unread) search {
	if unread != nil && s.found.candidate == nil {
		s.failed, s.found = append(slices.Clone(s.failed), *unread), decision{}
	}
	return s
}

// namesClassOnly reports whether a candidate is told the object's class, and nothing says that it serves the class: who
// creates objects of it names it, too. Whoever serves it writes their status, or has set the finalizer.
func namesClassOnly(c *candidate, access *rbac.Access) bool {
	return c.signs.Has(signs.MentionsClass) && !c.wroteEntry() && (access == nil || !access.Status)
}
