package graph_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// TestCausesAreDocumented compares the reason codes with the page that explains them to users.
func TestCausesAreDocumented(t *testing.T) {
	source, err := os.ReadFile("cause.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/causes.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`Reason = "(\w+)"`).FindAllStringSubmatch(string(source), -1)
	if len(codes) == 0 {
		t.Fatal("no reason code was found")
	}
	if len(codes) != len(graph.Reasons()) {
		t.Errorf("%d codes, and Reasons has %d", len(codes), len(graph.Reasons()))
	}
	for _, code := range codes {
		if !strings.Contains(string(page), "\n## "+code[1]+"\n") || !strings.Contains(string(page), "["+code[1]+"]") {
			t.Errorf("docs/causes.md doesn't explain %s", code[1])
		}
	}
}
