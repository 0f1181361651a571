package cluster

import (
	"context"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"
)

// Scope is what one watch is about: one object, or all objects of a resource in a namespace, or in all of them.
type Scope struct {
	Resource        Resource
	Namespace, Name string
}

// Sighting is what a watch has seen of the objects in a Scope, as far as their metadata tells.
type Sighting struct {
	Scope   Scope
	Objects []*metav1.PartialObjectMetadata
	Deleted bool // these have gone
	All     bool // these are all there are in the scope
}

// Watcher says what becomes of objects, as it happens.
type Watcher interface {
	// Watch reports a scope's objects, first their state and then each change, until ctx ends. It handles broken
	// connections, restarts of servers and missed changes itself: after these it reports all objects again. Without the
	// right to watch, it reads them now and then. It returns an error where they can't be read either.
	Watch(ctx context.Context, scope Scope, tell func(Sighting)) error
}

// Watch implements Watcher.
func (l *Live) Watch(ctx context.Context, scope Scope, tell func(Sighting)) error {
	if err := scope.check(); err != nil { // the client below joins whatever it gets
		return err
	}
	config := rest.CopyConfig(l.config)
	config.Timeout = 0 // of a request, the end of its answer included: that of a watch comes after minutes
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	objects := client.Resource(scope.Resource.GroupVersionResource).Namespace(scope.Namespace)
	narrow := func(options metav1.ListOptions) metav1.ListOptions {
		if scope.Name != "" {
			options.FieldSelector = FieldIs("metadata.name", scope.Name)
		}
		return options
	}
	listing := &watched{live: l, scope: scope}
	reflector := cache.NewReflectorWithOptions(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return listing.page(ctx, narrow(options))
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			events, err := objects.Watch(ctx, narrow(options))
			if err != nil || !ptr.Deref(options.SendInitialEvents, false) {
				return events, err
			}
			return watch.Filter(events, new(initialEvents).filter), nil
		},
	}, &metav1.PartialObjectMetadata{}, sightings{scope: scope, tell: tell}, cache.ReflectorOptions{})
	if err := watchAgain(ctx, reflector.ListAndWatchWithContext); err == nil || ctx.Err() != nil {
		return nil
	}
	return poll(ctx, l, scope, tell)
}

// check returns an InvalidPart where a part of the path to a scope, or the name in it, isn't a segment of a path.
func (s Scope) check() error {
	path := s.Resource.list(s.Namespace)
	if s.Name != "" {
		path = append(path, part{"name", s.Name})
	}
	return checkAll(path)
}

// watchAgain calls watch until ctx ends, or it is refused.
func watchAgain(ctx context.Context, watch func(context.Context) error) (err error) {
	pauses := wait.Backoff{Duration: time.Second, Cap: 30 * time.Second, Factor: 2, Jitter: 0.2, Steps: 10}
	pause := pauses.DelayWithReset(clock.RealClock{}, 2*time.Minute)
	_ = pause.Until(ctx, true, true, func(ctx context.Context) (bool, error) {
		err = watch(ctx)
		return refused(err), nil
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// refused tells errors that asking again doesn't end. A server that has just started doesn't find custom kinds yet.
func refused(err error) bool {
	var invalid *InvalidPart
	return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) || apierrors.IsMethodNotSupported(err) ||
		apierrors.IsBadRequest(err) || apierrors.IsNotAcceptable(err) || errors.As(err, &invalid)
}

// sightings is a cache.ReflectorStore that keeps nothing, and reports everything.
type sightings struct {
	scope Scope
	tell  func(Sighting)
}

var errNoMetadata = errors.New("a watch returned something that is not the metadata of an object")

func (s sightings) one(object any, deleted bool) error {
	if late, is := object.(cache.DeletedFinalStateUnknown); is {
		object = late.Obj
	}
	meta, is := object.(*metav1.PartialObjectMetadata)
	if !is {
		return errNoMetadata
	}
	s.tell(Sighting{Scope: s.scope, Objects: []*metav1.PartialObjectMetadata{meta}, Deleted: deleted})
	return nil
}

// Add implements cache.ReflectorStore.
func (s sightings) Add(object any) error { return s.one(object, false) }

// Update implements cache.ReflectorStore.
func (s sightings) Update(object any) error { return s.one(object, false) }

// Delete implements cache.ReflectorStore.
func (s sightings) Delete(object any) error { return s.one(object, true) }

// Replace implements cache.ReflectorStore.
func (s sightings) Replace(objects []any, _ string) error {
	all := make([]*metav1.PartialObjectMetadata, 0, len(objects))
	for _, object := range objects {
		meta, is := object.(*metav1.PartialObjectMetadata)
		if !is {
			return errNoMetadata
		}
		all = append(all, meta)
	}
	s.tell(Sighting{Scope: s.scope, Objects: all, All: true})
	return nil
}

// Resync implements cache.ReflectorStore.
func (sightings) Resync() error { return nil }

// Transformer implements cache.TransformingStore.
func (sightings) Transformer() cache.TransformFunc {
	return func(object any) (any, error) {
		if meta, is := object.(*metav1.PartialObjectMetadata); is {
			trim(meta)
		}
		return object, nil
	}
}

// trim leaves out of what a watch brings what is most of it, and tells nothing: above all who wrote what.
func trim(object *metav1.PartialObjectMetadata) {
	object.ManagedFields, object.Annotations, object.Labels = nil, nil, nil
}
