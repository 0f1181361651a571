package cluster

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

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
		definition   string // of shirts; that it isn't found, if empty
		service      string // the APIService of shirts' version; the same
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
		{name: "404 of a kind that is not served yet", answer: "404 {}", discovery: "404 {}", groups: other, ofShirts: true,
			definition: shirtsDefined, want: "404, although this kind is defined"},
		{name: "404 of a kind beside others, that is not served yet", answer: "404 {}", discovery: lacks, ofShirts: true,
			definition: shirtsDefined, want: "404, although this kind is defined"},
		{name: "404 of a version that isn't served any more", answer: "404 {}", discovery: "404 {}", groups: other,
			ofShirts: true, definition: strings.ReplaceAll(shirtsDefined, `"v1"`, `"v2"`), want: absent},
		{name: "404 of a kind whose definition is not established", answer: "404 {}", discovery: "404 {}", groups: other,
			ofShirts: true, definition: strings.ReplaceAll(shirtsDefined, `"True"`, `"False"`), want: absent},
		{name: "404, and the definition may not be read", answer: "404 {}", discovery: "404 {}", groups: other,
			ofShirts: true, definition: "403 {}", want: "404, and whether this kind is still defined could not be read"},
		{name: "404, and the definition is not found by no API server", answer: "404 {}", discovery: "404 {}",
			groups: other, ofShirts: true, definition: "404 page not found",
			want: "404, and whether this kind is still defined could not be read"},
		{name: "404 of another server's kind", answer: "404 {}", discovery: "404 {}", groups: other, ofShirts: true,
			service: `200 {"kind":"APIService","apiVersion":"apiregistration.k8s.io/v1","metadata":{"name":` +
				`"v1.shop.example.com"},"spec":{"service":{"name":"shop","namespace":"shop"}}}`,
			want: "404, although this kind is defined"},
		{name: "404 of a version of the API server's own", answer: "404 {}", discovery: "404 {}", groups: other,
			ofShirts: true, service: `200 {"kind":"APIService","apiVersion":"apiregistration.k8s.io/v1","metadata":` +
				`{"name":"v1.shop.example.com"},"spec":{}}`, want: absent},
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
		{name: "none of seven", answer: `200 {"kind":"ServiceList","apiVersion":"v1","metadata":{"remainingItemCount":7},` +
			`"items":[]}`, want: "a list that ends before its last 7 objects"},
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
			live, asked := answering(t, map[string]string{
				path: c.answer, discovery: c.discovery, "/apis": c.groups,
				"/apis/apiextensions.k8s.io/v1": definitionsServed,
				shirtsDefinition:                cmp.Or(c.definition, "404 "+named("shirts.shop.example.com")),
				shirtsService:                   cmp.Or(c.service, "404 "+named("v1.shop.example.com")),
			})
			begun := moment()
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
			if lists := 3; len(*asked) > lists+4 && moment() == begun {
				t.Errorf("%d requests, want one for each list, and at most two of discovery and of definitions", len(*asked))
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
