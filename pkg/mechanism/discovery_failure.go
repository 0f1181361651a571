package mechanism

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// fewVersions is up to how many APIServices are read one by one; more are read in one list.
const fewVersions = 3

// addUndiscovered answers for the group versions that can't be discovered: the namespace controller
// finishes no namespace while there is one, whatever is or isn't in it (deletion-mechanics M21, B.3-1).
// Our own discovery says which ones fail now, whether or not a condition says so yet; what only a
// condition names is over.
func (c *content) addUndiscovered(ctx context.Context) {
	catalog, err := c.world.Reader.Catalog(ctx)
	if err != nil {
		c.answer.add(unreadAnswer(err))
		return
	}
	failing := catalog.FailedVersions()
	services, err := c.world.apiServices(ctx, failing)
	if err != nil {
		c.answer.add(unread("the APIServices whose discovery fails", err, c.undiscovered...))
		return
	}
	for _, version := range failing {
		c.answer.add(c.world.undiscoverable(ctx, c.namespace, version, catalog.Failed[version], services[version], c.undiscovered))
	}
	if len(failing) == 0 && len(c.undiscovered) > 0 {
		c.answer.add(c.world.retried(ctx, c.namespace, "every API group can be discovered again"))
	}
}

// apiServices returns the APIServices of some versions; nil stands for one that doesn't exist.
func (w *World) apiServices(ctx context.Context, versions []schema.GroupVersion) (map[schema.GroupVersion]*Object, error) {
	found := map[schema.GroupVersion]*Object{}
	if len(versions) > fewVersions {
		// What was listed is remembered, so that the reads below cost nothing.
		if _, err := w.Reader.List(ctx, cluster.APIServices(), "", cluster.Selector{}); err != nil {
			return nil, err
		}
	}
	for _, version := range versions {
		name := version.Version + "." + version.Group
		object, err := w.Reader.Get(ctx, cluster.APIServices(), "", name)
		switch {
		case apierrors.IsNotFound(err):
			continue
		case err != nil:
			return nil, err
		}
		if found[version], err = FromWhole(cluster.APIServices(), object); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// undiscoverable answers for one group version whose discovery fails.
func (w *World) undiscoverable(ctx context.Context, namespace *Object, version schema.GroupVersion, failure error, object *Object, said []graph.Evidence) Answer {
	unserved := Note{
		Message: fmt.Sprintf("%s can't be discovered (%s), and the namespace controller finishes no namespace while that is so. No APIService with a backend of its own serves it: kube-apiserver itself should.",
			version, failure),
		Awaited:  fmt.Sprintf("%s, which can't be discovered (%s)", version, failure),
		Evidence: said,
	}
	if object == nil {
		return open(unserved)
	}
	registered, err := as[apiService](object.Whole)
	switch {
	case err != nil:
		return unread(object.Ref.String(), err, said...)
	case registered.Spec.Service == nil:
		return open(unserved)
	}
	available := registered.available()
	backend := w.backend(ctx, registered.backend())
	if available.Status == "True" && w.Now().Sub(available.LastTransitionTime.Time) < patience {
		return progress(Note{
			Message: fmt.Sprintf("%s is available again since %s, and discovery of %s has yet to follow, which takes seconds.", object.Ref, w.ago(available.LastTransitionTime.Time), version),
			Awaited: fmt.Sprintf("discovery of %s to follow %s, which is available again", version, object.Ref),
		})
	}
	return Answer{Waits: []Wait{{Blocker: object, ForAnswer: true, Otherwise: cause(w.apiServiceDown(namespace, object, registered, version, failure, backend, said))}}}
}
