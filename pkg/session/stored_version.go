package session

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// inStoredVersion returns a resource in the version that its objects are stored in, when a read
// failed because they could not be converted to another: reading them as they are needs no
// conversion (deletion-mechanics M19-3). The failure is remembered: it is a finding.
func (s *Session) inStoredVersion(
	ctx context.Context, resource cluster.Resource, failure error,
) (cluster.Resource, bool) {
	found := Damages(failure.Error())
	if len(found) == 0 || !found[0].Conversion() {
		return resource, false
	}
	whole, err := s.Reader.Get(ctx, cluster.CustomResourceDefinitions(), "", resource.QualifiedName())
	if err != nil {
		return resource, false
	}
	definition, err := As[Definition](whole)
	if err != nil {
		return resource, false
	}
	s.damaged.Put(resource.GroupResource(), failure.Error())
	stored := resource
	stored.Version = definition.Resource().Version
	return stored, stored.Version != resource.Version
}

// DamageOf is what was said of a kind that can't be read in its preferred version, or nothing.
func (s *Session) DamageOf(resource cluster.Resource) string {
	said, _ := s.damaged.Lookup(resource.GroupResource())
	return said
}

// readStored reads an object in its stored version after a read in another failed.
func (s *Session) readStored(
	ctx context.Context, resource cluster.Resource, namespace, name string, failure error,
) (*Object, error) {
	stored, other := s.inStoredVersion(ctx, resource, failure)
	if !other {
		return nil, failure
	}
	meta, err := s.Reader.Metadata(ctx, stored, namespace, name)
	if err != nil {
		return nil, failure
	}
	return FromMetadata(stored, meta), nil
}

// listStored lists objects in their stored version after a list in another failed.
func (s *Session) listStored(
	ctx context.Context, resource cluster.Resource, namespace string, failure error,
) ([]*Object, error) {
	stored, other := s.inStoredVersion(ctx, resource, failure)
	if !other {
		return nil, failure
	}
	objects, err := s.listVersion(ctx, stored, namespace)
	if err != nil {
		return nil, failure
	}
	return objects, nil
}
