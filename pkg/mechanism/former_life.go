package mechanism

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// skew is how far the clocks of two API servers may be apart.
const skew = 2 * time.Second

// namespaceOf reads an object's namespace, or nil where it doesn't exist.
func (t *Tools) namespaceOf(ctx context.Context, object *Object) (namespace *Object, read bool) {
	if object.Ref.Namespace == "" {
		return nil, false
	}
	namespace, err := t.Session.Read(ctx, cluster.Namespaces(), "", object.Ref.Namespace)
	return namespace, err == nil || apierrors.IsNotFound(err)
}

func (t *Tools) awaitNamespace(ctx context.Context, object *Object, fate *Fate) {
	namespace, read := t.namespaceOf(ctx, object)
	switch {
	case !read:
	case namespace == nil:
		fate.Notes = append(fate.Notes, t.withoutNamespace(object))
	case namespace.Terminating():
		fate.Awaits = namespace
		about := finding.FormerNamespaceDetails{Namespace: namespace.Ref}
		fate.tell(finding.Finding{Situation: "GoesWithNamespace", Details: about})
	}
}

// FormerLife remarks on an object that is left from a namespace which was made to vanish with its
// content (deletion-mechanics B.3, "Force-finalize"): no other way leads to an object that is older
// than its namespace, or has none.
func (t *Tools) FormerLife(ctx context.Context, object *Object) []finding.Finding {
	namespace, read := t.namespaceOf(ctx, object)
	switch {
	case !read:
		return nil
	case namespace == nil:
		return []finding.Finding{t.withoutNamespace(object)}
	}
	created, earlier := namespace.Meta.CreationTimestamp.Time, object.Meta.CreationTimestamp.Time
	older := created.Sub(earlier)
	if created.IsZero() || earlier.IsZero() || older <= skew {
		return nil
	}
	const observed = "created %s ago, %s after %s"
	seen := namespace.Ref.Observed(observed, t.Session.Ago(created), duration.HumanDuration(older), object.Ref)
	return []finding.Finding{{
		Situation: "OlderThanNamespace", Object: object.Ref,
		Details: finding.FormerNamespaceDetails{Namespace: namespace.Ref}, Evidence: []finding.Evidence{seen.When(created)},
	}}
}

func (t *Tools) withoutNamespace(object *Object) finding.Finding {
	namespace := session.Named(cluster.Namespaces(), "", object.Ref.Namespace)
	return finding.Finding{
		Situation: "FormerNamespaceGone", Object: object.Ref,
		Details:  finding.FormerNamespaceDetails{Namespace: namespace.Ref},
		Evidence: []finding.Evidence{namespace.Ref.NotFound()},
		Remedies: []finding.Remedy{{
			Step: "CreateNamespace", Command: t.Session.Kubectl.Prefix(namespace.Ref, "create", "namespace", namespace.Ref.Name),
		}},
	}
}

// Mirror remarks on a static pod: its kubelet runs it from a file, and the object is a mere picture
// (deletion-mechanics M23).
func Mirror(object *Object) []finding.Finding {
	const annotation = "kubernetes.io/config.mirror"
	if !object.Is("", "Pod") || object.Meta.Annotations[annotation] == "" {
		return nil
	}
	return []finding.Finding{{
		Situation: "MirrorPod", Object: object.Ref, Details: finding.MirrorPodDetails{Node: object.PodNode()},
		Evidence: []finding.Evidence{object.Ref.Observed("annotation %s", annotation)},
	}}
}
