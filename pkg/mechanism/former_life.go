package mechanism

import (
	"context"
	"fmt"
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
func (t *Tools) namespaceOf(ctx context.Context, object *session.Object) (namespace *session.Object, read bool) {
	if object.Ref.Namespace == "" {
		return nil, false
	}
	namespace, err := t.Session.Read(ctx, cluster.Namespaces(), "", object.Ref.Namespace)
	return namespace, err == nil || apierrors.IsNotFound(err)
}

func (t *Tools) awaitNamespace(ctx context.Context, object *session.Object, fate *Fate) {
	namespace, read := t.namespaceOf(ctx, object)
	switch {
	case !read:
	case namespace == nil:
		fate.Notes = append(fate.Notes, t.withoutNamespace(object))
	case namespace.Terminating():
		fate.Awaits = namespace
		fate.Says = append(fate.Says, fmt.Sprintf("Its %s is being deleted, and it goes with it.", namespace.Ref))
	}
}

// FormerLife remarks on an object that is left from a namespace which was made to vanish with its
// content (deletion-mechanics B.3, "Force-finalize"): no other way leads to an object that is older
// than its namespace, or has none.
func (t *Tools) FormerLife(ctx context.Context, object *session.Object) []finding.Finding {
	namespace, read := t.namespaceOf(ctx, object)
	switch {
	case !read:
		return nil
	case namespace == nil:
		return []finding.Finding{t.withoutNamespace(object)}
	}
	older := namespace.Meta.CreationTimestamp.Sub(object.Meta.CreationTimestamp.Time)
	if namespace.Meta.CreationTimestamp.IsZero() || object.Meta.CreationTimestamp.IsZero() || older <= skew {
		return nil
	}
	created := namespace.Meta.CreationTimestamp.Time
	return []finding.Finding{{
		Message: fmt.Sprintf("%s is older than its namespace: it is left from a former one of that name, which somebody finalized by force with this in it. What holds it is told here all the same; look for more that was left.", object.Ref),
		Awaited: "what is left from a former namespace",
		Evidence: []finding.Evidence{{
			Source: namespace.Ref.String(), Observed: fmt.Sprintf("created %s ago, %s after %s", t.Session.Ago(created), duration.HumanDuration(older), object.Ref), Object: &namespace.Ref, At: &created,
		}},
	}}
}

func (t *Tools) withoutNamespace(object *session.Object) finding.Finding {
	namespace := session.Named(cluster.Namespaces(), "", object.Ref.Namespace)
	return finding.Finding{
		Message: fmt.Sprintf("%s no longer exists: somebody finalized it by force with %s in it. Writes to what is left may fail with \"namespace not found\", at webhooks that select by namespace. If they do, create the namespace again first: it comes back with what was left.",
			namespace.Ref, object.Ref),
		Awaited:  "what is left from a namespace",
		Evidence: []finding.Evidence{{Source: namespace.Ref.String(), Observed: "not found"}},
		Remedies: []finding.Remedy{{
			Action:  "Create the namespace again, if writes need it.",
			Command: append(t.Session.Kubectl.Prefix(namespace.Ref), "create", "namespace", namespace.Ref.Name),
			Risk:    finding.NoRisk,
		}},
	}
}

// mirror tells of a static pod: its kubelet runs it from a file, and the object is a mere picture
// (deletion-mechanics M23).
func (t *Tools) mirror(object *session.Object, fate *Fate) {
	if note, found := mirrorPod(object); found {
		fate.Says = append(fate.Says, note.Message)
	}
}

// Mirror remarks on a static pod that is being deleted.
func Mirror(object *session.Object) []finding.Finding {
	if note, found := mirrorPod(object); found {
		return []finding.Finding{note}
	}
	return nil
}

func mirrorPod(object *session.Object) (finding.Finding, bool) {
	const annotation = "kubernetes.io/config.mirror"
	if !object.Is("", "Pod") || object.Meta.Annotations[annotation] == "" {
		return finding.Finding{}, false
	}
	return finding.Finding{
		Message:  fmt.Sprintf("%s mirrors a static pod: deleting it stops nothing, and the kubelet of Node %s makes it again. To end it, take its manifest off that node.", object.Ref, object.PodNode()),
		Awaited:  "a static pod",
		Evidence: []finding.Evidence{{Source: object.Ref.String(), Observed: "annotation " + annotation, Object: &object.Ref}},
	}, true
}
