package audit

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostListed is how many kinds are listed again, with what the inventory leaves out.
const mostListed = 16

// kindLists are the live objects of some kinds, with labels and annotations. Each kind is listed once.
type kindLists struct {
	checker  *checker
	selector *metav1.LabelSelector // nil for all
	listed   map[string]listed     // by kind
}

type listed struct {
	objects []*session.Object
	err     error
}

// errTooMany says that no more kinds are listed.
type errTooMany struct{}

func (errTooMany) Error() string { return "too many kinds" }

// of returns the objects of a kind.
func (l *kindLists) of(ctx context.Context, resource cluster.Resource) listed {
	name := resource.QualifiedName()
	if known, is := l.listed[name]; is {
		return known
	}
	found := listed{err: errTooMany{}}
	if len(l.listed) < mostListed {
		found = l.list(ctx, resource)
	}
	if l.listed == nil {
		l.listed = map[string]listed{}
	}
	l.listed[name] = found
	return found
}

func (l *kindLists) list(ctx context.Context, resource cluster.Resource) (found listed) {
	if !resource.Namespaced && l.checker.namespace != "" { // the namespace itself
		object, err := l.checker.tools.Session.Read(ctx, resource, "", l.checker.namespace)
		if err == nil && !object.Terminating() {
			found.objects = append(found.objects, object)
		}
		found.err = err
		return found
	}
	selector := cluster.Selector{Recent: true}
	if chosen, err := metav1.LabelSelectorAsSelector(l.selector); err == nil && l.selector != nil {
		selector.Labels = chosen.String()
	}
	found.err = l.checker.tools.Session.Reader.EachMetadata(ctx, resource, l.checker.namespace, selector,
		func(meta *metav1.PartialObjectMetadata) {
			meta.ManagedFields = nil
			if meta.DeletionTimestamp == nil {
				found.objects = append(found.objects, session.FromMetadata(resource, meta))
			}
		})
	slices.SortFunc(found.objects, func(a, b *session.Object) int { return finding.Compare(a.Ref, b.Ref) })
	found.objects = slices.CompactFunc(found.objects, func(a, b *session.Object) bool { return a.Ref == b.Ref })
	return found
}
