package mcpserver_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

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

// TestToolsAreCheap bounds what every conversation begins with, whether it comes to a question or not.
func TestToolsAreCheap(t *testing.T) {
	t.Parallel()
	session := connect(t, echo, time.Minute)
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(tools)
	if err != nil {
		t.Fatal(err)
	}
	if most := 14 << 10; len(data) > most {
		t.Errorf("the tools are described in %d bytes, and may take %d", len(data), most)
	}
}
