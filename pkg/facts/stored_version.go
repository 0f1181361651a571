package facts

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// inStoredVersion returns a resource in the version that its objects are stored in, when a read
// failed because they could not be converted to another: reading them as they are needs no
// conversion (deletion-mechanics M19-3). The failure is remembered: it is a finding.
func (w *World) inStoredVersion(ctx context.Context, resource cluster.Resource, failure error) (cluster.Resource, bool) {
	found := Damages(failure.Error())
	if len(found) == 0 || !found[0].Conversion() {
		return resource, false
	}
	whole, err := w.Reader.Get(ctx, cluster.CustomResourceDefinitions(), "", resource.QualifiedName())
	if err != nil {
		return resource, false
	}
	definition, err := As[Definition](whole)
	if err != nil {
		return resource, false
	}
	w.mu.Lock()
	if w.damaged == nil {
		w.damaged = map[schema.GroupResource]string{}
	}
	w.damaged[resource.GroupResource()] = failure.Error()
	w.mu.Unlock()
	stored := resource
	stored.Version = definition.Resource().Version
	return stored, stored.Version != resource.Version
}

// DamageOf is what was said of a kind that can't be read in its preferred version, or nothing.
func (w *World) DamageOf(resource cluster.Resource) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.damaged[resource.GroupResource()]
}

// readStored reads an object in its stored version after a read in another failed.
func (w *World) readStored(ctx context.Context, resource cluster.Resource, namespace, name string, failure error) (*Object, error) {
	stored, other := w.inStoredVersion(ctx, resource, failure)
	if !other {
		return nil, failure
	}
	meta, err := w.Reader.Metadata(ctx, stored, namespace, name)
	if err != nil {
		return nil, failure
	}
	return FromMetadata(stored, meta), nil
}

// listStored lists objects in their stored version after a list in another failed.
func (w *World) listStored(ctx context.Context, resource cluster.Resource, namespace string, failure error) ([]*Object, error) {
	stored, other := w.inStoredVersion(ctx, resource, failure)
	if !other {
		return nil, failure
	}
	objects, err := w.listVersion(ctx, stored, namespace)
	if err != nil {
		return nil, failure
	}
	return objects, nil
}
