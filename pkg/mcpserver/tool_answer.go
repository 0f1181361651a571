package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Answer is what a tool returns for programs. The schema is that of outputSchema.
type Answer struct {
	Notice     string        `json:"notice"`
	Answer     result.Result `json:"answer"`
	Said       string        `json:"said,omitempty"`
	Incomplete string        `json:"incomplete,omitempty"`
	LeftOut    []Cut         `json:"leftOut,omitempty"`
	AskOn      string        `json:"askOn,omitempty"`
}

// lastPrinted is how long an answer is still put together when the time is over.
const lastPrinted = 700 * time.Millisecond

// What an answer may take, in bytes: assistants have to read it all.
const (
	mostText = 24 << 10
	mostJSON = 48 << 10
)

const askOn = "Lists are cut, the worst entries first. Ask why about single objects, ask about one namespace " +
	"or with a selector, or raise limit (at most 500). Indexes may point behind the end of a list that is cut."

// answering returns what answers the calls of a tool. That a question has no answer is an error of the tool, which the
// assistant is to read, and not one of the protocol.
func (s *server) answering(to tool) mcp.ToolHandlerFor[input, any] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, any, error) {
		question, err := to.question(in)
		if err != nil {
			return nil, nil, err
		}
		ctx, cancel := context.WithTimeout(ctx, s.Timeout)
		defer cancel()
		reply, err := s.ask(ctx, question)
		incomplete := s.incomplete(ctx)
		switch {
		case err != nil:
			return nil, nil, errors.New(incomplete)
		case len(reply.Results) == 0:
			said := cmp.Or(strings.Join(nonEmpty(incomplete, reply.Said), "\n"), "there is no answer")
			return nil, nil, errors.New(notice + "\n\n" + said)
		}
		lasting, stop := session.Lasting(ctx, lastPrinted)
		defer stop()
		result, err := answered(lasting, reply, incomplete, in.limit())
		if err != nil && lasting.Err() != nil {
			err = errors.New(s.incomplete(ctx))
		}
		return result, nil, err
	}
}

// incomplete says why a question was not answered to its end: nothing where it was.
func (s *server) incomplete(ctx context.Context) string {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Sprintf("The answer took longer than %s. Ask about less (one object, one namespace), "+
			"or start the server with a longer --timeout.", s.Timeout)
	case ctx.Err() != nil:
		return "The question was cancelled."
	}
	return ""
}

// answered makes of a reply what the client gets: text for people, and the same for programs.
func answered(ctx context.Context, reply Reply, incomplete string, limit int) (*mcp.CallToolResult, error) {
	for i, result := range reply.Results {
		reply.Results[i] = print.Shown(ctx, result)
		shorten(ctx, reply.Results[i])
	}
	text, err := textOf(ctx, reply.Results)
	if err != nil {
		return nil, err
	}
	last := reply.Results[len(reply.Results)-1]
	answer := Answer{Notice: notice, Answer: last, Said: reply.Said, Incomplete: incomplete}
	var data []byte
	for cuts := (cutter{}); ; limit /= 2 {
		cuts.cut(ctx, last, limit)
		if answer.LeftOut = cuts.made(); len(answer.LeftOut) > 0 {
			answer.AskOn = askOn
		}
		if data, err = marshal(answer); cmp.Or(err, ctx.Err()) != nil {
			return nil, cmp.Or(err, ctx.Err())
		}
		if len(data) <= mostJSON || limit <= 1 {
			break
		}
	}
	parts := nonEmpty(notice, incomplete, text, reply.Said, leftOut(answer.LeftOut), answer.AskOn)
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: strings.Join(parts, "\n\n")}},
		StructuredContent: json.RawMessage(data),
	}, nil
}

func marshal(answer Answer) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(answer)
	return bytes.TrimSpace(out.Bytes()), err
}

// textOf is what people read, as far as there is room for it.
func textOf(ctx context.Context, results []result.Result) (string, error) {
	var out bytes.Buffer
	for _, result := range results {
		err := print.ShownResult(ctx, &out, result, print.FormatHuman, print.Style{Width: print.Unwrapped})
		if err != nil {
			return "", err
		}
	}
	text := strings.TrimSpace(out.String())
	if len(text) <= mostText {
		return text, nil
	}
	end := strings.LastIndex(text[:mostText], "\n") + 1
	if end == 0 {
		end = len(strings.ToValidUTF8(text[:mostText], ""))
	}
	return fmt.Sprintf("%s… and %d more lines", text[:end], strings.Count(text[end:], "\n")+1), nil
}

func leftOut(cuts []Cut) string {
	if len(cuts) == 0 {
		return ""
	}
	var lines []string
	for _, cut := range cuts {
		lines = append(lines, fmt.Sprintf("  %s: %d of %d", cut.List, cut.Kept, cut.Of))
	}
	return "Left out of the structured answer:\n" + strings.Join(lines, "\n")
}

func nonEmpty(texts ...string) (some []string) {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			some = append(some, text)
		}
	}
	return some
}
