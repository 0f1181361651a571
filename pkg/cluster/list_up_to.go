package cluster

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// definitionPage is how many definitions are fetched at a time: each may be as long as a megabyte.
const definitionPage = 32

// ListUpTo implements Reader. A list of metadata before it may have told how many there are. How many are left, the
// server says on the first page (k8s v1.37 apimachinery/pkg/apis/meta/v1/types.go:ListMeta.RemainingItemCount);
// where it doesn't, the next page tells.
func (l *Live) ListUpTo(
	ctx context.Context, resource Resource, namespace string, most int, visit func(*unstructured.Unstructured),
) (all bool, err error) {
	if count, known := l.counts.Load(keyOf(resource, namespace, "")); known && count.(int) > most {
		return false, nil
	}
	client := l.whole.Resource(resource.GroupVersionResource).Namespace(namespace)
	options := metav1.ListOptions{Limit: int64(min(most, pageSize))}
	if resource.GroupResource() == CustomResourceDefinitions().GroupResource() {
		options.Limit = definitionPage
	}
	for visited := 0; ; {
		page, err := client.List(ctx, options)
		if err != nil {
			return false, err
		}
		for i := range page.Items {
			visit(&unstructured.Unstructured{Object: page.Items[i].Object}) // who keeps it doesn't keep the page
		}
		visited += len(page.Items)
		left := int64(0)
		if count := page.GetRemainingItemCount(); count != nil {
			left = *count
		}
		switch {
		case page.GetContinue() == "":
			return true, nil
		case int64(visited)+max(left, 1) > int64(most), page.GetContinue() == options.Continue:
			return false, nil
		}
		options.Continue = page.GetContinue()
	}
}

// Gather reads the objects of a resource in as few requests as one list is, unless there are more than most of
// them; those that are wanted need no Get afterwards. It answers false where it didn't read them all: what it left
// out is as unread as before, and so a failure is none yet.
func (m *CachedReader) Gather(
	ctx context.Context, resource Resource, namespace string, most int, wanted func(*unstructured.Unstructured) bool,
) bool {
	all, err := m.ListUpTo(ctx, resource, namespace, most, func(object *unstructured.Unstructured) {
		if wanted(object) {
			m.objects.PutNew(keyOf(resource, object.GetNamespace(), object.GetName()), object)
		}
	})
	return all && err == nil
}
