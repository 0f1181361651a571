package cluster

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Bounded is a Reader that can give up a list that turns out to be long. Not every Reader is: a recording
// holds what was asked, and half a list would be held for a whole one.
type Bounded interface {
	// UpTo lists whole objects, unless there are more than most of them: then it answers with those that it
	// has read by then, and false.
	UpTo(ctx context.Context, resource Resource, namespace string, most int) (objects []unstructured.Unstructured, all bool, err error)
}

// place is one resource in one namespace, or in all.
type place struct{ resource, namespace string }

func placeOf(resource Resource, namespace string) place { return place{resource.String(), namespace} }

// UpTo implements Bounded. A list of metadata before it may have told how many there are. How many are left, the server says on the first page (k8s v1.37
// apimachinery/pkg/apis/meta/v1/types.go:ListMeta.RemainingItemCount); where it doesn't, the next page tells.
func (l *Live) UpTo(ctx context.Context, resource Resource, namespace string, most int) (objects []unstructured.Unstructured, all bool, err error) {
	if count, known := l.counts.Load(placeOf(resource, namespace)); known && count.(int) > most {
		return nil, false, nil
	}
	client := l.whole.Resource(resource.GroupVersionResource).Namespace(namespace)
	options := metav1.ListOptions{Limit: int64(min(most, pageSize))}
	for {
		page, err := client.List(ctx, options)
		if err != nil {
			return nil, false, err
		}
		objects = append(objects, page.Items...)
		left := int64(0)
		if count := page.GetRemainingItemCount(); count != nil {
			left = *count
		}
		switch {
		case page.GetContinue() == "":
			return objects, true, nil
		case int64(len(objects))+max(left, 1) > int64(most), page.GetContinue() == options.Continue:
			return objects, false, nil
		}
		options.Continue = page.GetContinue()
	}
}

// Gather reads the objects of a resource in as few requests as one list is, unless there are more than most of
// them; those that are wanted need no Get afterwards. It answers false where it didn't read them all: what it left
// out is as unread as before, and so a failure is none yet.
func (m *Memo) Gather(ctx context.Context, resource Resource, namespace string, most int, wanted func(*unstructured.Unstructured) bool) bool {
	bounded, can := m.Reader.(Bounded)
	if !can {
		return false
	}
	objects, all, err := bounded.UpTo(ctx, resource, namespace, most)
	if err != nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range objects {
		key := keyOf(resource, objects[i].GetNamespace(), objects[i].GetName())
		if _, known := m.objects[key]; !known && wanted(&objects[i]) {
			object := objects[i].DeepCopy() // the rest of the list is let go
			m.objects[key] = func() (*unstructured.Unstructured, error) { return object, nil }
		}
	}
	return all
}
