package cluster

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

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

// named is notFound of one object.
func named(name string) string {
	return strings.Replace(notFound, `"code"`, fmt.Sprintf(`"details":{"name":%q},"code"`, name), 1)
}

// Where the definition of shirts.shop.example.com is, and what it says.
const (
	shirtsDefinition  = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/shirts.shop.example.com"
	shirtsService     = "/apis/apiregistration.k8s.io/v1/apiservices/v1.shop.example.com"
	definitionsServed = `200 {"kind":"APIResourceList","groupVersion":"apiextensions.k8s.io/v1","resources":[{"name":` +
		`"customresourcedefinitions"}]}`
	shirtsDefined = `200 {"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","metadata":{"name":` +
		`"shirts.shop.example.com"},"spec":{"group":"shop.example.com","scope":"Namespaced","versions":[{"name":"v1",` +
		`"served":true,"storage":true}]},"status":{"acceptedNames":{"plural":"shirts","singular":"shirt","kind":"Shirt"},` +
		`"conditions":[{"type":"Established","status":"True"}]}}`
)

// answering returns a Live whose server answers by path: with a code and a body, which are separated by a space.
// An answer that begins with 3 leads to what follows.
func answering(t *testing.T, answers map[string]string) (live *Live, asked *[]string) {
	t.Helper()
	asked = &[]string{}
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		*asked = append(*asked, r.URL.Path)
		mu.Unlock()
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
