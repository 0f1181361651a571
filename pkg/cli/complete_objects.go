package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// objects offers TYPE, TYPE/NAME and TYPE NAME….
func (c completer) objects(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(cmd.Context(), completionPatience)
	defer cancel()
	connection, err := connect(ctx, c.config)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	wanted, prefix, slash := strings.Cut(toComplete, "/")
	pairs := len(args) > 0 && strings.Contains(args[0], "/")
	switch {
	case slash:
		return namesStarting(ctx, connection, wanted, wanted+"/", prefix, namespaceOf(cmd, connection), nil)
	case pairs: // after TYPE/NAME only more of the kind can follow
		return typesStarting(connection.catalog, toComplete, "/"), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	case len(args) == 0:
		return typesStarting(connection.catalog, toComplete, ""), cobra.ShellCompDirectiveNoFileComp
	}
	return namesStarting(ctx, connection, args[0], "", toComplete, namespaceOf(cmd, connection), args[1:])
}

func (c completer) namespaces(cmd *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(cmd.Context(), completionPatience)
	defer cancel()
	connection, err := connect(ctx, c.config)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return namesStarting(ctx, connection, "namespaces", "", toComplete, "", nil)
}

// finalizersOfTarget offers what holds the object that is named on the command line.
func (c completer) finalizersOfTarget(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	wanted, name, slash := strings.Cut(strings.Join(args, "/"), "/")
	if !slash || strings.Contains(name, "/") {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), completionPatience)
	defer cancel()
	connection, err := connect(ctx, c.config)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	resource, found := resourceOf(connection.catalog, wanted)
	if !found {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	namespace := ""
	if resource.Namespaced {
		namespace = namespaceOf(cmd, connection)
	}
	object, err := connection.live.Metadata(ctx, resource, namespace, name)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return startingWith(object.Finalizers, toComplete), cobra.ShellCompDirectiveNoFileComp
}

// typesStarting offers the types that can be read, by the names that leave no doubt.
func typesStarting(catalog *cluster.Catalog, prefix, suffix string) []string {
	var names []string
	for _, resource := range catalog.Resources {
		if name := resource.QualifiedName(); slices.Contains(resource.Verbs, "get") && strings.HasPrefix(name, prefix) {
			names = append(names, name+suffix)
		}
	}
	slices.Sort(names)
	return names
}

// resourceOf returns what a type on the command line means, as resolveTypes does.
func resourceOf(catalog *cluster.Catalog, wanted string) (cluster.Resource, bool) {
	found := candidates(catalog, wanted)
	if len(found) == 0 {
		return cluster.Resource{}, false
	}
	return slices.MinFunc(found, func(a, b cluster.Resource) int {
		return cmp.Or(rank(a)-rank(b), strings.Compare(a.Group, b.Group))
	}), true
}

// namespaceOf returns where names are looked for: everywhere with --all-namespaces.
func namespaceOf(cmd *cobra.Command, connection *connection) string {
	if flag := cmd.Flags().Lookup("all-namespaces"); flag != nil && flag.Value.String() == "true" {
		return metav1.NamespaceAll
	}
	namespace, _, err := connection.loader.Namespace()
	if err != nil {
		return metav1.NamespaceDefault
	}
	return namespace
}

// namesStarting offers the objects of a type, those that are Terminating first: they are what one asks
// about. before is put before each name; those in without are left out.
func namesStarting(ctx context.Context, connection *connection, wanted, before, prefix, namespace string, without []string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	resource, found := resourceOf(connection.catalog, wanted)
	if !found {
		return nil, directive
	}
	if !resource.Namespaced {
		namespace = ""
	}
	terminating, others := map[string]string{}, map[string]string{}
	// What has arrived when the patience ends, or when something fails, is offered all the same.
	_ = connection.live.EachMetadata(ctx, resource, namespace, cluster.Selector{}, func(object *metav1.PartialObjectMetadata) {
		switch name := object.Name; {
		case !strings.HasPrefix(name, prefix) || slices.Contains(without, name) || strings.ContainsAny(name, " \t\n\r\x1b"):
		case object.DeletionTimestamp != nil:
			terminating[name] = before + name + "\t" + terminatingFor(connection.live.Now().Sub(object.DeletionTimestamp.Time))
		default:
			others[name] = before + name
		}
	})
	words := make([]string, 0, len(terminating)+len(others))
	for _, group := range []map[string]string{terminating, others} {
		for _, name := range keys(group) {
			words = append(words, group[name])
		}
	}
	return words, directive
}

func terminatingFor(age time.Duration) string {
	if age < time.Second {
		return "Terminating"
	}
	return "Terminating for " + duration.HumanDuration(age)
}
