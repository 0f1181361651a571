package cluster

import (
	"context"
	"fmt"
	"maps"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Pauses between two reads of what can't be watched: the longer, the longer nothing has changed.
const (
	shortestPoll = 5 * time.Second
	longestPoll  = time.Minute
)

// poll does what Watcher.Watch does for who may read a scope's objects and not watch them: it reads them again and
// again. It returns an error where they can't be read either.
func poll(ctx context.Context, reader Reader, scope Scope, tell func(Sighting)) error {
	var versions, holds map[string]string
	for pause := shortestPoll; ; {
		objects, err := readScope(ctx, reader, scope)
		switch {
		case ctx.Err() != nil:
			return nil
		case refused(err):
			return err
		case err == nil: // else the server may answer again
			before, heldBefore := versions, holds
			versions, holds = noted(objects, version), noted(objects, heldBy)
			if before == nil || !maps.Equal(before, versions) {
				tell(Sighting{Scope: scope, Objects: objects, All: true})
			}
			pause = min(2*pause, longestPoll)
			if !maps.Equal(heldBefore, holds) { // what is written all the time is no reason for haste
				pause = shortestPoll
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

func readScope(ctx context.Context, reader Reader, scope Scope) (objects []*metav1.PartialObjectMetadata, err error) {
	if scope.Name != "" {
		object, err := reader.Metadata(ctx, scope.Resource, scope.Namespace, scope.Name)
		if apierrors.IsNotFound(err) {
			return nil, nil
		}
		return []*metav1.PartialObjectMetadata{object}, err
	}
	seen := map[string]bool{}
	visit := func(object *metav1.PartialObjectMetadata) {
		if !seen[string(object.UID)] { // a list that starts again visits its objects again
			objects = append(objects, object)
		}
		seen[string(object.UID)] = true
	}
	return objects, reader.EachMetadata(ctx, scope.Resource, scope.Namespace, Selector{}, visit)
}

// noted returns something of each object, by uid.
func noted(objects []*metav1.PartialObjectMetadata, what func(*metav1.PartialObjectMetadata) string) map[string]string {
	all := make(map[string]string, len(objects))
	for _, object := range objects {
		all[string(object.UID)] = what(object)
	}
	return all
}

func version(object *metav1.PartialObjectMetadata) string { return object.ResourceVersion }

func heldBy(object *metav1.PartialObjectMetadata) string {
	return fmt.Sprint(object.DeletionTimestamp != nil, object.Finalizers)
}
