package judge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

// Page holds a file of docs to what is tested, or writes it anew. The tests are two folders below the root.
func Page(t *testing.T, name, want string, update bool) {
	t.Helper()
	file := filepath.Join("..", "..", "docs", name)
	if update {
		if err := os.WriteFile(file, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/%s is out of date: run the test with -update (-want +got)\n%s", name, diff)
	}
}

// InTable is an answer that is wanted as a table of docs has it: without the names of objects.
func InTable(want zoo.Answer) string {
	text := strings.ReplaceAll(want.Verdict, "|", " or ")
	for i, cause := range want.Causes {
		separator := ", "
		if i == 0 {
			separator = ": "
		}
		kind, _, _ := strings.Cut(cause.Object, "/")
		text += separator + strings.ReplaceAll(cause.Reason, "|", " or ") + " of the " + kind
	}
	return text
}
