package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/follow/followtest"
)

// longest is how long something may take to be seen: a bound for what hangs.
const longest = 10 * time.Minute

// stage is a namespace with Terminating objects.
type stage struct {
	plane                 *controlplane.ControlPlane
	namespace, kubeconfig string
}

// prepare makes ConfigMaps one, two and three, which are deleted and held by a finalizer.
func (s *stage) prepare(t *testing.T) {
	t.Helper()
	steps := fmt.Sprintf("- apply: |\n    apiVersion: v1\n    kind: Namespace\n    metadata: {name: %s}\n", s.namespace)
	for _, name := range []string{"one", "two", "three"} {
		steps += fmt.Sprintf("    ---\n    apiVersion: v1\n    kind: ConfigMap\n"+
			"    metadata: {name: %s, namespace: %s, finalizers: [example.com/hold]}\n", name, s.namespace)
	}
	for _, name := range []string{"one", "two", "three"} {
		steps += fmt.Sprintf("- delete: {object: configmap/%s, namespace: %s}\n", name, s.namespace)
	}
	mustBreak(t, s.plane, steps)
}

// release removes the finalizers of ConfigMaps.
func (s *stage) release(t *testing.T, names ...string) {
	t.Helper()
	client, err := s.plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		_, err := client.CoreV1().ConfigMaps(s.namespace).Patch(t.Context(), name, types.MergePatchType,
			[]byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func (s *stage) args(args ...string) []string {
	return append(args, "--kubeconfig", s.kubeconfig, "-n", s.namespace)
}

// until waits for a condition.
func until(t *testing.T, what string, holds func() bool, state func() string) {
	t.Helper()
	for begun := time.Now(); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > longest {
			t.Fatalf("%s: not within %s:\n%s", what, longest, state())
		}
	}
}

// running is the program while it runs.
type running struct {
	cmd      *exec.Cmd
	terminal *followtest.Terminal // what is seen on it
	keyboard interface {
		io.Writer
		Fd() uintptr
	}
	size  func(columns, rows int)
	drawn chan struct{} // closed when nothing more comes

	mu     sync.Mutex
	lines  []string // from a pipe
	stderr fmt.Stringer
}

// onTerminal starts the program on a pseudo-terminal.
func (s *stage) onTerminal(t *testing.T, args ...string) *running {
	t.Helper()
	cmd, _, _ := program(t, s.args(args...)...)
	cmd.Env = append(cmd.Environ(), "TERM=xterm-256color")
	ours, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ours.Close() })
	r := &running{cmd: cmd, keyboard: ours, terminal: followtest.NewTerminal(80, 24), drawn: make(chan struct{})}
	r.size = func(columns, rows int) {
		r.terminal.Resize(columns, rows)
		if err := pty.Setsize(ours, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)}); err != nil {
			t.Error(err)
		}
	}
	r.size(80, 24)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = newSession()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = tty.Close()
	go func() {
		defer close(r.drawn)
		_, _ = io.Copy(r.terminal, ours) // ends when the program has closed its side
	}()
	return r
}

func (r *running) screen() string { return strings.Join(r.terminal.Screen(), "\n") }

func (r *running) untilScreen(t *testing.T, text string) {
	t.Helper()
	until(t, fmt.Sprintf("%q on the screen", text), func() bool { return strings.Contains(r.screen(), text) }, r.screen)
}

// ended waits for the end, and checks that the terminal is as it was.
func (r *running) ended(t *testing.T, code int) (text string) {
	t.Helper()
	<-r.drawn
	_ = r.cmd.Wait()
	if got := r.cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("exit code %d, want %d\n%s", got, code, r.terminal.Text())
	}
	other, hidden, _, unknown := r.terminal.State()
	if other || hidden || len(unknown) > 0 {
		t.Errorf("the other screen is left: %v, without a cursor: %v; unknown: %q", other, hidden, unknown)
	}
	return r.terminal.Text()
}

// inPipe starts the program with its output in a pipe.
func (s *stage) inPipe(t *testing.T, args ...string) *running {
	t.Helper()
	cmd, _, stderr := program(t, s.args(args...)...)
	cmd.Stdout = nil
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := &running{cmd: cmd, drawn: make(chan struct{}), stderr: stderr}
	go func() {
		defer close(r.drawn)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			r.mu.Lock()
			r.lines = append(r.lines, lines.Text())
			r.mu.Unlock()
		}
	}()
	return r
}

func (r *running) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.lines, "\n")
}

func (r *running) untilLine(t *testing.T, text string) {
	t.Helper()
	until(t, fmt.Sprintf("a line with %q", text), func() bool { return strings.Contains(r.text(), text) }, r.text)
}

// closed waits for the end of what runs in a pipe.
func (r *running) closed(t *testing.T, code int) string {
	t.Helper()
	<-r.drawn
	err := r.cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if got := r.cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("exit code %d, want %d\n%s\n%s", got, code, r.text(), r.stderr)
	}
	return r.text()
}
