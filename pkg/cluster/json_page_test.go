package cluster

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
)

// listing returns a Live whose server answers a list in two pages: the second is given.
func listing(t *testing.T, second string) *Live {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("continue") == "more" {
			_, _ = fmt.Fprint(w, second)
			return
		}
		_, _ = fmt.Fprint(w, `{"kind":"PodList","apiVersion":"v1","metadata":{"continue":"more","remainingItemCount":1},`+
			`"items":[{"metadata":{"name":"a"},"spec":{"count":9007199254740993,"ratio":1.5}}]}`)
	}))
	t.Cleanup(server.Close)
	live, err := NewLive(t.Context(), &rest.Config{Host: server.URL}, "")
	if err != nil {
		t.Fatal(err)
	}
	return live
}

// TestWholeLists says of each object what it is, as lists of Kubernetes' own kinds don't, and keeps whole numbers.
func TestWholeLists(t *testing.T) {
	live := listing(t, `{"items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"}}],"kind":"List","metadata":{}}`)
	want := []unstructured.Unstructured{
		{Object: map[string]any{
			"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "a"},
			"spec": map[string]any{"count": int64(9007199254740993), "ratio": 1.5},
		}},
		{Object: map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "b"}}},
	}
	listed, err := live.List(t.Context(), Pods(), "shop", Selector{})
	if diff := cmp.Diff(want, listed); diff != "" || err != nil {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	for most, count := range map[int]int{math.MaxInt: 2, 2: 2, 1: 1} {
		var visited []unstructured.Unstructured
		all, err := live.ListUpTo(t.Context(), Pods(), "shop", most, func(object *unstructured.Unstructured) {
			visited = append(visited, *object)
		})
		if diff := cmp.Diff(want[:count], visited); diff != "" || err != nil || all != (count == 2) {
			t.Errorf("up to %d: all of them %t, error %v (-want +got):\n%s", most, all, err, diff)
		}
	}
}

// TestBrokenWholeLists must not pass for shorter lists.
func TestBrokenWholeLists(t *testing.T) {
	for _, broken := range []string{
		``, `{`, `{}`, `[]`, `{"kind":"PodList","metadata":{}}`, `{"kind":"PodList","items":[null]}`,
		`{"kind":"PodList","items":["a"]}`, `{"kind":"PodList","items":{}}`,
		`{"kind":"PodList","items":[{"metadata":{"name":"b"}}`,
		`{"kind":"PodList","items":[{"metadata":{"name":"b"}}]`, `{"kind":"PodList","items":[],"metadata":7}`,
		`{"kind":"PodList","items":[{"metadata":{"name":"b"}},{"meta`, `{"items":[]}`,
	} {
		live := listing(t, broken)
		if _, err := live.List(t.Context(), Pods(), "", Selector{}); err == nil {
			t.Errorf("%s passes for a list", broken)
		}
		all, err := live.ListUpTo(t.Context(), Pods(), "", math.MaxInt, func(*unstructured.Unstructured) {})
		if err == nil || all {
			t.Errorf("%s passes for a whole list: %t, %v", broken, all, err)
		}
	}
}
