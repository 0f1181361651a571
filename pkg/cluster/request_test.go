package cluster

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// astray are values that are not one segment of a path.
func astray() []string {
	return []string{
		".", "..", "/", "a/b", "a/", "/a", "../../kube-system/secrets/precious", "../../kube-system/pods/p/proxy/quit",
		"..%2f..%2fsecrets", "a%2Fb", "%2e%2e", "%", "a/../b", "a/..", "./a", "//",
	}
}

// asked is what one request is about.
type asked struct {
	resource        Resource
	namespace, name string
	subresource     string
}

// everyRequest are the methods of a Live whose requests have names in their paths, each in every form. A name that ends
// with one of a method and a space is another form of it.
func everyRequest(live *Live) map[string]func(context.Context, asked) error {
	visit := func(*metav1.PartialObjectMetadata) {}
	return map[string]func(context.Context, asked) error{
		"Get": func(ctx context.Context, of asked) error {
			_, err := live.Get(ctx, of.resource, of.namespace, of.name)
			return err
		},
		"Metadata": func(ctx context.Context, of asked) error {
			_, err := live.Metadata(ctx, of.resource, of.namespace, of.name)
			return err
		},
		"Rows": func(ctx context.Context, of asked) error {
			_, err := live.Rows(ctx, of.resource, of.namespace, of.name)
			return err
		},
		"List": func(ctx context.Context, of asked) error {
			_, err := live.List(ctx, of.resource, of.namespace, Selector{})
			return err
		},
		"ListUpTo": func(ctx context.Context, of asked) error {
			_, err := live.ListUpTo(ctx, of.resource, of.namespace, 9, func(*unstructured.Unstructured) {})
			return err
		},
		"EachMetadata": func(ctx context.Context, of asked) error {
			return live.EachMetadata(ctx, of.resource, of.namespace, Selector{}, visit)
		},
		"EachMetadata narrowing": func(ctx context.Context, of asked) error {
			return live.EachMetadata(ctx, of.resource, of.namespace, Selector{Narrow: true}, visit)
		},
		"Watch": func(ctx context.Context, of asked) error {
			return live.Watch(ctx, Scope{of.resource, of.namespace, of.name}, func(Sighting) {})
		},
		"Log": func(ctx context.Context, of asked) error {
			_, _, err := live.Log(ctx, of.namespace, of.name, LogPart{})
			return err
		},
		"ProbePatch": func(ctx context.Context, of asked) error {
			_, err := live.ProbePatch(ctx, of.resource, of.namespace, of.name, of.subresource, []byte("[]"))
			return err
		},
		"ProbeDelete": func(ctx context.Context, of asked) error {
			return live.ProbeDelete(ctx, of.resource, of.namespace, of.name)
		},
		"KeepFinalizers": func(ctx context.Context, of asked) error {
			_, err := live.KeepFinalizers(ctx, of.resource, of.namespace, of.name, Guard{}, nil, true)
			return err
		},
		"DeleteAgain": func(ctx context.Context, of asked) error {
			_, err := live.DeleteAgain(ctx, of.resource, of.namespace, of.name, Guard{}, true)
			return err
		},
		"FinalizeNamespace": func(ctx context.Context, of asked) error {
			read := &unstructured.Unstructured{Object: map[string]any{"kind": "Namespace"}}
			read.SetName(of.name)
			_, err := live.FinalizeNamespace(ctx, read, nil, true)
			return err
		},
	}
}

// reading are the methods of a Live whose requests have no names in their paths but constants, or that send none.
func reading() []string {
	return []string{"Config", "Discovery", "Expect", "Identity", "Now", "Review", "ServedKinds", "Source", "UseClock"}
}

// TestNoNameLeadsAstray puts what is no segment of a path into each part of each request: nothing is sent. It walks all
// methods of a Live, so that a new one can't be forgotten.
func TestNoNameLeadsAstray(t *testing.T) {
	var last string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("%s: %s %s was sent", last, r.Method, r.RequestURI)
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(server.Close)
	live, err := NewLive(t.Context(), &rest.Config{Host: server.URL}, "")
	if err != nil {
		t.Fatal(err)
	}
	requests := everyRequest(live)
	for i := range reflect.TypeFor[*Live]().NumMethod() {
		method := reflect.TypeFor[*Live]().Method(i).Name
		if requests[method] == nil && !slices.Contains(reading(), method) {
			t.Errorf("nobody tries what %s makes of hostile names", method)
		}
	}
	for _, method := range slices.Sorted(maps.Keys(requests)) {
		for part, of := range astrayIn(method) {
			last = method + " with a hostile " + part
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			var invalid *InvalidPart
			if err := requests[method](ctx, of); !errors.As(err, &invalid) || ctx.Err() != nil {
				t.Errorf("%s: %+v: %v", last, of, err)
			}
			cancel()
		}
	}
}

// astrayIn yields what a method may be asked about, with one part that isn't a segment of a path, and which one.
func astrayIn(method string) func(func(string, asked) bool) {
	method, _, _ = strings.Cut(method, " ")
	parts := map[string]func(*asked, string){
		"group":     func(of *asked, value string) { of.resource.Group = value },
		"version":   func(of *asked, value string) { of.resource.Version = value },
		"resource":  func(of *asked, value string) { of.resource.Resource = value },
		"namespace": func(of *asked, value string) { of.namespace = value },
		"name":      func(of *asked, value string) { of.name = value },
	}
	var empty []string // parts that must not be empty either
	switch method {
	case "List", "ListUpTo", "EachMetadata":
		delete(parts, "name")
		empty = []string{"version", "resource"}
	case "Rows": // of one object, or of all
		empty = []string{"resource"}
	case "Watch":
		empty = []string{"version", "resource"}
	case "Get", "Metadata": // without a version nothing is requested, and nothing is there
		empty = []string{"resource", "namespace", "name"}
	case "Log":
		parts = map[string]func(*asked, string){"namespace": parts["namespace"], "name": parts["name"]}
		empty = []string{"namespace", "name"}
	case "FinalizeNamespace":
		parts = map[string]func(*asked, string){"name": parts["name"]}
		empty = []string{"name"}
	case "ProbePatch":
		parts["subresource"] = func(of *asked, value string) { of.subresource = value }
		fallthrough
	default:
		empty = []string{"version", "resource", "namespace", "name"}
	}
	return func(yield func(string, asked) bool) {
		for part, set := range parts {
			values := astray()
			if slices.Contains(empty, part) {
				values = append(values, "")
			}
			for _, value := range values {
				of := asked{resource: PersistentVolumeClaims(), namespace: "shop", name: "data"}
				if set(&of, value); !yield(part, of) {
					return
				}
			}
		}
	}
}

// FuzzRequest makes requests of anything: each is refused, or leads to exactly what it is made of.
func FuzzRequest(f *testing.F) {
	for _, value := range append(astray(), "", "data", "a?b#c", "a,metadata.name=b", `a\,b=c`, "é\x00\n ", "\x94,") {
		f.Add("", "v1", "pods", "shop", value, "")
		f.Add(value, "v1", "things", value, "name", value)
		f.Add("a.io", value, value, "", "name", "log")
	}
	client, err := rest.UnversionedRESTClientFor(&rest.Config{
		Host: "https://example.com/k8s/clusters/one",
		ContentConfig: rest.ContentConfig{
			NegotiatedSerializer: scheme.Codecs.WithoutConversion(), GroupVersion: &schema.GroupVersion{},
		},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, group, version, resource, namespace, name, subresource string) {
		of := Resource{GroupVersionResource: schema.GroupVersionResource{Group: group, Version: version, Resource: resource}}
		of.Namespaced = namespace != ""
		for _, path := range [][]part{
			of.list(namespace), of.object(namespace, name), of.object(namespace, name, subresource),
		} {
			made, err := request(client, http.MethodGet, path)
			if err != nil {
				continue
			}
			if slices.ContainsFunc(path, func(one part) bool { return !utf8.ValidString(one.value) }) {
				t.Errorf("%q is sent", path)
			}
			want := []string{"", "k8s", "clusters", "one"}
			for _, one := range path {
				want = append(want, one.value)
			}
			is := made.URL()
			var got []string
			for _, segment := range strings.Split(is.EscapedPath(), "/") {
				segment, err := url.PathUnescape(segment)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, segment)
			}
			if !slices.Equal(got, want) || is.RawQuery != "" || is.Fragment != "" || is.Host != "example.com" {
				t.Errorf("%q leads to %s", path, is)
			}
		}
		term, err := fields.ParseSelector(FieldIs("metadata.name", name))
		one := err == nil && len(term.Requirements()) == 1
		if !one || utf8.ValidString(name) && term.Requirements()[0].Value != name {
			t.Errorf("%q is selected by %v, %v", name, term, err)
		}
	})
}
