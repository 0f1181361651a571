package cli

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/contexts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// completionPatience is how long a user who has pressed Tab waits before the shell offers nothing.
const completionPatience = 2 * time.Second

// completer offers what can come next on a command line. Without a cluster, or the right to list, it offers nothing.
type completer struct {
	config *genericclioptions.ConfigFlags
}

// complete gives every command and flag below root what completes it, unless it has that already: as TYPE or FINALIZER
// in the usage line, the names of flags and the values that they say they take tell.
func (c completer) complete(root *cobra.Command) {
	c.flags(root, root.PersistentFlags())
	for _, cmd := range root.Commands() {
		c.flags(cmd, cmd.Flags())
		if cmd.ValidArgsFunction != nil || len(cmd.ValidArgs) > 0 {
			continue
		}
		switch {
		case strings.Contains(cmd.Use, "TYPE"):
			cmd.ValidArgsFunction = c.ask(objects)
		case strings.Contains(cmd.Use, "FINALIZER"):
			cmd.ValidArgsFunction = knownFinalizers
		default:
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

// flagValues is the annotation under which a flag lists the values that it takes.
const flagValues = "values"

func (c completer) flags(cmd *cobra.Command, flags *pflag.FlagSet) {
	byName := map[string]cobra.CompletionFunc{
		"namespace":        c.ask(namespaces),
		"finalizer":        c.ask(finalizersOfTarget),
		"kind":             c.kinds,
		"cluster-profiles": c.fromKubeconfig(func(config *api.Config) []string { return keys(config.Contexts) }),
		"contexts": c.fromKubeconfig(func(config *api.Config) []string {
			return append(keys(config.Contexts), contexts.All)
		}),
		"context": c.fromKubeconfig(func(config *api.Config) []string { return keys(config.Contexts) }),
		"cluster": c.fromKubeconfig(func(config *api.Config) []string { return keys(config.Clusters) }),
		"user":    c.fromKubeconfig(func(config *api.Config) []string { return keys(config.AuthInfos) }),
	}
	for _, name := range []string{
		"as", "as-group", "as-uid", "as-user-extra", "at-once", "cluster-timeout", "field-selector", "interval",
		"listen-address", "max-named", "max-series", "proxy-url", "request-timeout",
		"selector", "server", "timeout", "tls-server-name", "token", "v",
	} {
		byName[name] = cobra.NoFileCompletions // not a file either, which shells offer otherwise
	}
	flags.VisitAll(func(flag *pflag.Flag) {
		how := byName[flag.Name]
		if values := flag.Annotations[flagValues]; len(values) > 0 {
			how = cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
		}
		if _, has := cmd.GetFlagCompletionFunc(flag.Name); how != nil && !has {
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, how) // fails for flags that don't exist: it does
		}
	})
}

// fromKubeconfig offers names in the kubeconfig; no cluster is asked.
func (c completer) fromKubeconfig(pick func(*api.Config) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
		config, _ := c.config.ToRawKubeConfigLoader().RawConfig() // empty where it can't be read
		return startingWith(pick(&config), toComplete), cobra.ShellCompDirectiveNoFileComp
	}
}

func knownFinalizers(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	known, err := plugins.Embedded()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return startingWith(known.Names(), toComplete), cobra.ShellCompDirectiveNoFileComp
}

// kinds offers the kinds that are known and the ones that the cluster serves.
func (c completer) kinds(cmd *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	set, err := plugins.Embedded()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	resources := knownKinds(set)
	ctx, cancel := context.WithTimeout(cmd.Context(), completionPatience)
	defer cancel()
	if connection, err := c.connect(ctx, cmd); err == nil {
		resources = append(resources, connection.servedKinds.Resources...)
	}
	kinds := sets.New(finding.Each(resources, func(one cluster.Resource) string { return one.GroupKind().String() })...)
	return startingWith(sets.List(kinds), toComplete), cobra.ShellCompDirectiveNoFileComp
}

// request is what is to be completed, and the cluster that is asked for it.
type request struct {
	*connection
	cmd        *cobra.Command
	args       []string
	toComplete string
}

// ask offers what a function finds in the cluster. Other words than these can't be file names.
func (c completer) ask(find func(context.Context, request) ([]string, cobra.ShellCompDirective)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), completionPatience)
		defer cancel()
		connection, err := c.connect(ctx, cmd)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		words, directive := find(ctx, request{connection, cmd, args, toComplete})
		return words, directive | cobra.ShellCompDirectiveNoFileComp
	}
}

// objects offers TYPE, TYPE/NAME and TYPE NAME…, and before types what is Terminating of them.
func objects(ctx context.Context, r request) ([]string, cobra.ShellCompDirective) {
	wanted, prefix, slash := strings.Cut(r.toComplete, "/")
	switch {
	case slash:
		return r.namesStarting(ctx, wanted, wanted+"/", prefix, nil)
	case len(r.args) == 0:
		return append(r.terminatingStarting(ctx), r.typesStarting("")...), cobra.ShellCompDirectiveKeepOrder
	case strings.Contains(r.args[0], "/"): // after TYPE/NAME only more of the kind can follow
		return r.typesStarting("/"), cobra.ShellCompDirectiveNoSpace
	}
	return r.namesStarting(ctx, r.args[0], "", r.toComplete, r.args[1:])
}

func namespaces(ctx context.Context, r request) ([]string, cobra.ShellCompDirective) {
	return r.namesStarting(ctx, "namespaces", "", r.toComplete, nil)
}

// finalizersOfTarget offers what holds the object that is named on the command line.
func finalizersOfTarget(ctx context.Context, r request) ([]string, cobra.ShellCompDirective) {
	wanted, name, slash := strings.Cut(strings.Join(r.args, "/"), "/")
	resource, namespace, found := r.resource(wanted)
	if !slash || strings.Contains(name, "/") || !found {
		return nil, 0
	}
	object, err := r.reader.Metadata(ctx, resource, namespace, name)
	if err != nil {
		return nil, 0
	}
	return startingWith(object.Finalizers, r.toComplete), 0
}

// typesStarting offers the types that can be read, by the names that leave no doubt.
func (r request) typesStarting(suffix string) (names []string) {
	for _, resource := range r.servedKinds.Resources {
		if slices.Contains(resource.Verbs, "get") {
			names = append(names, resource.QualifiedName()+suffix)
		}
	}
	slices.Sort(names)
	return startingWith(names, r.toComplete)
}

// resource returns what a type on the command line means, and where its objects are looked for.
func (r request) resource(wanted string) (resource cluster.Resource, namespace string, found bool) {
	candidates := cluster.Meant(r.servedKinds.Resources, wanted)
	if len(candidates) == 0 {
		return resource, "", false
	}
	resource = cluster.Preferred(candidates)
	all, _ := r.cmd.Flags().GetBool("all-namespaces") // false where there is no such flag
	if resource.Namespaced && !all {
		namespace = r.namespace
	}
	return resource, namespace, true
}

// namesStarting offers the objects of a type, Terminating ones first, each with before before its name and none of
// those in without.
func (r request) namesStarting(
	ctx context.Context, wanted, before, prefix string, without []string,
) ([]string, cobra.ShellCompDirective) {
	resource, namespace, found := r.resource(wanted)
	if !found {
		return nil, cobra.ShellCompDirectiveKeepOrder
	}
	terminating, others := map[string]string{}, map[string]string{}
	// What has arrived when the patience ends, or when something fails, is offered all the same.
	_ = r.reader.EachMetadata(ctx, resource, namespace, cluster.Selector{}, func(object *metav1.PartialObjectMetadata) {
		switch name := object.Name; {
		case !strings.HasPrefix(name, prefix) || slices.Contains(without, name) ||
			strings.ContainsAny(name, " \t\n\r\x1b"):
		case object.DeletionTimestamp != nil:
			terminating[name] = before + name + r.terminating(object)
		default:
			others[name] = before + name
		}
	})
	words := finding.Each(keys(terminating), func(name string) string { return terminating[name] })
	return append(words, finding.Each(keys(others), func(name string) string { return others[name] })...),
		cobra.ShellCompDirectiveKeepOrder
}

func keys[T any](named map[string]T) []string { return slices.Sorted(maps.Keys(named)) }

func startingWith(words []string, prefix string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !strings.HasPrefix(word, prefix) })
}
