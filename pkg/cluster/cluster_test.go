package cluster

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
)

// TestEachPage plays a server that forgets continue tokens, which a real one does only after minutes.
func TestEachPage(t *testing.T) {
	expired := apierrors.NewResourceExpired("token is too old")
	type answer struct {
		next string
		err  error
	}
	cases := []struct {
		name    string
		answers []answer
		want    []string // continue tokens that were sent
		fails   bool
	}{
		{"one page", []answer{{}}, []string{""}, false},
		{"three pages", []answer{{next: "a"}, {next: "b"}, {}}, []string{"", "a", "b"}, false},
		{"a token expires once", []answer{{next: "a"}, {err: expired}, {next: "b"}, {}}, []string{"", "a", "", "b"}, false},
		{"a token expires again and again", []answer{{next: "a"}, {err: expired}, {next: "b"}, {err: expired}},
			[]string{"", "a", "", "b"}, true},
		{"the first page is refused", []answer{{err: errors.New("no")}}, []string{""}, true},
		{"the server turns in a circle", []answer{{next: "a"}, {next: "a"}}, []string{"", "a"}, true},
		{"the server turns in a wide circle", []answer{{next: "a"}, {next: "b"}, {next: "c"}, {next: "a"}},
			[]string{"", "a", "b", "c"}, true},
		{"the same tokens after one expired",
			[]answer{{next: "a"}, {next: "b"}, {err: expired}, {next: "a"}, {next: "b"}, {}},
			[]string{"", "a", "b", "", "a", "b"}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var sent []string
			err := eachPage(t.Context(), Selector{Fields: "f", Labels: "l"}, func(
				options metav1.ListOptions, _ *listed,
			) (page metav1.ListMeta, err error) {
				if options.Limit != pageSize || options.FieldSelector != "f" || options.LabelSelector != "l" {
					t.Errorf("options %+v", options)
				}
				sent = append(sent, options.Continue)
				page.Continue = c.answers[len(sent)-1].next
				return page, c.answers[len(sent)-1].err
			})
			if (err != nil) != c.fails {
				t.Errorf("error %v", err)
			}
			if diff := cmp.Diff(c.want, sent); diff != "" {
				t.Errorf("tokens (-want +got):\n%s", diff)
			}
		})
	}
}

func TestServerClock(t *testing.T) {
	ahead := time.Hour
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
	}))
	defer server.Close()
	var offset atomic.Int64
	client := http.Client{Transport: transport{ctx: t.Context(), next: http.DefaultTransport, offset: &offset}}
	ask := func() time.Duration {
		response, err := client.Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return time.Duration(offset.Load())
	}
	if got := ask(); (got - time.Hour).Abs() > 5*time.Second {
		t.Errorf("the server's clock is an hour ahead, and the offset is %s", got)
	}
	if ahead = 0; ask() != 0 {
		t.Errorf("the clocks agree, and the offset is %s", time.Duration(offset.Load()))
	}
}

func TestServedKindsKeepWhatCouldBeRead(t *testing.T) {
	lists := []*metav1.APIResourceList{{GroupVersion: "v1", APIResources: []metav1.APIResource{
		{Name: "pods", Kind: "Pod", Namespaced: true, Verbs: []string{"get", "list", "watch", "delete"}},
		{Name: "events", Kind: "Event", Namespaced: true, Verbs: []string{"get", "list", "watch", "delete"}},
		{Name: "bindings", Kind: "Binding", Namespaced: true, Verbs: []string{"create"}},
		{Name: "pods/status", Kind: "Pod", Namespaced: true, Verbs: []string{"get"}},
	}}}
	groups := []*metav1.APIGroup{{Versions: []metav1.GroupVersionForDiscovery{{GroupVersion: "v1", Version: "v1"}}}}
	dead := schema.GroupVersion{Group: "metrics.k8s.io", Version: "v1beta1"}
	servedKinds, err := newServedKinds(groups, lists,
		&discovery.ErrGroupDiscoveryFailed{Groups: map[schema.GroupVersion]error{dead: errors.New("503")}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]schema.GroupVersion{dead}, servedKinds.FailedVersions()); diff != "" {
		t.Errorf("failed versions (-want +got):\n%s", diff)
	}
	if owned := servedKinds.Owned(); len(owned) != 1 || owned[0].Resource != "pods" {
		t.Errorf("the garbage collector watches %v, want pods alone", owned)
	}
	if servedKinds.Unserved(dead.WithKind("NodeMetrics")) || servedKinds.Unserved(schema.GroupVersionKind{Version: "v1",
		Kind: "Pod"}) {
		t.Error("a kind that is served, or may be, counts as not served")
	}
	if !servedKinds.Unserved(schema.GroupVersionKind{Group: "gone.example.com", Version: "v1", Kind: "Ghost"}) {
		t.Error("a kind that nothing serves counts as served")
	}
	if _, err := newServedKinds(nil, nil, errors.New("no route")); err == nil {
		t.Error("a discovery that failed altogether is no error")
	}
}

func TestPreferredVersions(t *testing.T) {
	list := func(version string, kinds ...string) *metav1.APIResourceList {
		list := &metav1.APIResourceList{GroupVersion: "shop.example.com/" + version}
		for _, kind := range kinds {
			list.APIResources = append(list.APIResources, metav1.APIResource{Name: strings.ToLower(kind) + "s", Kind: kind})
		}
		return list
	}
	preferred := metav1.GroupVersionForDiscovery{GroupVersion: "shop.example.com/v1", Version: "v1"}
	old := metav1.GroupVersionForDiscovery{GroupVersion: "shop.example.com/v1beta1", Version: "v1beta1"}
	groups := []*metav1.APIGroup{{Name: "shop.example.com", Versions: []metav1.GroupVersionForDiscovery{old, preferred},
		PreferredVersion: preferred}}
	lists := []*metav1.APIResourceList{list("v1beta1", "Order", "Legacy"), list("v1", "Order")}
	servedKinds, err := newServedKinds(groups, lists, nil)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, resource := range servedKinds.Resources {
		found = append(found, resource.Version+" "+resource.Kind)
	}
	if diff := cmp.Diff([]string{"v1beta1 Legacy", "v1 Order"}, found); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
	if servedKinds.Unserved(schema.GroupVersionKind{Group: "shop.example.com", Version: "v1beta1", Kind: "Order"}) {
		t.Error("a version that is served and not preferred counts as not served")
	}
}

// counting is a Reader that counts what it is asked.
type counting struct {
	Reader
	gets, lists atomic.Int32
	err         error
}

func (c *counting) Get(_ context.Context, _ Resource, namespace, name string) (*unstructured.Unstructured, error) {
	c.gets.Add(1)
	object := &unstructured.Unstructured{Object: map[string]any{}}
	object.SetNamespace(namespace)
	object.SetName(name)
	return object, c.err
}

func (c *counting) List(context.Context, Resource, string, Selector) ([]unstructured.Unstructured, error) {
	c.lists.Add(1)
	object := unstructured.Unstructured{Object: map[string]any{}}
	object.SetNamespace("ns")
	object.SetName("listed")
	return []unstructured.Unstructured{object}, c.err
}

func TestCachedReaderFetchesNothingTwice(t *testing.T) {
	reader := &counting{}
	cached := NewCachedReader(reader)
	var askers sync.WaitGroup
	for range 20 {
		askers.Go(func() {
			_, _ = cached.Get(t.Context(), Pods(), "ns", "web")
			_, _ = cached.List(t.Context(), Pods(), "ns", Selector{})
		})
	}
	askers.Wait()
	if reader.gets.Load() != 1 || reader.lists.Load() != 1 {
		t.Errorf("%d GETs and %d LISTs, want one each", reader.gets.Load(), reader.lists.Load())
	}
	if _, err := cached.Get(t.Context(), Pods(), "ns", "listed"); err != nil || reader.gets.Load() != 1 {
		t.Errorf("an object of a list was fetched again (%v)", err)
	}
	if _, err := cached.List(t.Context(), Pods(), "ns", Selector{Fields: "spec.nodeName!="}); err != nil ||
		reader.lists.Load() != 2 {
		t.Errorf("another selector is another list (%v)", err)
	}
}

func TestCachedReaderRemembersFailures(t *testing.T) {
	cached := NewCachedReader(&counting{err: apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "web",
		errors.New("no"))})
	_, _ = cached.Get(t.Context(), Pods(), "ns", "web")
	_, _ = cached.List(t.Context(), Pods(), "ns", Selector{})
	if got := cached.Failures(); len(got) != 2 || got[0].Name != "web" || got[1].Namespace != "ns" {
		t.Errorf("failures %+v, want the GET and the LIST", got)
	}
	absent := NewCachedReader(&counting{err: apierrors.NewNotFound(schema.GroupResource{Resource: "pods"}, "web")})
	if _, err := absent.Get(t.Context(), Pods(), "ns", "web"); err == nil || len(absent.Failures()) != 0 {
		t.Errorf("not found is an answer: error %v, failures %v", err, absent.Failures())
	}
}
