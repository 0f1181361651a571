package cluster

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
)

// Live is a Reader of a running cluster. It asks afresh what that serves: an old answer could hide the cause's kind.
type Live struct {
	config    *rest.Config
	discovery discovery.CachedDiscoveryInterface
	offset    *atomic.Int64
	clock     func() time.Time // in place of the server's; nil for that
	counts    sync.Map         // how many objects a list had, or its first page, by key
	buffers   sync.Pool        // of *bufio.Reader: a scan reads a hundred lists, most of them a few bytes long
	// served holds what was asked for afresh: the resources of versions whose lists contradict discovery.
	served Memo[lately[schema.GroupVersion], map[string]bool]
	names  Memo[struct{}, registered]
	kinds  Memo[lately[schema.GroupResource], definedKind]
	behind Memo[lately[schema.GroupVersion], bool]
	before *ServedKinds // of the look before
}

// userAgent tells in audit logs which program has asked.
const userAgent = "kubectl-finalizers (" + runtime.GOOS + "/" + runtime.GOARCH + ")"

// NewLive returns a Reader for the cluster that config leads to. What discovery answers is kept in a folder, unless
// that is empty. Nothing is sent yet, and nothing is any more once ctx has ended.
func NewLive(ctx context.Context, config *rest.Config, discoveryDir string) (*Live, error) {
	config = rest.CopyConfig(config)
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, err
	}
	live := &Live{config: config, offset: &atomic.Int64{}}
	// The server's priority and fairness decides how fast one may ask: throttling here would only make people wait.
	config.QPS, config.Burst = -1, -1
	config.UserAgent = cmp.Or(config.UserAgent, userAgent)
	// Reading every kind there is would otherwise print a warning for each deprecated one.
	config.WarningHandlerWithContext = rest.NoWarnings{}
	retries, silent := newRetries(config.Timeout), &silences{}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		next = transport{ctx: ctx, next: next, offset: live.offset, retries: retries}
		return discoveryCache{dir: discoveryDir, base: base.Path, next: next, silent: silent}
	})
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	found, err := discovery.NewDiscoveryClientForConfigAndClient(config, client)
	if err != nil {
		return nil, err
	}
	live.discovery = memory.NewMemCacheClient(found)
	return live, nil
}

// request makes a request for a path.
func (l *Live) request(verb string, path []part) (*rest.Request, error) {
	return request(l.discovery.RESTClient(), verb, path)
}

// Config returns the configuration of this Reader's own clients, for others that should behave alike.
func (l *Live) Config() *rest.Config { return rest.CopyConfig(l.config) }

// Discovery returns the discovery client, whose answers are shared with ServedKinds.
func (l *Live) Discovery() discovery.CachedDiscoveryInterface { return l.discovery }

// UseClock has a clock tell the time, in place of the server's. It is called before anything is read.
func (l *Live) UseClock(now func() time.Time) { l.clock = now }

// Now implements Reader.
func (l *Live) Now() time.Time {
	if l.clock != nil {
		return l.clock()
	}
	return time.Now().Add(time.Duration(l.offset.Load()))
}

// Source implements Reader.
func (*Live) Source() Source { return FromServer }

// ServedKinds implements Reader.
func (l *Live) ServedKinds(ctx context.Context) (*ServedKinds, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { _, _ = l.registered(ctx) }() // side by side with discovery; it is asked for below
	client := discovery.ToDiscoveryInterfaceWithContext(l.discovery)
	groups, lists, err := discovery.ServerGroupsAndResourcesWithContext(ctx, client)
	servedKinds, err := newServedKinds(groups, lists, err)
	if err == nil && !servedKinds.hasCore() {
		return nil, fmt.Errorf("ask the server what it serves: %w", &WrongAnswer{Got: "no resources of the core group"})
	}
	if err != nil {
		return nil, err
	}
	named := map[schema.GroupVersion]bool{}
	for _, list := range lists {
		if version, err := schema.ParseGroupVersion(list.GroupVersion); err == nil {
			named[version] = true
		}
	}
	l.complete(ctx, servedKinds, named)
	return servedKinds, nil
}

// List implements Reader.
func (l *Live) List(
	ctx context.Context, resource Resource, namespace string, selector Selector,
) ([]unstructured.Unstructured, error) {
	var objects []unstructured.Unstructured
	err := eachPage(ctx, selector, func(options metav1.ListOptions, list *listed) (metav1.ListMeta, error) {
		list.held = true
		if options.Continue == "" { // the first page, or the first again
			objects = nil
		}
		return l.eachOfPage(ctx, resource, namespace, options, list, func(object *unstructured.Unstructured) {
			objects = append(objects, *object)
		})
	})
	if err != nil {
		return nil, err
	}
	return objects, nil
}

// EachMetadata implements Reader. Lists are streamed, and only what is to be kept is decoded.
func (l *Live) EachMetadata(
	ctx context.Context, resource Resource, namespace string, selector Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	fetch := func(options metav1.ListOptions, list *listed) (metav1.ListMeta, error) {
		return l.page(ctx, resource, namespace, options, &metadataFilter{keep: selector.Keep, visit: visit, list: list})
	}
	if selector.Narrow {
		return eachNarrowing(ctx, selector, fetch)
	}
	return eachPage(ctx, selector, func(options metav1.ListOptions, list *listed) (metav1.ListMeta, error) {
		options.Limit, list.passing = metadataPage, true
		return fetch(options, list)
	})
}
