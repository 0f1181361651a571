package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/states"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// connection is the cluster that the flags lead to: a genericclioptions.RESTClientGetter with the Reader's discovery.
type connection struct {
	genericclioptions.RESTClientGetter // the flags themselves, for the kubeconfig

	reader      cluster.Reader
	live        *cluster.Live // nil when the cluster is a recording
	servedKinds *cluster.ServedKinds
	seen        *cluster.ServedKinds // by the last look that has connected again; nil before the second
	config      *rest.Config
	plain       *rest.Config // for clients that are not bound to one run; nil when the cluster is a recording
	discovery   discovery.CachedDiscoveryInterface

	namespace string
	enforce   bool              // manifests must not name another namespace
	options   mechanism.Options // of everything that is asked of this cluster
}

// connect reads the kubeconfig and asks the server what it serves. Its errors say what to do. before is what was served
// when it was asked before, or nil: what isn't any more has to be accounted for.
func connect(
	ctx context.Context, flags *genericclioptions.ConfigFlags, before *cluster.ServedKinds,
) (*connection, error) {
	return connectBy(ctx, flags, flags.ToRawKubeConfigLoader(), before, nil)
}

// connectBy connects as a kubeconfig says, whose flags are for the commands in answers. authenticate gets what the
// kubeconfig has no credentials for, before a request needs them; nil leaves that to client-go.
func connectBy(
	ctx context.Context, flags *genericclioptions.ConfigFlags, loader clientcmd.ClientConfig,
	before *cluster.ServedKinds, authenticate func(context.Context, *rest.Config) error,
) (*connection, error) {
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, explainConfig(err)
	}
	if len(raw.Clusters) == 0 && *flags.APIServer == "" && os.Getenv("KUBERNETES_SERVICE_HOST") == "" {
		return nil, noClusterError{places: loader.ConfigAccess().GetLoadingPrecedence()}
	}
	if err := namesOfConfig(flags, raw); err != nil {
		return nil, err
	}
	config, namespace, enforce, err := configOf(loader)
	if err != nil {
		return nil, err
	}
	config.UserAgent = userAgent()
	if flags.WrapConfigFn != nil {
		config = flags.WrapConfigFn(config)
	}
	if authenticate != nil {
		if err := authenticate(ctx, config); err != nil {
			return nil, err
		}
	}
	live, err := cluster.NewLive(ctx, config, filepath.Join(*flags.CacheDir, "finalizers"))
	if err != nil {
		return nil, explainConfig(err)
	}
	live.Expect(before)
	c := &connection{
		RESTClientGetter: flags, reader: live, live: live, config: live.Config(), plain: config,
		discovery: live.Discovery(),
		namespace: namespace, enforce: enforce,
		options: mechanism.Options{Flags: repeatable(flags, raw.CurrentContext)},
	}
	asked := time.Now()
	if c.servedKinds, err = live.ServedKinds(ctx); err != nil {
		return nil, explainUnreachable(err, config, time.Since(asked), c.options.Flags)
	}
	return c, nil
}

// configOf returns how a kubeconfig leads to its cluster, the namespace that it names, and whether the user named that.
func configOf(loader clientcmd.ClientConfig) (config *rest.Config, namespace string, enforce bool, err error) {
	if config, err = loader.ClientConfig(); err != nil {
		return nil, "", false, explainConfig(err)
	}
	if namespace, enforce, err = loader.Namespace(); err != nil {
		return nil, "", false, explainConfig(err)
	}
	if err := cluster.CheckName(namespace, ""); err != nil {
		return nil, "", false, fmt.Errorf("the kubeconfig's context can't be used: %w. Name another with -n", err)
	}
	return config, namespace, enforce, nil
}

// namesOfConfig refuses a context, a cluster or a user that the kubeconfig doesn't have, and suggests others.
func namesOfConfig(flags *genericclioptions.ConfigFlags, config clientcmdapi.Config) error {
	for _, one := range []struct {
		flag, asked string
		names       []string
	}{
		{"context", *flags.Context, slices.Collect(maps.Keys(config.Contexts))},
		{"cluster", *flags.ClusterName, slices.Collect(maps.Keys(config.Clusters))},
		{"user", *flags.AuthInfoName, slices.Collect(maps.Keys(config.AuthInfos))},
	} {
		if meant := spelling.Meant(one.asked, one.names); meant != "" && !slices.Contains(one.names, one.asked) {
			return fmt.Errorf("the kubeconfig has no %s %q%s", one.flag, one.asked, meant)
		}
	}
	return nil
}

// userAgent is by what servers and their audit logs know this program.
func userAgent() string { return "kubectl-finalizers/" + strings.Trim(thisBuild().Version, "()") }

// repeatable returns the flags that lead another kubectl to the same cluster, as the same user: never a token.
func repeatable(flags *genericclioptions.ConfigFlags, currentContext string) []string {
	var words []string
	for _, flag := range [][2]string{
		{"kubeconfig", *flags.KubeConfig}, {"context", cmp.Or(*flags.Context, currentContext)},
		{"cluster", *flags.ClusterName}, {"user", *flags.AuthInfoName}, {"server", *flags.APIServer},
		{"as", *flags.Impersonate}, {"as-uid", *flags.ImpersonateUID},
	} {
		if flag[1] != "" {
			words = append(words, "--"+flag[0], flag[1])
		}
	}
	for _, group := range *flags.ImpersonateGroup {
		words = append(words, "--as-group", group)
	}
	return words
}

// repeated writes down the command that was typed, so that it can be given again from anywhere: to the same cluster, as
// the same user, in the same namespace. Flags that are left out are not for the second time.
func repeated(
	c *connection, config *genericclioptions.ConfigFlags, typed *pflag.FlagSet, words []string, without ...string,
) []string {
	words = append(words, c.options.Flags...)
	if !typed.Changed("all-namespaces") {
		words = append(words, "-n", c.namespace)
	}
	global := pflag.NewFlagSet("", pflag.ContinueOnError)
	config.AddFlags(global)
	typed.Visit(func(flag *pflag.Flag) {
		if global.Lookup(flag.Name) == nil && !slices.Contains(without, flag.Name) {
			words = append(words, flagWords(flag)...)
		}
	})
	return words
}

func flagWords(flag *pflag.Flag) (words []string) {
	name := "--" + flag.Name
	if several, is := flag.Value.(pflag.SliceValue); is {
		for _, value := range several.GetSlice() {
			words = append(words, name, value)
		}
		return words
	}
	if flag.NoOptDefVal == flag.Value.String() {
		return []string{name}
	}
	if flag.NoOptDefVal != "" { // a value of its own would be an argument
		return []string{name + "=" + flag.Value.String()}
	}
	return []string{name, flag.Value.String()}
}

// over returns the cluster of this connection, as a Reader reads it, to be asked.
func (c *connection) over(reader cluster.Reader) *finalizers.Cluster {
	return finalizers.Over(reader, c.options)
}

// tabler prints objects as kubectl get does: what of them an API server would say is worked out for a recording.
func (c *connection) tabler() cluster.Tabler {
	if c.live == nil {
		return states.Printer{Reader: c.reader}
	}
	return c.live
}

// ToRESTConfig implements genericclioptions.RESTClientGetter.
func (c *connection) ToRESTConfig() (*rest.Config, error) { return rest.CopyConfig(c.config), nil }

// ToDiscoveryClient implements genericclioptions.RESTClientGetter.
func (c *connection) ToDiscoveryClient() (discovery.CachedDiscoveryInterface, error) {
	return c.discovery, nil
}

// ToRESTMapper implements genericclioptions.RESTClientGetter.
func (c *connection) ToRESTMapper() (meta.RESTMapper, error) {
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(c.discovery)
	return restmapper.NewShortcutExpander(mapper, c.discovery, nil), nil
}
