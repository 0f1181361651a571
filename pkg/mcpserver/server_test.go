package mcpserver_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mcpserver"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
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

// call calls a tool with arguments in JSON; with none, if they are empty.
func call(t *testing.T, session *mcp.ClientSession, name, arguments string) *mcp.CallToolResult {
	t.Helper()
	params := &mcp.CallToolParams{Name: name}
	if arguments != "" {
		params.Arguments = json.RawMessage(arguments)
	}
	result, err := session.CallTool(t.Context(), params)
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
	return mcpserver.Reply{Results: []result.Result{&result.Version{Version: strings.Join(words, " ")}}}
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
			return mcpserver.Reply{Results: []result.Result{&result.Version{Version: "half"}}}
		}
		session := connect(t, ask, time.Hour)
		answer := call(t, session, "check", "")
		if text := textOf(answer); !answer.IsError || !strings.Contains(text, "took longer than 1h0m0s") {
			t.Errorf("got\n%s", text)
		}
		answer = call(t, session, "list", "")
		text := textOf(answer)
		if answer.IsError || !strings.Contains(text, "took longer than") || !strings.Contains(text, "half") {
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
	options := mcpserver.Options{Ask: echo, Timeout: time.Minute, Logger: slog.New(slog.DiscardHandler)}
	if err := mcpserver.Serve(t.Context(), iotest.ErrReader(io.ErrClosedPipe), io.Discard, options); err == nil {
		t.Error("an input that can't be read was taken for its end")
	}
}
