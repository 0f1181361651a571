package diagnosis_test

import (
	"bytes"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDOT holds what is drawn for Graphviz to what Graphviz understands.
func TestDOT(t *testing.T) {
	program, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("Graphviz is not installed (apt install graphviz)")
	}
	for name, tree := range drawn(t) {
		var drawing bytes.Buffer
		if err := print.Result(t.Context(), &drawing, tree, "dot", print.Style{Table: table.Draw}); err != nil {
			t.Fatal(err)
		}
		picture := check(t, exec.CommandContext(t.Context(), program, "-Tplain"), drawing.Bytes(), name)
		if nodes := strings.Count(picture, "\nnode "); nodes != len(tree.Nodes) {
			t.Errorf("%s: Graphviz sees %d nodes, want %d", name, nodes, len(tree.Nodes))
		}
		if edges := strings.Count(picture, "\nedge "); edges != len(tree.Edges) {
			t.Errorf("%s: Graphviz sees %d edges, want %d", name, edges, len(tree.Edges))
		}
	}
}

// TestMermaid holds what is drawn for Mermaid to what its own parser understands.
func TestMermaid(t *testing.T) {
	tools := filepath.Join("..", "..", "hack", "tools", "mermaid")
	if _, err := os.Stat(filepath.Join(tools, "node_modules")); err != nil {
		t.Skip("Mermaid is not installed (make mermaid, which needs npm)")
	}
	for name, tree := range drawn(t) {
		var drawing bytes.Buffer
		if err := print.Result(t.Context(), &drawing, tree, "mermaid", print.Style{Table: table.Draw}); err != nil {
			t.Fatal(err)
		}
		command := exec.CommandContext(t.Context(), "node", "check.mjs")
		command.Dir = tools
		if said := check(t, command, drawing.Bytes(), name); !strings.Contains(said, "flowchart") {
			t.Errorf("%s: Mermaid says %s", name, said)
		}
	}
}

func drawn(t *testing.T) map[string]*result.Tree {
	t.Helper()
	trees := map[string]*result.Tree{"forest": stuckTree(t)}
	for _, c := range treeCases()[5:6] {
		trees[c.name] = c.grow(t)
	}
	return trees
}

func check(t *testing.T, command *exec.Cmd, drawing []byte, name string) string {
	t.Helper()
	command.Stdin = bytes.NewReader(drawing)
	said, err := command.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v: %s\n%s", name, err, said, string(drawing))
	}
	return "\n" + string(said)
}
