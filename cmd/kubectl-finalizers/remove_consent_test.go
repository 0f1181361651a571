package main

import (
	"bytes"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// testConsent types on a pseudo-terminal.
func testConsent(t *testing.T, plane *controlplane.ControlPlane) {
	mustBreak(t, plane, `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: consent}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: one, namespace: consent, finalizers: [example.com/hold]}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: two, namespace: consent, finalizers: [example.com/hold]}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: three, namespace: consent, finalizers: [example.com/hold]}
- delete: {object: configmap/one, namespace: consent}
- delete: {object: configmap/two, namespace: consent}
- delete: {object: configmap/three, namespace: consent}
`)
	l := newLab(t, plane, "remove-consent", controlplane.ClusterAdmins)
	cases := []struct {
		name, targets, typed string
		code, writes         int
	}{
		{"another name", "cm/one", "two\n", 5, 0},
		{"yes is no name", "cm/one", "y\n", 5, 0},
		{"nothing", "cm/one", "\n", 5, 0},
		{"the end of the input", "cm/one", "\x04", 5, 0},
		{"Ctrl-C", "cm/one", "\x03", 5, 0},
		{"a name for two", "cm/two cm/three", "two\n", 5, 0},
		{"the name", "cm/one", "one\n", 0, 1},
		{"the number", "cm/two cm/three", "2\n", 5, 0},
		{"the word of the plan", "cm/two cm/three", "", 0, 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"remove", "--kubeconfig", l.kubeconfig, "--backup-dir", l.backups, "-n", "consent",
				"--finalizer", "example.com/hold", "--force"}, strings.Fields(c.targets)...)
			if c.typed == "" {
				plan := l.remove(t, append([]string{"-n", "consent", "--finalizer", "example.com/hold"},
					strings.Fields(c.targets)...)...)
				c.typed = plan.report.Word + "\n"
			}
			cmd, stdout, _ := program(t, args...)
			shown := typeOn(t, cmd, ": ", c.typed)
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit code %d, want %d\n%s%s", code, c.code, shown, stdout)
			}
			if !strings.Contains(shown, "Would remove the finalizer example.com/hold") || !strings.Contains(shown, "Loses:") {
				t.Errorf("the plan doesn't stand above the question:\n%s", shown)
			}
			if writes := l.writes(t); len(writes) != c.writes {
				t.Errorf("it wrote %q, want %d writes", writes, c.writes)
			}
		})
	}
}

// typeOn runs a program on a pseudo-terminal and types once it has asked.
func typeOn(t *testing.T, cmd *exec.Cmd, question, typed string) (shown string) {
	t.Helper()
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = terminal.Close() }()
	cmd.Stdin, cmd.Stderr = tty, tty
	cmd.SysProcAttr = newSession()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = tty.Close()
	var text bytes.Buffer
	answered, buffer := false, make([]byte, 4096)
	for {
		n, err := terminal.Read(buffer)
		text.Write(buffer[:n])
		if lines := strings.Split(text.String(), "\n"); !answered && strings.HasPrefix(lines[len(lines)-1],
			"To remove this by force") && strings.HasSuffix(text.String(), question) {
			answered = true
			if _, err := io.WriteString(terminal, typed); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil { // the program has closed its side
			break
		}
	}
	_ = cmd.Wait()
	return text.String()
}
