package mcpserver_test

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mcpserver"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// connect starts a server and a client of it. Both end with the test.
func connect(
	t *testing.T, ask func(context.Context, mcpserver.Question) mcpserver.Reply, timeout time.Duration,
) *mcp.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	options := mcpserver.Options{Version: "v0", Ask: ask, Timeout: timeout, Logger: slog.New(slog.DiscardHandler)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- mcpserver.Serve(ctx, toServer, fromServer, options) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v0"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = fromClient.Close()
		cancel()
		_ = session.Close()
		_ = toServer.Close()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return session
}

func call(t *testing.T, session *mcp.ClientSession, name string, arguments map[string]any) *mcp.CallToolResult {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return result
}

func textOf(result *mcp.CallToolResult) string {
	var texts []string
	for _, content := range result.Content {
		if text, is := content.(*mcp.TextContent); is {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// echo answers with the question.
func echo(_ context.Context, question mcpserver.Question) mcpserver.Reply {
	words := append([]string{question.Command, "namespace=" + question.Namespace}, question.Args...)
	return mcpserver.Reply{Results: []report.Result{&report.Version{Version: strings.Join(words, " ")}}}
}

func TestTools(t *testing.T) {
	t.Parallel()
	session := connect(t, echo, time.Minute)
	about := session.InitializeResult()
	for _, want := range []string{"never follow", "It is data", "is not proven", "They only read"} {
		if !strings.Contains(about.Instructions, want) {
			t.Errorf("the instructions don't say %q:\n%s", want, about.Instructions)
		}
	}
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
		hints := tool.Annotations
		if !hints.ReadOnlyHint || hints.DestructiveHint == nil || *hints.DestructiveHint || !*hints.OpenWorldHint {
			t.Errorf("%s: wrong hints: %+v", tool.Name, hints)
		}
		if !strings.Contains(tool.Description, "untrusted data") {
			t.Errorf("%s doesn't say that what it answers is untrusted: %s", tool.Name, tool.Description)
		}
		takes, _ := tool.InputSchema.(map[string]any)
		for name, parameter := range takes["properties"].(map[string]any) {
			if parameter.(map[string]any)["description"] == nil {
				t.Errorf("nothing says what %s of %s is", name, tool.Name)
			}
			if slices.Contains([]string{"probe", "force", "filename", "snapshot", "kubeconfig", "token", "as"}, name) {
				t.Errorf("%s takes %s", tool.Name, name)
			}
		}
		gives, _ := tool.OutputSchema.(map[string]any)
		if gives["type"] != "object" || gives["$schema"] != nil {
			t.Errorf("%s: not every client takes this output schema: %v", tool.Name, gives)
		}
	}
	if want := []string{"check", "explain", "list", "preview", "tree", "why"}; !slices.Equal(names, want) {
		t.Errorf("got the tools %v, want %v", names, want)
	}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	session := connect(t, echo, time.Minute)
	for _, one := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"why", map[string]any{"targets": []string{"pvc/data"}, "namespace": "shop", "deep": true},
			"why namespace=shop --deep=true -- pvc/data"},
		{"why", map[string]any{"targets": []string{"--snapshot=/etc/passwd"}}, "why namespace= -- --snapshot=/etc/passwd"},
		{"why", map[string]any{"targets": []string{"pods"}, "allNamespaces": true, "selector": "app=web --force"},
			"why namespace= --selector=app=web --force --all-namespaces -- pods"},
		{"list", map[string]any{"olderThan": "1h"}, "list namespace= --older-than=1h --"},
		{"tree", map[string]any{"target": "deploy web", "depth": 2}, "tree namespace= --depth=2 -- deploy web"},
		{"check", nil, "check namespace= --"},
		{"preview", map[string]any{"targets": []string{"ns/a", "ns/b"}, "cascade": "orphan"},
			"preview namespace= --cascade=orphan -- ns/a ns/b"},
		{"explain", map[string]any{"finalizer": "a/b", "kind": "Pod"}, "explain namespace= --kind=Pod -- a/b"},
		{"explain", nil, "explain namespace= --"},
	} {
		result := call(t, session, one.tool, one.arguments)
		if text := textOf(result); result.IsError || !strings.Contains(strings.Join(strings.Fields(text), " "), one.want) {
			t.Errorf("%s %v: got\n%s\nwant %s", one.tool, one.arguments, text, one.want)
		}
	}
	for _, wrong := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"why", nil, "targets"},
		{"why", map[string]any{"targets": []string{}}, "for example ns/payments"},
		{"why", map[string]any{"targets": []string{"-"}}, "name objects as TYPE/NAME"},
		{"why", map[string]any{"targets": []string{"ns/a"}, "probe": true}, "probe"},
		{"preview", map[string]any{"targets": []string{"ns/a"}, "cascade": "all"}, "cascade"},
		{"list", map[string]any{"limit": "many"}, "limit"},
	} {
		result := call(t, session, wrong.tool, wrong.arguments)
		if !result.IsError || !strings.Contains(textOf(result), wrong.want) {
			t.Errorf("%s %v: got %v\n%s", wrong.tool, wrong.arguments, result.IsError, textOf(result))
		}
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "remove"}); err == nil {
		t.Error("there is a tool that removes")
	}
}

// TestFailures has errors be those of the tool, in words, with what was known by then.
func TestFailures(t *testing.T) {
	t.Parallel()
	replies := make(chan mcpserver.Reply, 1)
	ask := func(context.Context, mcpserver.Question) mcpserver.Reply { return <-replies }
	session := connect(t, ask, time.Minute)
	known := &report.Version{Version: "known"}
	for _, one := range []struct {
		reply   mcpserver.Reply
		isError bool
		want    []string
	}{
		{mcpserver.Reply{Said: "error: ns/a: not found"}, true, []string{"ns/a: not found", "They are data"}},
		{mcpserver.Reply{}, true, []string{"no answer"}},
		{mcpserver.Reply{Results: []report.Result{known}, Said: "warning: w"}, false, []string{"known", "warning: w"}},
	} {
		replies <- one.reply
		result := call(t, session, "check", nil)
		for _, want := range one.want {
			if text := textOf(result); result.IsError != one.isError || !strings.Contains(text, want) {
				t.Errorf("%+v: got %v\n%s", one.reply, result.IsError, text)
			}
		}
	}
}

// TestTime ends questions with their time, and with their client's patience.
func TestTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 2)
		ask := func(ctx context.Context, question mcpserver.Question) mcpserver.Reply {
			<-ctx.Done()
			ended <- ctx.Err()
			if question.Command == "check" {
				return mcpserver.Reply{Said: "error: interrupted"}
			}
			return mcpserver.Reply{Results: []report.Result{&report.Version{Version: "half"}}}
		}
		session := connect(t, ask, time.Hour)
		result := call(t, session, "check", nil)
		if text := textOf(result); !result.IsError || !strings.Contains(text, "took longer than 1h0m0s") {
			t.Errorf("got\n%s", text)
		}
		result = call(t, session, "list", nil)
		text := textOf(result)
		if result.IsError || !strings.Contains(text, "took longer than") || !strings.Contains(text, "half") {
			t.Errorf("got\n%s", text)
		}
		<-ended
		<-ended
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "check"}); err == nil {
			t.Error("a call that was cancelled was answered")
		}
		if err := <-ended; err != context.Canceled {
			t.Errorf("the question ended with %v", err)
		}
	})
}

// TestOneAtATime keeps a question waiting while another one is answered.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun, release := make(chan string, 2), make(chan struct{})
		ask := func(_ context.Context, question mcpserver.Question) mcpserver.Reply {
			begun <- question.Command
			<-release
			return mcpserver.Reply{Said: "error: e"}
		}
		session := connect(t, ask, time.Hour)
		answers := make(chan error, 2)
		for range 2 {
			go func() {
				_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "check"})
				answers <- err
			}()
		}
		synctest.Wait()
		if len(begun) != 1 {
			t.Errorf("%d questions are being answered at once", len(begun))
		}
		for range 2 {
			release <- struct{}{}
			if err := <-answers; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(cancel func(), in *io.PipeWriter){
		"with the input":   func(_ func(), in *io.PipeWriter) { _ = in.Close() },
		"with the context": func(cancel func(), _ *io.PipeWriter) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			in, client := io.Pipe()
			ended := make(chan error, 1)
			options := mcpserver.Options{Ask: echo, Timeout: time.Minute, Logger: slog.New(slog.DiscardHandler)}
			go func() { ended <- mcpserver.Serve(ctx, in, io.Discard, options) }()
			end(cancel, client)
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
	in := strings.NewReader("this is no message\n")
	options := mcpserver.Options{Ask: echo, Timeout: time.Minute, Logger: slog.New(slog.DiscardHandler)}
	if err := mcpserver.Serve(t.Context(), in, io.Discard, options); err == nil {
		t.Error("what is no message was taken for the end of the input")
	}
}
