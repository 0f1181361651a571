package cluster

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
)

// TestLogs reads logs, with another answer for each.
func TestLogs(t *testing.T) {
	got := func(what string) func(error) bool {
		return func(err error) bool {
			got, wrong := GotWrongAnswer(err)
			return wrong && got == what
		}
	}
	const noLog = "something that is not a log"
	const line = "2026-01-02T03:04:05Z it is so\n"
	for _, test := range []struct {
		name, answer string
		code         int
		want         string
		all          bool
		fails        func(error) bool
	}{
		{"a short one", line, 200, line, true, nil},
		{"none", "", 200, "", true, nil},
		{"one that doesn't end", strings.Repeat(line, 1000), 200, strings.Repeat(line, 3), false, nil},
		{"a line that doesn't end", strings.TrimSpace(line) + strings.Repeat("x", 1000), 200, "", false, nil},
		{"an empty line", "2026-01-02T03:04:05.123456789Z\n", 200, "2026-01-02T03:04:05.123456789Z\n", true, nil},
		{"a page to log in", "\n<html>Log in</html>", 200, "", false, got("HTML")},
		{"words of the kubelet", "unable to retrieve container logs for containerd://0", 200, "", false, got(noLog)},
		{"a Status", `{"kind":"Status","status":"Success"}`, 200, "", false, got(noLog)},
		{"a pod that has gone", notFoundWeb, 404, "", false, apierrors.IsNotFound},
		{"a kubelet's error", `{"kind":"Status","reason":"InternalError"}`, 500, "", false, apierrors.IsInternalError},
	} {
		var asked *url.URL
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = r.URL
			if strings.HasPrefix(test.answer, "{") {
				w.Header().Set("Content-Type", "application/json")
			}
			w.WriteHeader(test.code)
			_, _ = io.WriteString(w, test.answer)
		}))
		defer server.Close()
		live, err := NewLive(t.Context(), &rest.Config{Host: server.URL}, "")
		if err != nil {
			t.Fatal(err)
		}
		part := LogPart{
			Container: "main", Previous: true, Lines: 7, Bytes: 100, Since: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		}
		lines, all, err := live.Log(t.Context(), "shop", "web", part)
		if string(lines) != test.want || all != test.all || (err != nil) != (test.fails != nil) {
			t.Errorf("%s: %q, all of it: %t, %v", test.name, lines, all, err)
		}
		if test.fails != nil && !test.fails(err) {
			t.Errorf("%s is answered with %v", test.name, err)
		}
		want := "/api/v1/namespaces/shop/pods/web/log?container=main&limitBytes=100&previous=true" +
			"&sinceTime=2026-01-02T03%3A04%3A05Z&tailLines=7&timestamps=true"
		if asked.String() != want {
			t.Errorf("%s: asked for %s, want %s", test.name, asked, want)
		}
	}
}
