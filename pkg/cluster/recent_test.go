package cluster

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// served returns a Reader of a server that answers with pages, one after the other, and what it was asked.
func served(t *testing.T, pages ...[]byte) (live *Live, asked *[]string) {
	t.Helper()
	asked = &[]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		*asked = append(*asked, strings.TrimSpace(query.Get("resourceVersion")+" "+query.Get("continue")))
		_, _ = w.Write(pages[len(*asked)-1])
	}))
	t.Cleanup(server.Close)
	live, err := NewLive(t.Context(), &rest.Config{Host: server.URL}, "")
	if err != nil {
		t.Fatal(err)
	}
	return live, asked
}

// TestRecent asks for what the server has in memory. The token of a later page says itself which version it is
// of, and servers refuse both.
func TestRecent(t *testing.T) {
	live, asked := served(t, inProtobuf(t, somePage("more")), inProtobuf(t, somePage("")))
	if err := live.EachMetadata(t.Context(), Pods(), "", Selector{Recent: true},
		func(*metav1.PartialObjectMetadata) {}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"0", "more"}, *asked); diff != "" {
		t.Error(diff)
	}
}
