package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/contexts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
)

// several are the flags of commands that can ask several clusters side by side.
type several struct {
	contexts []string
	profiles string // the context of a hub
	atOnce   int
	limit    time.Duration
}

func (s *several) addFlags(flags *pflag.FlagSet) {
	flags.StringSliceVar(&s.contexts, "contexts", nil, "Ask several clusters side by side, and give one answer: "+
		"names of contexts, patterns such as 'prod-*', or all, separated by commas. Can be given several times")
	flags.StringVar(&s.profiles, "cluster-profiles", "", "Ask several clusters: those of the ClusterProfile objects "+
		"(multicluster.x-k8s.io) in the cluster of this context, as far as contexts of the kubeconfig lead to them")
	flags.IntVar(&s.atOnce, "at-once", finalizers.UsualAtOnce,
		"With --contexts: how many clusters are asked at the same time")
	flags.DurationVar(&s.limit, "cluster-timeout", finalizers.UsualLimit,
		"With --contexts: how long each cluster may take; one that takes longer is reported as not asked")
}

// oneCluster are the flags that lead to one cluster, or would be sent to each of several.
func oneCluster() map[string]string {
	const leads, sends = "it leads to one cluster", "it would be used for every cluster"
	return map[string]string{
		"context": leads, "cluster": leads, "server": leads, "tls-server-name": leads, "certificate-authority": leads,
		"insecure-skip-tls-verify": sends, "proxy-url": sends, "user": sends, "token": sends,
		"client-certificate": sends, "client-key": sends,
		"snapshot": "a recording answers in place of a cluster",
		"watch":    "only one cluster can be watched", "logs": "logs are read in one cluster at a time",
		"filename": "name the object as TYPE/NAME", "kustomize": "name the object as TYPE/NAME",
	}
}

// asked reports whether several clusters are to be asked. It refuses flags that don't go together with that.
func (s *several) asked(flags *pflag.FlagSet) (bool, error) {
	if !flags.Changed("contexts") && !flags.Changed("cluster-profiles") {
		for _, name := range []string{"at-once", "cluster-timeout"} {
			across := name == "cluster-timeout" && flags.Lookup("across") != nil && flags.Changed("across")
			if flags.Changed(name) && !across {
				return false, fmt.Errorf("--%s requires --contexts", name)
			}
		}
		return false, nil
	}
	refused := oneCluster()
	var err error
	flags.Visit(func(flag *pflag.Flag) {
		if why := refused[flag.Name]; why != "" && err == nil {
			err = fmt.Errorf("--%s can't be used with --contexts: %s", flag.Name, why)
		}
	})
	switch {
	case err != nil:
		return false, err
	case s.atOnce < 1:
		return false, errors.New("--at-once must be at least 1")
	case s.limit <= 0:
		return false, errors.New("--cluster-timeout must be greater than zero")
	}
	return true, nil
}

// chooseClusters returns the kubeconfig, the clusters of it that were asked for, and the names of clusters in the
// inventory of a hub to which no context leads.
func chooseClusters(
	ctx context.Context, o *options,
) (loader clientcmd.ClientConfig, chosen []contexts.Chosen, unknown []string, err error) {
	loader = o.config.ToRawKubeConfigLoader()
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, nil, nil, explainConfig(err)
	}
	if len(raw.Contexts) == 0 {
		return nil, nil, nil, noClusterError{places: loader.ConfigAccess().GetLoadingPrecedence()}
	}
	wanted := o.several.contexts
	if o.several.profiles != "" {
		var names []string
		if names, unknown, err = readProfiles(ctx, o, loader); err != nil {
			return nil, nil, nil, err
		}
		if wanted = slices.Concat(wanted, names); len(wanted) == 0 { // none leads anywhere, as each says
			return loader, nil, unknown, nil
		}
	}
	chosen, err = contexts.Choose(raw, wanted, os.ReadFile)
	return loader, chosen, unknown, err
}

// flagsFor are the flags as they would be with --context: commands in answers repeat them.
func flagsFor(common *genericclioptions.ConfigFlags, context string) *genericclioptions.ConfigFlags {
	flags := genericclioptions.NewConfigFlags(true)
	*flags.Context = context
	*flags.KubeConfig, *flags.CacheDir, *flags.Timeout = *common.KubeConfig, *common.CacheDir, *common.Timeout
	*flags.Namespace, *flags.DisableCompression = *common.Namespace, *common.DisableCompression
	*flags.Impersonate, *flags.ImpersonateUID = *common.Impersonate, *common.ImpersonateUID
	*flags.ImpersonateGroup = slices.Clone(*common.ImpersonateGroup)
	*flags.ImpersonateUserExtra = slices.Clone(*common.ImpersonateUserExtra)
	flags.WrapConfigFn = common.WrapConfigFn
	return flags
}

// loaderFor reads a kubeconfig that was read already as with --context: for a hundred contexts, to read it again for
// each takes seconds.
func loaderFor(
	raw api.Config, flags *genericclioptions.ConfigFlags, access clientcmd.ConfigAccess,
) (clientcmd.ClientConfig, error) {
	overrides := &clientcmd.ConfigOverrides{Timeout: *flags.Timeout}
	overrides.Context.Namespace = *flags.Namespace
	overrides.ClusterInfo.DisableCompression = *flags.DisableCompression
	overrides.AuthInfo.Impersonate, overrides.AuthInfo.ImpersonateUID = *flags.Impersonate, *flags.ImpersonateUID
	overrides.AuthInfo.ImpersonateGroups = *flags.ImpersonateGroup
	extra, err := extraOf(*flags.ImpersonateUserExtra)
	overrides.AuthInfo.ImpersonateUserExtra = extra
	return clientcmd.NewNonInteractiveClientConfig(raw, *flags.Context, overrides, access), err
}
