package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/contexts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// across is the flag of a command that may continue in other clusters.
type across struct {
	contexts []string // names and patterns of the contexts that may be asked; none without the flag
}

func (a *across) addFlags(flags *pflag.FlagSet) {
	flags.StringSliceVar(&a.contexts, "across", nil, "Where the object waits for something in another cluster, ask that "+
		"one too, if a context of the kubeconfig leads there. --across=NAMES (patterns too) asks only these contexts. "+
		"Without it, the answer says which cluster that is")
	flags.Lookup("across").NoOptDefVal = contexts.All
}

// validate refuses what does not go together with the flag.
func (a *across) validate(flags *pflag.FlagSet) error {
	if flags.Changed("across") && flags.Changed("watch") {
		return errors.New("--across can't be used with --watch: only one cluster can be watched")
	}
	return nil
}

// border leads from one cluster of a kubeconfig to the others.
type border struct {
	clusters crossable
	home     api.Cluster // that is asked
	passed   []string    // contexts by which the way has led here, which are not asked again
	shared   *crossed
}

// crossable are the clusters at hand.
type crossable interface {
	// config has a context for each cluster. names are all of them, the ones first that may be asked.
	config() api.Config
	names() []string
	may(name string) bool
	// connect connects to a cluster. Its home is how others lead there.
	connect(ctx context.Context, name string) (c *connection, home api.Cluster, err error)
	kubectl(name string) session.Kubectl
}

// crossed are the clusters that were connected to in one question, each once.
type crossed struct {
	limit time.Duration
	mu    sync.Mutex
	order []string
	by    map[string]*askedCluster
}

type askedCluster struct {
	tools   *mechanism.Tools
	limited context.Context //nolint:containedctx // it ends with the time of this cluster
	err     error
	begun   time.Time
}

// Lead implements mechanism.Border.
func (b *border) Lead(sought contexts.Sought) contexts.Leading {
	return contexts.Lead(b.clusters.config(), b.clusters.names(), b.home, sought, os.ReadFile)
}

// May implements mechanism.Border. A cluster from which the way has led here is not asked again.
func (b *border) May(chosen contexts.Chosen) bool {
	all := append([]string{chosen.Name}, chosen.Also...)
	passed := func(name string) bool { return slices.Contains(b.passed, name) }
	return slices.ContainsFunc(all, b.clusters.may) && !slices.ContainsFunc(all, passed)
}

// Kubectl implements mechanism.Border.
func (b *border) Kubectl(name string) session.Kubectl { return b.clusters.kubectl(name) }

// Cross implements mechanism.Border.
func (b *border) Cross(ctx context.Context, name string) (*mechanism.Tools, context.Context, error) {
	b.shared.mu.Lock()
	defer b.shared.mu.Unlock()
	if known := b.shared.by[name]; known != nil {
		return known.tools, known.limited, known.err
	}
	limited, cancel := context.WithTimeout(ctx, b.shared.limit)
	context.AfterFunc(ctx, cancel)
	asked := &askedCluster{begun: time.Now(), limited: limited}
	b.shared.by[name], b.shared.order = asked, append(b.shared.order, name)
	c, home, err := b.connectInTime(limited, name)
	if err != nil {
		asked.err = err
		return nil, limited, err
	}
	c.options.Border = &border{clusters: b.clusters, home: home, passed: append(slices.Clone(b.passed), name),
		shared: b.shared}
	asked.tools = c.options.Tools(c.reader)
	return asked.tools, limited, nil
}

// connectInTime connects to a cluster. One that does not answer is given up when its time is over.
func (b *border) connectInTime(limited context.Context, name string) (*connection, api.Cluster, error) {
	type connected struct {
		c    *connection
		home api.Cluster
		err  error
	}
	done := make(chan connected, 1)
	go func() {
		c, home, err := b.clusters.connect(limited, name)
		done <- connected{c, home, err}
	}()
	select {
	case got := <-done:
		if got.err != nil && limited.Err() != nil {
			got.err = fmt.Errorf("no answer within %s", b.shared.limit)
		}
		return got.c, got.home, got.err
	case <-limited.Done():
		return nil, api.Cluster{}, fmt.Errorf("no answer within %s", b.shared.limit)
	}
}

// Asked implements mechanism.Border.
func (b *border) Asked() (all []result.Cluster) {
	b.shared.mu.Lock()
	defer b.shared.mu.Unlock()
	for _, name := range b.shared.order {
		crossed := b.shared.by[name]
		asked := result.Cluster{
			Name: name, State: result.Answered, Seconds: time.Since(crossed.begun).Round(time.Millisecond).Seconds(),
		}
		switch {
		case crossed.err != nil:
			asked.State, asked.Error = result.Unanswered, crossed.err.Error()
		case crossed.limited.Err() != nil:
			asked.State, asked.Error = result.Incomplete, fmt.Sprintf("not finished within %s", b.shared.limit)
		}
		all = append(all, asked)
	}
	return all
}

func newBorder(clusters crossable, home api.Cluster, limit time.Duration) *border {
	return &border{clusters: clusters, home: home, shared: &crossed{limit: limit, by: map[string]*askedCluster{}}}
}

// kubeconfigClusters are the clusters of a kubeconfig.
type kubeconfigClusters struct {
	o       *options
	loader  clientcmd.ClientConfig
	raw     api.Config
	options mechanism.Options
	allowed []string
}

// borderOf returns what leads to the other clusters of a kubeconfig: nil if a recording is asked.
// What may be asked narrows the contexts down; nil is all.
func borderOf(o *options, c *connection, asked, among []string) (mechanism.Border, error) {
	if c.live == nil {
		return nil, nil
	}
	loader := o.config.ToRawKubeConfigLoader()
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, explainConfig(err)
	}
	k := &kubeconfigClusters{o: o, loader: loader, raw: raw, options: c.options}
	if len(asked) > 0 {
		names := slices.Sorted(maps.Keys(raw.Contexts))
		if among != nil {
			names = among
		}
		if k.allowed, err = contexts.Matching(names, asked); err != nil {
			return nil, fmt.Errorf("--across: %w", err)
		}
	}
	return newBorder(k, homeOf(c), o.several.limit), nil
}

// homeOf is how a cluster is reached.
func homeOf(c *connection) api.Cluster {
	return api.Cluster{
		Server: c.plain.Host, TLSServerName: c.plain.ServerName, CertificateAuthorityData: c.plain.CAData,
		CertificateAuthority: c.plain.CAFile,
	}
}

func (k *kubeconfigClusters) config() api.Config { return k.raw }

func (k *kubeconfigClusters) may(name string) bool { return slices.Contains(k.allowed, name) }

func (k *kubeconfigClusters) names() []string {
	names := slices.Sorted(maps.Keys(k.raw.Contexts))
	slices.SortStableFunc(names, func(a, b string) int { return session.FalseFirst(!k.may(a), !k.may(b)) })
	return names
}

func (k *kubeconfigClusters) connect(ctx context.Context, name string) (*connection, api.Cluster, error) {
	c, err := connectContext(ctx, k.o, k.loader, flagsFor(k.o.config, name), nil)
	if err != nil {
		return nil, api.Cluster{}, err
	}
	c.options.Plugins, c.options.Program, c.options.Deep = k.options.Plugins, k.options.Program, k.options.Deep
	return c, homeOf(c), nil
}

func (k *kubeconfigClusters) kubectl(name string) session.Kubectl {
	return session.Kubectl{Program: k.options.Program, Flags: repeatable(flagsFor(k.o.config, name), name)}
}
