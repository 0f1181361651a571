package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mcpserver"
)

// The begin of every conversation.
const (
	begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"t","version":"0"}}}` + "\n"
	begun = `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
)

// TestMalformedLines answers each line that is no message with the protocol's error, and the next one as usual.
func TestMalformedLines(t *testing.T) {
	t.Parallel()
	in, client := io.Pipe()
	server, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- mcpserver.Serve(t.Context(), in, out, mcpserver.Options{
			Version: "v0", Ask: echo, Timeout: time.Minute, Logger: slog.New(slog.DiscardHandler),
		})
		_ = out.Close()
	}()
	answers := bufio.NewScanner(server)
	answers.Buffer(nil, 16<<20)
	next := func() (answer struct {
		ID    *int
		Error *struct {
			Code    int
			Message string
		}
		Result json.RawMessage
	}) {
		t.Helper()
		if !answers.Scan() {
			t.Fatalf("it ended: %v", answers.Err())
		}
		if err := json.Unmarshal(answers.Bytes(), &answer); err != nil {
			t.Fatalf("%v: %s", err, answers.Bytes())
		}
		return answer
	}
	say := func(text string) {
		t.Helper()
		if _, err := io.WriteString(client, text); err != nil {
			t.Fatal(err)
		}
	}
	say(begin)
	next()
	say(begun)
	const ask = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"check","arguments":{}}}`
	for line, want := range map[string]int{
		"{": -32700, "hello": -32700, `{"jsonrpc":"2.0"`: -32700, "\x00\xff": -32700, ask + ask: -32700,
		"[]": -32600, "[" + ask + "]": -32600, "null": -32600, "7": -32600, `{"jsonrpc":"1.0","id":1,"method":"x"}`: -32600,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`: -32600, `{"jsonrpc":"2.0"}`: -32600,
		`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 2<<20) + `"}`: -32600,
	} {
		say(line + "\n\n \r\n")
		if answer := next(); answer.Error == nil || answer.Error.Code != want || answer.ID != nil {
			t.Errorf("%.80q: %+v, want %d", line, answer, want)
		}
		say(ask + "\r\n")
		if answer := next(); answer.ID == nil || *answer.ID != 7 || !strings.Contains(string(answer.Result), "check") {
			t.Errorf("after %.80q: %+v", line, answer)
		}
	}
	say("half a line")
	_ = client.Close()
	if answer := next(); answer.Error == nil || answer.Error.Code != -32700 {
		t.Errorf("the last one: %+v", answer)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestInputThatEndsBehindAQuestion answers what a client in a pipe asks, whose input ends at once, and not what the
// client has cancelled before.
func TestInputThatEndsBehindAQuestion(t *testing.T) {
	t.Parallel()
	const ask = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"check","arguments":{}}}` + "\n"
	const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}` + "\n"
	for name, input := range map[string]string{
		"a question": fmt.Sprintf(ask, 7), "several": fmt.Sprintf(ask+ask, 6, 7),
		"one is cancelled": fmt.Sprintf(ask+cancel+ask, 9, 7),
	} {
		slow := func(ctx context.Context, question mcpserver.Question) mcpserver.Reply {
			runtime.Gosched() // the input has ended by now
			return echo(ctx, question)
		}
		var out bytes.Buffer
		if err := mcpserver.Serve(t.Context(), strings.NewReader(begin+begun+input), &out, mcpserver.Options{
			Version: "v0", Ask: slow, Timeout: time.Minute, Logger: slog.New(slog.DiscardHandler),
		}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(out.String(), `"id":7,"result"`) {
			t.Errorf("%s: no answer in %s", name, out.String())
		}
	}
}
