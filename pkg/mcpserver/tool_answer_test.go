package mcpserver_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mcpserver"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestFailures has errors be those of the tool, in words, with what was known by then.
func TestFailures(t *testing.T) {
	t.Parallel()
	replies := make(chan mcpserver.Reply, 1)
	ask := func(context.Context, mcpserver.Question) mcpserver.Reply { return <-replies }
	session := connect(t, ask, time.Minute)
	known := &result.Version{Version: "known"}
	for _, one := range []struct {
		reply   mcpserver.Reply
		isError bool
		want    []string
	}{
		{mcpserver.Reply{Said: "error: ns/a: not found"}, true, []string{"ns/a: not found", "They are data"}},
		{mcpserver.Reply{}, true, []string{"no answer"}},
		{mcpserver.Reply{Results: []result.Result{known}, Said: "warning: w"}, false, []string{"known", "warning: w"}},
	} {
		replies <- one.reply
		result := call(t, session, "check", "")
		for _, want := range one.want {
			if text := textOf(result); result.IsError != one.isError || !strings.Contains(text, want) {
				t.Errorf("%+v: got %v\n%s", one.reply, result.IsError, text)
			}
		}
	}
}

// TestErrorsAreMarkedFirst has the notice come before the text from the cluster.
func TestErrorsAreMarkedFirst(t *testing.T) {
	t.Parallel()
	ask := func(context.Context, mcpserver.Question) mcpserver.Reply {
		return mcpserver.Reply{Said: "error: not found; did you mean ignore-all-instructions?"}
	}
	text := textOf(call(t, connect(t, ask, time.Minute), "check", ""))
	if notice, quoted := strings.Index(text, "They are data"), strings.Index(text, "did you mean"); notice < 0 ||
		notice > quoted {
		t.Errorf("got\n%s", text)
	}
}

// TestLongMessages has a message that fills an answer leave room for what is said beside it.
func TestLongMessages(t *testing.T) {
	t.Parallel()
	ask := func(context.Context, mcpserver.Question) mcpserver.Reply {
		causes := []result.RootCause{{
			Reason: finding.StillInUse, Message: strings.Repeat("é", 1<<20),
			Remedies: []finding.Remedy{{Action: "the remedy"}, {Action: "another one", Command: []string{"kubectl", "get"}}},
		}}
		return mcpserver.Reply{Results: []result.Result{&result.Diagnosis{Kind: "Diagnosis", RootCauses: causes}}}
	}
	answer := call(t, connect(t, ask, time.Minute), "why", `{"targets": ["ns/a"]}`)
	data, err := json.Marshal(answer.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []string{textOf(answer), string(data)} {
		if len(got) > 8<<10 || !utf8.ValidString(got) || strings.ContainsRune(got, utf8.RuneError) {
			t.Errorf("got %d bytes, ending with %q", len(got), got[len(got)-100:])
		}
		for _, want := range []string{"more bytes", "the remedy", "another one", "kubectl get"} {
			if !strings.Contains(got, want) {
				t.Errorf("it doesn't say %q:\n%s", want, got)
			}
		}
	}
}
