package main

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
)

// TestReferenceIsCurrent holds docs/reference against the commands.
func TestReferenceIsCurrent(t *testing.T) {
	want, err := pages("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := os.DirFS("../../docs/reference")
	err = fs.WalkDir(folder, ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && want[path] == nil {
			t.Errorf("docs/reference/%s is about no command; run make docs", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range want {
		got, err := fs.ReadFile(folder, name)
		if err != nil {
			t.Errorf("%v; run make docs", err)
			continue
		}
		if diff := cmp.Diff(strings.ReplaceAll(string(got), "\r\n", "\n"), string(text)); diff != "" {
			t.Errorf("docs/reference/%s is not what the command says; run make docs (-it +command):\n%s", name, diff)
		}
	}
}

// TestHelpReadsLikeKubectl checks what every command's help must have.
func TestHelpReadsLikeKubectl(t *testing.T) {
	for _, cmd := range cli.Command().Commands() {
		if cmd.Name() == "help" || cmd.Hidden {
			continue
		}
		if !strings.HasPrefix(cmd.UseLine(), "kubectl finalizers ") {
			t.Errorf("%s: usage is %q", cmd.Name(), cmd.UseLine())
		}
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: short help %q is no sentence without a full stop", cmd.Name(), cmd.Short)
		}
		if !strings.Contains(cmd.Example, "  # ") || !strings.Contains(cmd.Example, "kubectl finalizers "+cmd.Name()) {
			t.Errorf("%s has no examples as kubectl has them", cmd.Name())
		}
	}
}
