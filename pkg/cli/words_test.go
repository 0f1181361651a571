package cli

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// TestWordsThatPeopleTry lead to the command that does it, and name commands that there are.
func TestWordsThatPeopleTry(t *testing.T) {
	for typed, want := range map[string]string{
		"get pods": "  list\n  why\n", "describe ns payments": "  why\n",
		"delete ns payments": "  preview\n  remove\n", "doctor": "  check\n",
		"ls": "  list\n", "patch x": "  remove\n", "wyh ns/x": "  why\n",
		"ns/payments -n x": "To ask about an object: kubectl finalizers why ns/payments -n x\n",
	} {
		code, out, errOut := executed(t, "", strings.Fields(typed)...)
		if code != exitFailed || out != "" || !strings.Contains(errOut, want) {
			t.Errorf("%s: exit code %d, want %q\n%s%s", typed, code, want, out, errOut)
		}
	}
}

// TestOptions lists the flags that every command takes, and leaves them out of the help of each.
func TestOptions(t *testing.T) {
	listed, _ := run(t, "options")
	root, _ := newRoot(options{out: output{IOStreams: genericiooptions.NewTestIOStreamsDiscard()}})
	root.PersistentFlags().VisitAll(func(flag *pflag.Flag) {
		if !strings.Contains(listed, "--"+flag.Name+" ") {
			t.Errorf("options doesn't list --%s", flag.Name)
		}
	})
	for _, cmd := range append(root.Commands(), root) {
		args := append(strings.Fields(cmd.CommandPath())[2:], "--help")
		help, _ := run(t, args...)
		if strings.Contains(help, "--certificate-authority") || !strings.Contains(help,
			`Use "kubectl finalizers options" for a list`) {
			t.Errorf("help of %q:\n%s", cmd.Name(), help)
		}
	}
}

// TestCatalogFlag names the folder that can't be read.
func TestCatalogFlag(t *testing.T) {
	code, _, errOut := executed(t, "", "explain", "orphan", "--offline", "--catalog", "/does/not/exist")
	if code != exitFailed || !strings.Contains(errOut, "error: --catalog /does/not/exist: ") {
		t.Errorf("exit code %d\n%s", code, errOut)
	}
}

// TestDryRun is taken as kubectl takes it: with =, or alone for client. What is behind it is no object.
func TestDryRun(t *testing.T) {
	for args, want := range map[string]string{
		"remove cm notes --dry-run server": `is "server" the value of --dry-run? Write --dry-run=server`,
		"remove cm/notes --dry-run=maybe":  `--dry-run "maybe" is not one of none, client, server`,
		"remove cm/notes --dry-run":        "no cluster to ask", // it continued
		"remove cm/notes --dry-run=server": "no cluster to ask",
	} {
		code, _, errOut := executed(t, "", strings.Fields(args)...)
		if code != exitFailed || !strings.Contains(errOut, want) {
			t.Errorf("%s: exit code %d, want %q\n%s", args, code, want, errOut)
		}
	}
}
