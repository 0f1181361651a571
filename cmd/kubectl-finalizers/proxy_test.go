package main

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// proxied puts a proxy in front of a control plane, so that a test can act between two requests of
// the program. It returns a kubeconfig that leads through it.
func proxied(t *testing.T, plane *controlplane.ControlPlane, before func(*http.Request)) string {
	t.Helper()
	return answering(t, plane, func(_ http.ResponseWriter, r *http.Request, pass func()) {
		before(r)
		if r.Context().Err() == nil {
			pass()
		}
	})
}

// hanging is proxied for requests whose path ends with something: they are never answered. It tells each that begins to
// hang, and each that is given up.
func hanging(
	t *testing.T, plane *controlplane.ControlPlane, path string,
) (kubeconfig string, hangs, ends <-chan struct{}) {
	t.Helper()
	const most = 100
	begun, over := make(chan struct{}, most), make(chan struct{}, most)
	kubeconfig = proxied(t, plane, func(r *http.Request) {
		if strings.HasSuffix(r.URL.Path, path) {
			begun <- struct{}{}
			<-r.Context().Done()
			over <- struct{}{}
		}
	})
	return kubeconfig, begun, over
}

// answering is proxied for a handler that may answer itself, and passes on what it doesn't.
func answering(
	t *testing.T, plane *controlplane.ControlPlane, handle func(w http.ResponseWriter, r *http.Request, pass func()),
) string {
	t.Helper()
	config, err := plane.AdminConfig()
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		t.Fatal(err)
	}
	server, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(server)
	proxy.Transport = transport
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handle(w, r, func() { proxy.ServeHTTP(w, r) })
	}))
	t.Cleanup(front.Close)
	return writeFile(t, "kubeconfig", "apiVersion: v1\nkind: Config\ncurrent-context: proxy\n"+
		"contexts: [{name: proxy, context: {cluster: proxy}}]\nclusters: [{name: proxy, "+
		"cluster: {server: '"+front.URL+"'}}]\n")
}

// program runs this program as a process of its own.
func program(t *testing.T, args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	t.Helper()
	path, err := exec.LookPath("kubectl-finalizers") // testscript.Main puts it there
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.CommandContext(t.Context(), path, args...)
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd, stdout, stderr
}

const stuckClaim = `id: claim
target: pvc/data
steps:
- apply: |
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: {name: data, namespace: default, finalizers: [example.com/hold]}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
- controllerManager: pause
- delete: {object: pvc/data, namespace: default}
`

// TestInterrupt presses Ctrl-C while a list of pods hangs: what was known by then is printed.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	if err := breakWith(t, plane, stuckClaim); err != nil {
		t.Fatal(err)
	}
	kubeconfig, hangs, _ := hanging(t, plane, "/pods")
	// Without Ctrl-C it would wait for longer than this test may take.
	cmd, stdout, stderr := program(t, "why", "pvc/data", "--kubeconfig", kubeconfig, "--request-timeout", "24h")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-hangs
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d (%v), want 1", code, err)
	}
	for _, want := range []string{"example.com/hold", "Undetermined", "interrupted"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("the answer doesn't say %q:\n%s", want, stdout)
		}
	}
	if !strings.Contains(stderr.String(), "error: interrupted; the answer is incomplete") {
		t.Errorf("stderr: %s", stderr)
	}
}

// TestInterruptWhileReading presses Ctrl-C while nothing more comes from standard input.
func TestInterruptWhileReading(t *testing.T) {
	t.Parallel()
	cmd, _, stderr := program(t, "why", "-")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stdin.Close() }()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// This is more than a pipe holds: it is written when the program reads.
	if _, err := stdin.Write(bytes.Repeat([]byte("\n"), 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit code %d, stderr %q; want 1 and a word of the interrupt", code, stderr)
	}
}

// TestSecondInterrupt presses Ctrl-C twice while the program can't write its answer: the first leaves
// it to finish, as TestInterrupt shows, and the second ends it at once.
func TestSecondInterrupt(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	if err := breakWith(t, plane, stuckClaim); err != nil {
		t.Fatal(err)
	}
	kubeconfig, hangs, ends := hanging(t, plane, "/pods")
	reader, full, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = reader.Close(), full.Close() }()
	fill(t, full)
	cmd, _, stderr := program(t, "why", "pvc/data", "--kubeconfig", kubeconfig, "--request-timeout", "24h")
	cmd.Stdout = full
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, until := range []<-chan struct{}{hangs, ends} {
		<-until // it listens for signals; it has heard the first, and has nothing left to do but to write
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d after the second signal, want 130; stderr: %s", code, stderr)
	}
}

// fill writes into a pipe until nothing more goes in.
func fill(t *testing.T, pipe *os.File) {
	t.Helper()
	raw, err := pipe.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var refused error
	err = raw.Control(func(fd uintptr) {
		for refused == nil {
			_, refused = syscall.Write(int(fd), make([]byte, 4096))
		}
	})
	if err != nil || !errors.Is(refused, syscall.EAGAIN) {
		t.Fatalf("the pipe is not full: %v, %v", err, refused)
	}
}

// TestTargetVanishes removes the last finalizer between two reads of the program.
func TestTargetVanishes(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	if err := breakWith(t, plane, stuckClaim); err != nil {
		t.Fatal(err)
	}
	client, err := plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig := proxied(t, plane, func(r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/pods") {
			_, err := client.CoreV1().PersistentVolumeClaims("default").Patch(r.Context(), "data", types.MergePatchType,
				[]byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
			if err != nil {
				t.Error(err)
			}
		}
	})
	cmd, stdout, stderr := program(t, "why", "pvc/data", "--kubeconfig", kubeconfig)
	_ = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 || stdout.Len() > 0 {
		t.Errorf("exit code %d, want 1 and nothing on stdout:\n%s", code, stdout)
	}
	if want := "PersistentVolumeClaim default/data is gone: its deletion finished while this " +
		"command ran.\n"; stderr.String() != want {
		t.Errorf("stderr: %q, want %q", stderr, want)
	}
}
