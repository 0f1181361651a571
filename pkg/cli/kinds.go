package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// resolveKind writes out what --kind means, as KIND or KIND.GROUP: a kind, or, as kubectl takes them, the plural, the
// singular or a short name of one. What Kubernetes itself and the plugins name needs no cluster; for the rest the one at
// hand is asked. What nobody knows is an error that suggests what may have been meant.
func (o *explainOptions) resolveKind(ctx context.Context, set *plugins.Set) error {
	if o.kind == "" {
		return nil
	}
	known := knownKinds(set)
	if slices.ContainsFunc(known, func(one cluster.Resource) bool { return named(one, o.kind) }) {
		return nil // a name alone may stand for the kinds of several groups
	}
	if found := candidates(known, o.kind); len(found) > 0 {
		o.kind = written(found, o.kind)
		return nil
	}
	why := "--offline says not to ask a cluster"
	if !o.offline {
		served, err := o.servedKinds(ctx)
		if err == nil {
			if found := candidates(served.Resources, o.kind); len(found) > 0 {
				o.kind = written(found, o.kind)
				return nil
			}
			if _, group, _ := strings.Cut(o.kind, "."); group != "" && served.MayServe(group) {
				return nil // its group can't be discovered
			}
			known, why = append(known, served.Resources...), "this cluster serves none either"
		} else {
			why = "no cluster was asked: " + unreached(err)
		}
	}
	near := nearest(known, nameOf(o.kind))
	switch {
	case len(near) > 0:
		return fmt.Errorf("no kind %q is known, and %s. Did you mean %s?", o.kind, why, strings.Join(near, " or "))
	case strings.Contains(o.kind, "."):
		return nil // another cluster may serve it, and some finalizers may be on any kind
	}
	return fmt.Errorf("no kind %q is known, and %s. Kinds are named as KIND or KIND.GROUP, for example PersistentVolumeClaim, or as kubectl takes them", o.kind, why)
}

// servedKinds asks the cluster at hand what it serves.
func (o *explainOptions) servedKinds(ctx context.Context) (*cluster.Catalog, error) {
	ctx, cancel := o.hurry(ctx)
	defer cancel()
	return untilDone(ctx, func() (*cluster.Catalog, error) {
		connection, err := o.connect(ctx)
		if err != nil {
			return nil, err
		}
		return connection.catalog, nil
	})
}

// knownKinds are those of Kubernetes itself, and those on which plugins know finalizers. How the latter are called in
// the plural is guessed as Kubernetes does.
func knownKinds(set *plugins.Set) []cluster.Resource {
	known := files.BuiltIn()
	for _, finalizer := range set.All() {
		for _, pattern := range finalizer.Kinds {
			kind := schema.ParseGroupKind(pattern)
			if strings.ContainsAny(pattern, "*?[") || slices.ContainsFunc(known, func(one cluster.Resource) bool { return one.GroupKind() == kind }) {
				continue
			}
			plural, singular := meta.UnsafeGuessKindToResource(kind.WithVersion(""))
			known = append(known, cluster.Resource{GroupVersionResource: plural, Kind: kind.Kind, Singular: singular.Resource})
		}
	}
	return known
}

// named tells whether a resource is of a kind, given as KIND or KIND.GROUP in whichever case.
func named(resource cluster.Resource, kind string) bool {
	return strings.EqualFold(resource.Kind, kind) || strings.EqualFold(resource.GroupKind().String(), kind)
}

// written is how what was asked for is written out: as the kind, with its group if one was given.
func written(found []cluster.Resource, asked string) string {
	first := preferred(found)
	if strings.Contains(asked, ".") {
		return first.GroupKind().String()
	}
	return first.Kind
}

// kinds offers the kinds that are known and those that the cluster serves, by the names that leave no doubt.
func (c completer) kinds(cmd *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	set, err := plugins.Embedded()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	resources := knownKinds(set)
	ctx, cancel := context.WithTimeout(cmd.Context(), completionPatience)
	defer cancel()
	if connection, err := connect(ctx, c.config); err == nil {
		resources = append(resources, connection.catalog.Resources...)
	}
	var names []string
	for _, resource := range resources {
		if !strings.Contains(resource.Resource, "/") {
			names = append(names, resource.GroupKind().String())
		}
	}
	slices.Sort(names)
	return startingWith(slices.Compact(names), toComplete), cobra.ShellCompDirectiveNoFileComp
}
