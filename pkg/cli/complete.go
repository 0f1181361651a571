package cli

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// completionPatience is how long somebody who has pressed Tab waits before the shell offers nothing.
const completionPatience = 2 * time.Second

// completer offers what can come next on a command line. It never fails: without a cluster, or without
// the right to list, it offers nothing and says nothing.
type completer struct {
	config *genericclioptions.ConfigFlags
}

// complete gives every command and flag below root what completes it, unless it has that already. What
// is to be completed is read off the commands themselves: TYPE or FINALIZER in the usage line, the names
// of flags, and the values that a flag says it takes.
func (c completer) complete(root *cobra.Command) {
	c.flags(root, root.PersistentFlags())
	for _, cmd := range root.Commands() {
		c.flags(cmd, cmd.Flags())
		if cmd.ValidArgsFunction != nil || len(cmd.ValidArgs) > 0 {
			continue
		}
		switch {
		case strings.Contains(cmd.Use, "TYPE"):
			cmd.ValidArgsFunction = c.objects
		case strings.Contains(cmd.Use, "FINALIZER"):
			cmd.ValidArgsFunction = c.knownFinalizers
		default:
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

// flagValues is the annotation under which a flag lists the values that it takes.
const flagValues = "values"

func (c completer) flags(cmd *cobra.Command, flags *pflag.FlagSet) {
	byName := map[string]cobra.CompletionFunc{
		"namespace": c.namespaces,
		"finalizer": c.finalizersOfTarget,
		"kind":      c.kinds,
		"context":   c.fromKubeconfig(func(config *api.Config) []string { return keys(config.Contexts) }),
		"cluster":   c.fromKubeconfig(func(config *api.Config) []string { return keys(config.Clusters) }),
		"user":      c.fromKubeconfig(func(config *api.Config) []string { return keys(config.AuthInfos) }),
	}
	for _, name := range []string{
		"as", "as-group", "as-uid", "as-user-extra", "field-selector", "proxy-url", "request-timeout",
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
		config, err := c.config.ToRawKubeConfigLoader().RawConfig()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return startingWith(pick(&config), toComplete), cobra.ShellCompDirectiveNoFileComp
	}
}

// knownFinalizers offers the finalizers that something is known of.
func (c completer) knownFinalizers(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	known, err := plugins.Embedded()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return startingWith(known.Names(), toComplete), cobra.ShellCompDirectiveNoFileComp
}

func keys[T any](named map[string]T) []string {
	names := make([]string, 0, len(named))
	for name := range named {
		names = append(names, name)
	}
	slices.SortFunc(names, cmp.Compare[string])
	return names
}

func startingWith(words []string, prefix string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !strings.HasPrefix(word, prefix) })
}
