package cluster

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
)

// notFound is a Status, as an API server answers it.
const notFound = `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"gone","reason":"NotFound",` +
	`"code":404}`

// notFoundWeb says it of an object.
const notFoundWeb = `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"gone","reason":"NotFound",` +
	`"details":{"name":"web","kind":"services"},"code":404}`

// answering returns a Live whose server answers by path: with a code and a body, which are separated by a space.
// An answer that begins with 3 leads to what follows.
func answering(t *testing.T, answers map[string]string) (live *Live, asked *[]string) {
	t.Helper()
	asked = &[]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.URL.Path)
		code, body, _ := strings.Cut(answers[r.URL.Path], " ")
		switch {
		case code == "":
			t.Errorf("nobody was to ask %s", r.URL.Path)
		case code[0] == '3':
			w.Header().Set("Location", body)
			body = ""
		case strings.HasPrefix(body, "{"):
			w.Header().Set("Content-Type", "application/json")
		}
		var status int
		_, _ = fmt.Sscan(code, &status)
		w.WriteHeader(max(status, 200))
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	live, err := NewLive(t.Context(), &rest.Config{Host: server.URL}, "")
	if err != nil {
		t.Fatal(err)
	}
	return live, asked
}

// theWaysToList are all reads of lists.
func theWaysToList(live *Live, resource Resource) map[string]func(context.Context) (int, error) {
	return map[string]func(context.Context) (int, error){
		"List": func(ctx context.Context) (int, error) {
			objects, err := live.List(ctx, resource, "shop", Selector{})
			return len(objects), err
		},
		"ListUpTo": func(ctx context.Context) (count int, err error) {
			_, err = live.ListUpTo(ctx, resource, "shop", math.MaxInt, func(*unstructured.Unstructured) { count++ })
			return count, err
		},
		"EachMetadata": func(ctx context.Context) (count int, err error) {
			err = live.EachMetadata(ctx, resource, "shop", Selector{}, func(*metav1.PartialObjectMetadata) { count++ })
			return count, err
		},
	}
}

// TestWrongLists answers lists with what is none: that is an error which says what came, and never an empty list, nor
// "not found" of a kind that is served.
func TestWrongLists(t *testing.T) {
	const services, shirts = "/api/v1/namespaces/shop/services", "/apis/shop.example.com/v1/namespaces/shop/shirts"
	const serves = `200 {"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"services"},{"name":"shirts"}]}`
	const lacks = `200 {"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods"}]}`
	const group = `200 {"kind":"APIGroupList","groups":[{"name":"shop.example.com",` +
		`"versions":[{"groupVersion":"shop.example.com/v1"}]}]}`
	const other = `200 {"kind":"APIGroupList","groups":[{"name":"apps","versions":[{"groupVersion":"apps/v1"}]}]}`
	const fine, absent = "", "not found"
	cases := []struct {
		name, answer string
		discovery    string // of the group version
		groups       string
		ofShirts     bool   // a kind from a definition; otherwise services
		want         string // in the error; fine for none, absent for one that says so
		count        int
	}{
		{name: "nothing there", answer: `200 {"kind":"ServiceList","apiVersion":"v1","metadata":{},"items":[]}`, want: fine},
		{name: "one there", answer: `200 {"kind":"ServiceList","apiVersion":"v1","items":[{"metadata":{"name":"a"}}]}`,
			want: fine, count: 1},
		{name: "kind at the end", answer: `200 {"apiVersion":"v1","items":[{"metadata":{"name":"a"}}],"kind":"ServiceList"}`,
			count: 1},
		{name: "just a list",
			answer: `200 {"kind":"List","apiVersion":"v1","items":[{"kind":"Service","apiVersion":"v1",` +
				`"metadata":{"name":"a"}}]}`, count: 1},
		{name: "a list of a kind of its own", answer: `200 {"kind":"Wardrobe","apiVersion":"shop.example.com/v1","items":[]}`,
			ofShirts: true, want: fine},
		{name: "404", answer: "404 " + notFound, discovery: serves, want: "404, although it serves this kind"},
		{name: "404 of no API server", answer: "404 page not found", discovery: serves,
			want: "404, although it serves this kind"},
		{name: "405", answer: "405 {}", discovery: serves, want: "405, although it serves this kind"},
		{name: "404 of a kind that has gone", answer: "404 page not found", discovery: lacks, want: absent},
		{name: "405 of a kind that has gone", answer: "405 {}", discovery: lacks, want: absent},
		{name: "404 of all of the core group", answer: "404 {}", discovery: "404 {}", groups: other,
			want: "does not say whether it serves this kind"},
		{name: "404 of a version that has gone", answer: "404 {}", discovery: "404 {}", groups: other, ofShirts: true,
			want: absent},
		{name: "404 of all of a version that is named", answer: "404 {}", discovery: "404 {}", groups: group, ofShirts: true,
			want: "does not say whether it serves this kind"},
		{name: "404, and so is everything", answer: "404 {}", discovery: "404 {}", groups: "404 {}", ofShirts: true,
			want: "does not say whether it serves this kind"},
		{name: "404, and discovery fails", answer: "404 {}", discovery: "503 {}",
			want: "does not say whether it serves this kind"},
		{name: "404, and discovery is empty", answer: "404 {}", discovery: "200 {}",
			want: "does not say whether it serves this kind"},
		{name: "404, and discovery is HTML", answer: "404 {}", discovery: "200 <html>",
			want: "does not say whether it serves this kind"},
		{name: "an empty object", answer: "200 {}", want: "an object without apiVersion and kind"},
		{name: "items alone", answer: `200 {"items":[]}`, want: "an object without apiVersion and kind"},
		{name: "nothing at all", answer: "200 ", want: "nothing"},
		{name: "null", answer: "200 null", want: "null"},
		{name: "text", answer: "200 OK", want: "something that is not an object"},
		{name: "HTML", answer: "200 \n<!DOCTYPE html><title>Log in</title>", want: "HTML"},
		{name: "a Status", answer: "200 " + notFound, want: "a Status"},
		{name: "a Status with items", answer: `200 {"kind":"Status","apiVersion":"v1","items":[]}`, want: "a Status"},
		{name: "one object", answer: `200 {"kind":"Service","apiVersion":"v1","metadata":{"name":"a"}}`,
			want: `an object of kind "Service"`},
		{name: "another list", answer: `200 {"kind":"PodList","apiVersion":"v1","items":[]}`,
			want: `an object of kind "PodList"`},
		{name: "another list, and one there",
			answer: `200 {"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a"}}]}`,
			want:   `an object of kind "PodList"`},
		{name: "another list, kind at the end",
			answer: `200 {"apiVersion":"v1","items":[{"metadata":{"name":"a"}}],"kind":"PodList"}`,
			want:   `an object of kind "PodList"`},
		{name: "a list of another group",
			answer: `200 {"kind":"ServiceList","apiVersion":"serving.example.com/v1","items":[]}`,
			want:   `an object of kind "ServiceList"`},
		{name: "a list of a kind of another group", answer: `200 {"kind":"PodList","apiVersion":"v1","items":[]}`,
			ofShirts: true, want: `an object of kind "PodList"`},
		{name: "other objects",
			answer: `200 {"kind":"List","apiVersion":"v1","items":[{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}]}`,
			want:   `an object of kind "Pod"`},
		{name: "a list without items", answer: `200 {"kind":"ServiceList","apiVersion":"v1"}`, want: "a list without items"},
		{name: "a redirect", answer: "302 https://login.example.com/?next=secret",
			want: "a redirect to https://login.example.com"},
		{name: "a redirect to the same server", answer: "301 /login", want: "a redirect to http://127.0.0.1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			resource, path, discovery := Services(), services, "/api/v1"
			if c.ofShirts {
				resource, path, discovery = namespaced("shop.example.com", "Shirt"), shirts, "/apis/shop.example.com/v1"
			}
			live, asked := answering(t, map[string]string{path: c.answer, discovery: c.discovery, "/apis": c.groups})
			for way, list := range theWaysToList(live, resource) {
				count, err := list(t.Context())
				_, wrong := GotWrongAnswer(err)
				switch {
				case c.want == fine && (err != nil || count != c.count):
					t.Errorf("%s: %d objects, %v", way, count, err)
				case c.want == absent && !apierrors.IsNotFound(err):
					t.Errorf("%s: %v is not not found", way, err)
				case c.want == fine, c.want == absent:
				case !wrong || apierrors.IsNotFound(err) || !strings.Contains(fmt.Sprint(err), c.want) || count > 0:
					t.Errorf("%s: %d objects, error %v, want %q", way, count, err, c.want)
				}
			}
			if lists := 3; len(*asked) > lists+2 {
				t.Errorf("%d requests, want one for each list, and at most two of discovery", len(*asked))
			}
		})
	}
}

// TestWrongProtobufLists are lists that don't say that they are such.
func TestWrongProtobufLists(t *testing.T) {
	list := inProtobuf(t, somePage(""))
	status := strings.Replace(string(list), "PartialObjectMetadataList", "StatusThatIsNoList\x00\x00\x00\x00\x00\x00\x00",
		1)
	live, _ := served(t, []byte(status))
	err := live.EachMetadata(t.Context(), Pods(), "", Selector{}, func(*metav1.PartialObjectMetadata) {})
	if _, wrong := GotWrongAnswer(err); !wrong {
		t.Errorf("error %v", err)
	}
	live, _ = served(t, []byte(protobufMagic+"\x12\x00")) // content, and no word of what it is
	if live.EachMetadata(t.Context(), Pods(), "", Selector{}, func(*metav1.PartialObjectMetadata) {}) == nil {
		t.Error("protobuf that without apiVersion and kind passes for a list")
	}
}

// TestWrongObjects answers the read of one object with what isn't that object.
func TestWrongObjects(t *testing.T) {
	const at = "/api/v1/namespaces/shop/services/web"
	const serves = `200 {"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"services"}]}`
	object := func(kind, version, namespace, name string) string {
		return fmt.Sprintf(`200 {"kind":%q,"apiVersion":%q,"metadata":{"namespace":%q,"name":%q}}`, kind, version, namespace,
			name)
	}
	for name, c := range map[string]struct{ answer, discovery, want string }{
		"itself":                 {answer: object("Service", "v1", "shop", "web")},
		"itself, metadata alone": {answer: object("PartialObjectMetadata", "meta.k8s.io/v1", "shop", "web")},
		"not there":              {answer: "404 " + notFoundWeb, want: "gone"},
		"404 of nothing":         {answer: "404 " + notFound, discovery: serves, want: "404, although"},
		"404 of another object": {answer: "404 " + strings.Replace(notFoundWeb, "web", "db", 1),
			discovery: serves, want: "404, although"},
		"404 of no API server": {answer: "404 page not found", discovery: serves, want: "404, although"},
		"404 of no API server, and no JSON": {answer: "404 <html>", discovery: "200 <html>",
			want: "does not say whether it serves this kind"},
		"another name":      {answer: object("Service", "v1", "shop", "db"), want: "another object"},
		"another namespace": {answer: object("Service", "v1", "market", "web"), want: "another object"},
		"another kind":      {answer: object("Pod", "v1", "shop", "web"), want: `kind "Pod"`},
		"another group": {answer: object("Service", "serving.example.com/v1", "shop", "web"),
			want: `kind "Service"`},
		"an empty object": {answer: "200 {}", want: "without apiVersion and kind"},
		"a Status":        {answer: "200 " + notFound, want: "a Status"},
		"HTML":            {answer: "200 <html>", want: "HTML"},
		"null":            {answer: "200 null", want: "null"},
		"nothing":         {answer: "200 ", want: "nothing"},
		"a redirect": {answer: "307 https://elsewhere.example.com/",
			want: "a redirect to https://elsewhere.example.com"},
		"far too long": {answer: "200 {" + strings.Repeat(" ", maxAnswer), want: "more than 64 MiB"},
	} {
		live, _ := answering(t, map[string]string{at: c.answer, "/api/v1": c.discovery})
		_, whole := live.Get(t.Context(), Services(), "shop", "web")
		_, metadata := live.Metadata(t.Context(), Services(), "shop", "web")
		for form, err := range map[string]error{"whole": whole, "metadata": metadata} {
			_, wrong := GotWrongAnswer(err)
			absent := name == "not there"
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) ||
				wrong != (c.want != "" && !absent) || apierrors.IsNotFound(err) != absent {
				t.Errorf("%s, %s: error %v, want %q", name, form, err, c.want)
			}
		}
	}
}
