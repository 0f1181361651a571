package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Served returns a resource in the version that this cluster prefers, or false if it serves none: that differs from
// release to release. Nothing is known about a group that can't be discovered.
func Served(
	ctx context.Context, reader *cluster.CachedReader, group, name string,
) (resource cluster.Resource, found bool, err error) {
	servedKinds, err := reader.ServedKinds(ctx)
	if err != nil {
		return cluster.Resource{}, false, err
	}
	servedKinds.Ask(group)
	for _, resource := range servedKinds.Resources {
		if resource.Group == group && resource.GroupVersionResource.Resource == name {
			return resource, true, nil
		}
	}
	for _, version := range servedKinds.FailedVersions() {
		if version.Group == group {
			return cluster.Resource{}, false, fmt.Errorf("discover %s: %w", version, servedKinds.Failed[version])
		}
	}
	return cluster.Resource{}, false, servedKinds.Partial
}

// Item is one object of a list, as it was read and in its typed form.
type Item[T any] struct {
	Object *Object
	Typed  *T
}

// ListServed returns the whole objects of a resource in a namespace, or in all: none where it isn't served.
func ListServed[T any](
	ctx context.Context, s *Session, group, name, namespace string, selector cluster.Selector,
) ([]Item[T], error) {
	resource, found, err := Served(ctx, s.Reader, group, name)
	if err != nil || !found {
		return nil, err
	}
	return ListWhole[T](ctx, s, resource, namespace, selector)
}

// ListWhole returns the whole objects of a resource in a namespace, or in all. They are decoded once.
func ListWhole[T any](
	ctx context.Context, s *Session, resource cluster.Resource, namespace string, selector cluster.Selector,
) ([]Item[T], error) {
	type typedList struct { // by which the session keeps it
		kindIn
		selector cluster.Selector
	}
	key := typedList{kindIn: kindIn{resource.String(), namespace}, selector: selector}
	list, err := s.typed.Get(key, func() (any, error) {
		list, err := s.Reader.List(ctx, resource, namespace, selector)
		if apierrors.IsNotFound(err) {
			return nil, nil // the resource isn't served any more
		}
		items := make([]Item[T], len(list))
		for i := 0; i < len(list) && err == nil; i++ {
			if items[i].Object, err = FromWhole(resource, &list[i]); err == nil {
				items[i].Typed, err = As[T](&list[i])
			}
		}
		return items, err
	})
	if err != nil || list == nil {
		return nil, err
	}
	return slices.Clone(list.([]Item[T])), nil
}

// Definition is what of a CustomResourceDefinition says how to read its instances.
type Definition struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Group string `json:"group"`
		Scope string `json:"scope"`
		Names struct {
			Plural string `json:"plural"`
			Kind   string `json:"kind"`
		} `json:"names"`
		Versions []struct {
			Name    string `json:"name"`
			Storage bool   `json:"storage"`
			Served  bool   `json:"served"`
		} `json:"versions"`
		Conversion struct {
			Strategy string `json:"strategy"`
			Webhook  *struct {
				ClientConfig struct {
					URL     string `json:"url"`
					Service *struct {
						Namespace string `json:"namespace"`
						Name      string `json:"name"`
						Port      int32  `json:"port"`
					} `json:"service"`
				} `json:"clientConfig"`
			} `json:"webhook"`
		} `json:"conversion"`
	} `json:"spec"`
	Status struct {
		StoredVersions []string           `json:"storedVersions"`
		Conditions     []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

// Resource is the instances' resource in the storage version, which needs no conversion, or else in a served one. Where
// only a part of a definition is at hand, its name has the plural and the group (k8s v1.37
// apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go:ValidateCustomResourceDefinition).
func (d *Definition) Resource() cluster.Resource {
	group, plural := d.Spec.Group, d.Spec.Names.Plural
	if plural == "" {
		plural, group, _ = strings.Cut(d.Metadata.Name, ".")
	}
	version := ""
	for _, candidate := range d.Spec.Versions {
		if candidate.Served && (version == "" || candidate.Storage) {
			version = candidate.Name
		}
	}
	return cluster.Resource{
		GroupVersionResource: schema.GroupVersion{Group: group, Version: version}.WithResource(plural),
		Kind:                 d.Spec.Names.Kind, Namespaced: d.Spec.Scope == "Namespaced",
	}
}

// ServedVersions are the versions in which the instances can be asked for.
func (d *Definition) ServedVersions() (served []string) {
	for _, version := range d.Spec.Versions {
		if version.Served {
			served = append(served, version.Name)
		}
	}
	return served
}

// Converts reports whether a webhook is asked to convert instances: they are served, or stored, in several versions.
func (d *Definition) Converts() bool {
	served, stored := d.ServedVersions(), d.Status.StoredVersions
	return d.Spec.Conversion.Strategy == "Webhook" && (len(served) > 1 || !slices.Equal(served, stored))
}

// StoredIn returns the one served version that all instances are stored in, if there is one.
func (d *Definition) StoredIn() (string, bool) {
	for _, version := range d.Spec.Versions {
		if version.Storage && version.Served && d.StoredUnconverted() {
			return version.Name, true
		}
	}
	return "", false
}

// StoredUnconverted reports whether all instances are stored in the storage version, in which kube-apiserver reads them
// to delete them with their definition.
func (d *Definition) StoredUnconverted() bool {
	stored := d.StorageVersion()
	return stored != "" && slices.Equal(d.Status.StoredVersions, []string{stored})
}

// StorageVersion is the version that each write stores an instance in.
func (d *Definition) StorageVersion() string {
	for _, version := range d.Spec.Versions {
		if version.Storage {
			return version.Name
		}
	}
	return ""
}

// DeletionReports are the conditions in which kube-apiserver reports on the deletion of the instances.
func (d *Definition) DeletionReports() (reports []metav1.Condition) {
	for _, is := range d.Status.Conditions {
		if is.Type == "Terminating" && is.Status == metav1.ConditionTrue {
			reports = append(reports, is)
		}
	}
	return reports
}

// storedVersion returns a resource in its objects' stored version when a read failed because they could not be
// converted: that needs no conversion (docs/deletion.md#conversion-webhooks). The failure is remembered: it is a
// finding.
func (s *Session) storedVersion(
	ctx context.Context, resource cluster.Resource, failure error,
) (stored cluster.Resource, other bool) {
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
	stored = resource
	stored.Version = definition.Resource().Version
	return stored, stored.Version != resource.Version
}

// DamageOf is what was said of a kind that can't be read in its preferred version, or nothing.
func (s *Session) DamageOf(resource cluster.Resource) string {
	said, _ := s.damaged.Lookup(resource.GroupResource())
	return said
}

func (s *Session) readStored(
	ctx context.Context, resource cluster.Resource, namespace, name string, failure error,
) (*Object, error) {
	if stored, other := s.storedVersion(ctx, resource, failure); other {
		if meta, err := s.Reader.Metadata(ctx, stored, namespace, name); err == nil {
			return FromMetadata(stored, meta), nil
		}
	}
	return nil, failure
}

func (s *Session) listStored(
	ctx context.Context, resource cluster.Resource, namespace string, failure error,
) ([]*Object, error) {
	if stored, other := s.storedVersion(ctx, resource, failure); other {
		if objects, err := listVersion(ctx, s.Reader, stored, namespace); err == nil {
			return objects, nil
		}
	}
	return nil, failure
}
