package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/contexts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// profileKind is that of the inventory of clusters, which a hub has.
const profileGroup, profileKind = "multicluster.x-k8s.io", "ClusterProfile"

// readProfiles returns the contexts that lead to the clusters in the inventory of a hub, and the names of the clusters
// to which none leads. Only the hub is asked.
func readProfiles(
	ctx context.Context, o *options, loader clientcmd.ClientConfig,
) (names, unknown []string, err error) {
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, nil, explainConfig(err)
	}
	hub := o.several.profiles
	if _, known := raw.Contexts[hub]; !known {
		return nil, nil, fmt.Errorf("--cluster-profiles: the kubeconfig has no context %q%s", hub,
			spelling.Meant(hub, keys(raw.Contexts)))
	}
	ctx, cancel := context.WithTimeout(ctx, o.several.limit)
	defer cancel()
	listed, err := listProfiles(ctx, o, loader, hub)
	if err != nil {
		return nil, nil, fmt.Errorf("the clusters of %s can't be listed: %w", hub, err)
	}
	for _, profile := range listed {
		name := contexts.ContextOf(raw, profile, os.ReadFile)
		switch {
		case name == "":
			unknown = append(unknown, profile.Name)
		case !slices.Contains(names, name):
			names = append(names, name)
		}
	}
	if len(listed) == 0 {
		return nil, nil, fmt.Errorf("%s has no %s objects", hub, profileKind)
	}
	return names, unknown, nil
}

func listProfiles(
	ctx context.Context, o *options, loader clientcmd.ClientConfig, hub string,
) (profiles []contexts.Profile, err error) {
	c, err := connectContext(ctx, o, loader, flagsFor(o.config, hub), nil)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(c.servedKinds.Resources, func(resource cluster.Resource) bool {
		return resource.Group == profileGroup && resource.Kind == profileKind
	})
	if at < 0 {
		return nil, fmt.Errorf("it doesn't serve %s", profileKind)
	}
	objects, err := c.reader.List(ctx, c.servedKinds.Resources[at], "", cluster.Selector{})
	for i := range objects {
		profiles = append(profiles, contexts.ProfileOf(&objects[i]))
	}
	return profiles, err
}

// unknownMembers are the clusters of an inventory to which no context leads: they can't be asked.
func unknownMembers(names []string) (members []finalizers.Member) {
	for _, name := range names {
		members = append(members, finalizers.Member{
			Name: name, Connect: func(context.Context) (*finalizers.Cluster, error) {
				return nil, errors.New("no context of the kubeconfig leads to it")
			},
		})
	}
	return members
}
