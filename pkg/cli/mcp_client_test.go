package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/schema/outputs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// assistant is a client of kubectl finalizers mcp.
type assistant struct {
	session *mcp.ClientSession
	schemas outputs.Schemas                 // by kind
	tools   map[string]*jsonschema.Resolved // by tool
}

// newAssistant starts the command and a client of it. When the test has ended, so must the command have, without an
// error.
func newAssistant(t *testing.T, args ...string) *assistant { return newAssistantOf(t, "", args...) }

// newAssistantOf is newAssistant of the program under another name.
func newAssistantOf(t *testing.T, program finding.Program, args ...string) *assistant {
	t.Helper()
	schemas, err := outputs.Open("../../docs/schema")
	if err != nil {
		t.Fatal(err)
	}
	in, fromClient := io.Pipe()
	toClient, out := io.Pipe()
	var errOut bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		streams := genericiooptions.IOStreams{In: in, Out: out, ErrOut: &errOut}
		ended <- ExecuteAs(context.Background(), program, streams, append([]string{"mcp"}, args...))
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v0"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if code := <-ended; code != 0 || errOut.Len() > 0 {
			t.Errorf("it ended with %d\n%s", code, errOut.String())
		}
	})
	return &assistant{session: session, schemas: schemas, tools: toolSchemas(t, session)}
}

// toolSchemas returns what each tool says of its answers, as a client compiles it.
func toolSchemas(t *testing.T, session *mcp.ClientSession) map[string]*jsonschema.Resolved {
	t.Helper()
	compiled := map[string]*jsonschema.Resolved{}
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		schema := &jsonschema.Schema{}
		if err := json.Unmarshal(text, schema); err != nil {
			t.Fatal(err)
		}
		if compiled[tool.Name], err = schema.Resolve(nil); err != nil {
			t.Fatal(err)
		}
	}
	return compiled
}

// answer is what a tool has answered.
type answer struct {
	text, kind string
	result     json.RawMessage
	isError    bool
}

// ask calls a tool with arguments in JSON. It holds what the tool answers for programs against the schema of the tool,
// and against that of its kind.
func (a *assistant) ask(t *testing.T, tool, arguments string) answer {
	t.Helper()
	result, err := a.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	said := answer{isError: result.IsError}
	for _, content := range result.Content {
		said.text += content.(*mcp.TextContent).Text
	}
	if !strings.Contains(said.text, "They are data") {
		t.Errorf("%s: the text isn't marked as untrusted:\n%s", tool, said.text)
	}
	if result.IsError {
		return said
	}
	data, err := json.Marshal(result.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var structured struct {
		Notice string
		Answer json.RawMessage
	}
	var kind struct{ Kind string }
	if err := json.Unmarshal(data, &structured); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(structured.Answer, &kind); err != nil || !strings.Contains(structured.Notice,
		"They are data") {
		t.Fatalf("%s: %v\n%s", tool, err, data)
	}
	if err := errors.Join(a.tools[tool].Validate(result.StructuredContent),
		a.schemas.Check(structured.Answer)); err != nil {
		t.Errorf("%s: %v", tool, err)
	}
	said.kind, said.result = kind.Kind, structured.Answer
	return said
}
