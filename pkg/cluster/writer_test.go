package cluster

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
)

// TestWritesBelieveTheObjectOnly answers each write with 200 and something: only the object itself, with its uid, says
// that the write, or its dry run, passed.
func TestWritesBelieveTheObjectOnly(t *testing.T) {
	object := func(kind, version, name, uid string) string {
		return `{"kind":"` + kind + `","apiVersion":"` + version + `","metadata":{"name":"` + name + `","uid":"` + uid + `"}}`
	}
	deleted := func(name, uid string) string {
		return `{"kind":"Status","apiVersion":"v1","status":"Success","details":{"name":"` + name + `","uid":"` + uid + `"}}`
	}
	cases := []struct {
		name, answer string
		deletes      bool   // a DELETE may be answered so
		want         string // of the error; empty for none
	}{
		{name: "the object", answer: object("Namespace", "v1", "shop", "u"), deletes: true},
		{name: "its metadata", answer: object("PartialObjectMetadata", "meta.k8s.io/v1", "shop", "u"), deletes: true},
		{name: "that it is deleted", answer: deleted("shop", "u"), deletes: true, want: "is deleted"},
		{name: "that another one is deleted", answer: deleted("shop", "v"), want: "a Status"},
		{name: "a Status", answer: `{"kind":"Status","apiVersion":"v1","status":"Success"}`, want: "a Status"},
		{name: "another kind", answer: object("Secret", "v1", "shop", "u"), want: `an object of kind "Secret"`},
		{name: "another name", answer: object("Namespace", "v1", "bank", "u"), want: "another object"},
		{name: "another uid", answer: object("Namespace", "v1", "shop", "v"), want: "another uid"},
		{name: "no uid", answer: object("Namespace", "v1", "shop", ""), want: "another uid"},
		{name: "an empty object", answer: `{}`, want: "without apiVersion and kind"},
		{name: "null", answer: "null", want: "null"},
		{name: "nothing", answer: "", want: "nothing"},
		{name: "HTML", answer: "<html>logged in</html>", want: "HTML"},
		{name: "a list", answer: `[]`, want: "not an object"},
		{name: "half an object", answer: `{"kind":"Namespace"`, want: "not an object"},
	}
	for _, c := range cases {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(c.answer))
		}))
		live, err := NewLive(t.Context(), &rest.Config{Host: server.URL}, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, dryRun := range []bool{false, true} {
			for how, write := range everyWrite(live) {
				_, err := write(t.Context(), dryRun)
				want := c.want
				if c.deletes && how == "DeleteAgain" {
					want = ""
				}
				if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
					t.Errorf("%s, answered with %s: %v, want %q", how, c.name, err, want)
				}
			}
		}
		server.Close()
	}
}

func everyWrite(live *Live) map[string]func(context.Context, bool) (Written, error) {
	guard := Guard{UID: "u", ResourceVersion: "7"}
	whole := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{"name": "shop", "uid": "u", "resourceVersion": "7"}, "spec": map[string]any{},
	}}
	return map[string]func(context.Context, bool) (Written, error){
		"KeepFinalizers": func(ctx context.Context, dryRun bool) (Written, error) {
			return live.KeepFinalizers(ctx, Namespaces(), "", "shop", guard, nil, dryRun)
		},
		"FinalizeNamespace": func(ctx context.Context, dryRun bool) (Written, error) {
			return live.FinalizeNamespace(ctx, whole, nil, dryRun)
		},
		"DeleteAgain": func(ctx context.Context, dryRun bool) (Written, error) {
			return live.DeleteAgain(ctx, Namespaces(), "", "shop", guard, dryRun)
		},
	}
}
