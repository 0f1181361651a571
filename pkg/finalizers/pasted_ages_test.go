package finalizers_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestPastedAges says of what is deleted since no one knows when that this is not known, in lists and trees, too.
func TestPastedAges(t *testing.T) {
	cluster, err := finalizers.Open(t.Context(), finalizers.Options{},
		filepath.Join(pastes, "volumes-and-claims-one-table.txt"))
	if err != nil {
		t.Fatal(err)
	}
	targets, err := cluster.Terminating(t.Context())
	if err != nil || len(targets) == 0 {
		t.Fatalf("%d targets, %v", len(targets), err)
	}
	list, err := cluster.List(t.Context(), finalizers.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := cluster.Tree(t.Context(), targets[0], finalizers.TreeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range []result.Result{list, tree} {
		var out bytes.Buffer
		if err := finalizers.Print(t.Context(), &out, answer, "human"); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(out.String()), " ")
		if !strings.Contains(text, "an unknown time") || strings.Contains(text, " 0s") {
			t.Errorf("the ages in it are not unknown:\n%s", out.String())
		}
	}
}

// TestWordsOfSeveral takes quoted words for those of the namespace that is being deleted, and of none of several.
func TestWordsOfSeveral(t *testing.T) {
	const row, words = "%   Terminating   3h\n", "Some resources are remaining: a.example.com has 1 resource instances\n"
	const heading = "NAME   STATUS        AGE\n"
	one := heading + strings.Replace(row, "%", "shop", 1)
	for text, names := range map[string]string{
		one + "\n" + words: "shop",
		one + strings.Replace(row, "%", "bank", 1) + "\n" + words: "",
		words: "NAME",
	} {
		if got := namespaceHolding(t, text); got != names {
			t.Errorf("%q are words of %q, want %q", text, got, names)
		}
	}
}

// namespaceHolding is the namespace whose cause quotes what remains.
func namespaceHolding(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pasted.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := answers(t, path)
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range found {
		if strings.Contains(answer.Summary, "a.example.com") {
			return answer.Target.Name
		}
	}
	return ""
}
