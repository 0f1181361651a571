package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// TestAssistantLosesPatience cancels a call, and asks another question: nothing more is asked of the cluster for the
// first.
func TestAssistantLosesPatience(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	if err := breakWith(t, plane, hostile); err != nil {
		t.Fatal(err)
	}
	kubeconfig, hangs, over := hanging(t, plane, "/configmaps")
	session, stderr := startMCP(t, "--kubeconfig", kubeconfig, "--request-timeout", "24h", "--timeout", "24h")
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	go func() {
		<-hangs
		cancel()
	}()
	params := &mcp.CallToolParams{Name: "list", Arguments: json.RawMessage(`{"namespace": "mcp"}`)}
	if _, err := session.CallTool(ctx, params); err == nil {
		t.Error("a call that was cancelled was answered")
	}
	select {
	case <-over:
	case <-time.After(longest):
		t.Error("the request goes on after the call was cancelled")
	}
	text, result := ask(t, session, "why", `{"targets": ["secret/token"], "namespace": "mcp"}`)
	if result.IsError || !strings.Contains(text, "example.com/hold") {
		t.Errorf("the next question was not answered:\n%s", text)
	}
	if err := session.Close(); err != nil {
		t.Errorf("%v\n%s", err, stderr)
	}
}

// TestAssistantLosesTheCluster has the cluster go away before a question and within one, and come back.
func TestAssistantLosesTheCluster(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	if err := breakWith(t, plane, hostile); err != nil {
		t.Fatal(err)
	}
	var gone atomic.Value // a part of the paths that nothing answers any more
	gone.Store("nothing")
	kubeconfig := answering(t, plane, func(_ http.ResponseWriter, r *http.Request, pass func()) {
		if strings.Contains(r.URL.Path, gone.Load().(string)) {
			panic(http.ErrAbortHandler) // the connection breaks
		}
		pass()
	})
	session, stderr := startMCP(t, "--kubeconfig", kubeconfig, "--request-timeout", "5s")
	for _, turn := range []struct {
		gone    string
		isError bool
		says    string
	}{
		{"nothing", false, "example.com/hold"},
		{"/", true, "can't be reached"},
		{"/secrets", false, "secrets in mcp (failed)"},
		{"nothing", false, "example.com/hold"},
	} {
		gone.Store(turn.gone)
		text, result := ask(t, session, "list", `{"namespace": "mcp"}`)
		if result.IsError != turn.isError || !strings.Contains(text, turn.says) {
			t.Errorf("without %s: got\n%s", turn.gone, text)
		}
	}
	if err := session.Close(); err != nil {
		t.Errorf("%v\n%s", err, stderr)
	}
}
