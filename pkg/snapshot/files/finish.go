package files

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/paste"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// finish returns the recording.
func (a *assembly) finish(ctx context.Context) (*snapshot.Recording, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := takeUntyped(a); err != nil {
		return nil, err
	}
	at, exact, err := a.made()
	if err != nil && a.count > 0 {
		return nil, err
	}
	a.placeNamespaces()
	builder := snapshot.NewBuilder("what the given files hold")
	kinds := slices.Collect(maps.Keys(a.objects))
	for _, kind := range kinds {
		objects, resource := a.objects[kind], a.resource(kind)
		a.bodies[kind].Done()
		for key, object := range objects {
			add, body := builder.Whole, object.dated(at)
			if secret(kind) || object.partial == paste.MetadataOnly {
				add = builder.Metadata
			}
			if err := add(resource, key.namespace, key.name, body); err != nil {
				return nil, err
			}
		}
	}
	a.answerQuestions()
	answerFailures(a)
	for _, list := range a.listed {
		listed := builder.Listed
		if list.metadata {
			listed = builder.ListedMetadata
		}
		if err := listed(a.resource(list.kind), list.namespace); err != nil {
			return nil, err
		}
	}
	if err := addFailures(a, builder); err != nil {
		return nil, err
	}
	addNames(a, builder)
	addAnswers(a, builder)
	if err := addEvents(a, builder, at, exact); err != nil {
		return nil, err
	}
	if builder.Empty() {
		return nil, a.nothing()
	}
	if a.skips > len(a.skipped) {
		a.skipped = append(a.skipped, fmt.Errorf("%d more files can't be read", a.skips-len(a.skipped)))
	}
	builder.Said(a.notes(), exact && !a.pasted.ageless, a.pasted.quoted)
	return builder.Finish(at, a.serves(), a.skipped)
}

// serves is what is known to be served, when all was seen: each resource in one version, and all kinds.
func (a *assembly) serves() *cluster.ServedKinds {
	servedKinds := &cluster.ServedKinds{Kinds: map[schema.GroupVersionKind]bool{}, Partial: errPartial}
	servedKinds.Failed = undiscovered(a)
	chosen := map[schema.GroupResource]schema.GroupVersionKind{}
	for kind, resource := range a.kinds {
		servedKinds.Kinds[kind] = true
		other, has := chosen[resource.GroupResource()]
		holds, otherHolds := len(a.objects[kind]) > 0, len(a.objects[other]) > 0
		if !has || holds && !otherHolds || holds == otherHolds && kind.Version < other.Version {
			chosen[resource.GroupResource()] = kind
		}
	}
	for _, kind := range chosen {
		servedKinds.Resources = append(servedKinds.Resources, a.kinds[kind])
	}
	slices.SortFunc(servedKinds.Resources, func(resource, other cluster.Resource) int {
		return strings.Compare(resource.Group+"/"+resource.Resource, other.Group+"/"+other.Resource)
	})
	return servedKinds
}
