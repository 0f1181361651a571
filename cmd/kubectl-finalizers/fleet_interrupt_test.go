package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/testenv"
)

// TestFleetInterrupted prints after Ctrl-C what the clusters have answered by then, and exits with 1.
func TestFleetInterrupted(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	well := httptest.NewServer(http.HandlerFunc(serveSynthetic))
	t.Cleanup(well.Close)
	answered := sync.OnceFunc(func() { close(asked) })
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		answered()
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	config := api.NewConfig()
	for name, server := range map[string]string{"a-well": well.URL, "b-silent": silent.URL} {
		config.Clusters[name] = &api.Cluster{Server: server}
		config.Contexts[name] = &api.Context{Cluster: name}
	}
	dir := t.TempDir()
	kubeconfig := filepath.Join(dir, "config")
	if err := clientcmd.WriteToFile(*config, kubeconfig); err != nil {
		t.Fatal(err)
	}
	program := exec.CommandContext(t.Context(), os.Args[0])
	program.Args = []string{"kubectl-finalizers", "list", "-A", "--contexts", "all", "--at-once", "1", "--kubeconfig",
		kubeconfig, "--cache-dir", dir, "--request-timeout", "1h", "--cluster-timeout", "1h"}
	program.Env = append(os.Environ(), testenv.Fixed()...)
	var out, said bytes.Buffer
	program.Stdout, program.Stderr = &out, &said
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	if err := program.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = program.Wait()
	if code := program.ProcessState.ExitCode(); code != 1 {
		t.Errorf("it exits with %d", code)
	}
	for _, want := range []string{
		"Asked 1 of 2 clusters. 1 object is Terminating", "- b-silent: interrupted before there was an answer",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it doesn't say %q:\n%s", want, &out)
		}
	}
	if !strings.Contains(said.String(), "interrupted; the answer is incomplete") {
		t.Errorf("it says %s", &said)
	}
}
