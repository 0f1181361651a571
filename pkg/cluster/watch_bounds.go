package cluster

import (
	"cmp"
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// objectSize is what the metadata of an object takes in memory, in bytes, besides what is in it.
const objectSize = 512

// keep takes in an object that is kept, and returns a WrongAnswer where all of them would take too much memory.
func (l *listed) keep(object *metav1.PartialObjectMetadata) error {
	trim(object)
	return l.take(sizeOf(object))
}

// sizeOf is what the metadata of an object takes in memory, in bytes.
func sizeOf(object *metav1.PartialObjectMetadata) int64 { return int64(objectSize + object.Size()) }

// watched lists what a watch is of, within the bounds of all lists. The Reflector of client-go keeps all pages until
// the last one.
type watched struct {
	live       *Live
	scope      Scope
	list, kept *listed // what was read of the list that is read now, and what is kept of that
}

// page returns one page. It returns a WrongAnswer where the list turns in a circle, or doesn't end.
func (w *watched) page(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	if options.ResourceVersion == "0" {
		options.ResourceVersion = "" // what a server remembers may be older than what is known already
	}
	if options.Continue == "" { // the first page, or the first again
		w.list, w.kept = &listed{}, &listed{}
	}
	page, tooMuch := &metav1.PartialObjectMetadataList{}, error(nil)
	list, err := w.live.page(ctx, w.scope.Resource, w.scope.Namespace, options, &metadataFilter{
		list: w.list,
		visit: func(object *metav1.PartialObjectMetadata) {
			if tooMuch = cmp.Or(tooMuch, w.kept.keep(object)); tooMuch == nil {
				page.Items = append(page.Items, *object)
			}
		},
	})
	if err = cmp.Or(err, tooMuch); err == nil {
		page.ListMeta = list
		_, err = w.list.next(list)
	}
	return page, err
}

// initialEvents bounds what a watch sends before it says that this was the state, which the Reflector keeps until then
// (k8s v1.37 client-go/tools/cache/reflector.go:watchList).
type initialEvents struct {
	kept listed
	over bool
}

// filter is a watch.FilterFunc. Where there is too much, the error that it returns as an event ends the watch.
func (i *initialEvents) filter(event watch.Event) (watch.Event, bool) {
	object, is := event.Object.(*metav1.PartialObjectMetadata)
	switch {
	case i.over || !is:
		return event, true
	case event.Type == watch.Bookmark:
		i.over = object.Annotations[metav1.InitialEventsAnnotationKey] == "true"
		return event, true
	}
	if err := i.kept.keep(object); err != nil {
		status := apierrors.NewInternalError(err).Status()
		return watch.Event{Type: watch.Error, Object: &status}, true
	}
	return event, true
}
