package snapshot

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

func catalogToLine(catalog *cluster.Catalog) *catalogLine {
	kept := &catalogLine{}
	for _, r := range catalog.Resources {
		kept.Resources = append(kept.Resources, resourceLine{
			place: placeOf(r), Kind: r.Kind, Namespaced: r.Namespaced,
			Singular: r.Singular, ShortNames: r.ShortNames, Categories: r.Categories, Verbs: r.Verbs,
		})
	}
	for kind, served := range catalog.Kinds {
		if served {
			kept.Kinds = append(kept.Kinds, kindLine{Group: kind.Group, Version: kind.Version, Kind: kind.Kind})
		}
	}
	slices.SortFunc(kept.Kinds, func(a, b kindLine) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Kind, b.Kind))
	})
	for _, version := range catalog.FailedVersions() {
		kept.Failed = append(kept.Failed, failedLine{Group: version.Group, Version: version.Version, Error: record(catalog.Failed[version])})
	}
	if catalog.Partial != nil {
		kept.Partial = catalog.Partial.Error()
	}
	return kept
}

func catalogFromLine(kept *catalogLine) *cluster.Catalog {
	catalog := &cluster.Catalog{Kinds: map[schema.GroupVersionKind]bool{}, Failed: map[schema.GroupVersion]error{}}
	if kept.Partial != "" {
		catalog.Partial = &NotRecordedError{What: "what the cluster serves", Why: &failure{message: kept.Partial}}
	}
	for _, r := range kept.Resources {
		catalog.Resources = append(catalog.Resources, cluster.Resource{
			GroupVersionResource: schema.GroupVersionResource(r.place), Kind: r.Kind, Namespaced: r.Namespaced,
			Singular: r.Singular, ShortNames: r.ShortNames, Categories: r.Categories, Verbs: r.Verbs,
		})
	}
	for _, kind := range kept.Kinds {
		catalog.Kinds[schema.GroupVersionKind(kind)] = true
	}
	for _, failed := range kept.Failed {
		err := failed.Error.err()
		if err == nil {
			err = &failure{message: "its discovery failed"}
		}
		catalog.Failed[schema.GroupVersion{Group: failed.Group, Version: failed.Version}] = err
	}
	return catalog
}
