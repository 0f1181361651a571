package main

import (
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/streams"
)

// exporter is the program while it serves, and its stderr.
type exporter struct {
	streams.Buffer
	address string
}

func (e *exporter) get(path string) (code int, text string) {
	response, err := http.Get(e.address + path)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err.Error()
	}
	return response.StatusCode, string(body)
}

// has waits until the metrics have some lines, at once.
func (e *exporter) has(t *testing.T, what string, lines ...string) {
	t.Helper()
	until(t, what, func() bool {
		_, text := e.get("metrics")
		for _, line := range lines {
			if !strings.Contains(text, "\n"+line+"\n") {
				return false
			}
		}
		return true
	}, func() string { _, text := e.get("metrics"); return text + e.String() })
}

// exporting starts an exporter that looks every second, and waits until it has looked.
func exporting(t *testing.T, args ...string) (*exec.Cmd, *exporter) {
	t.Helper()
	cmd, _, _ := program(t, append([]string{"metrics", "--interval", "1s", "--listen-address", "127.0.0.1:0"}, args...)...)
	e := &exporter{}
	cmd.Stderr = e
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "an address", func() bool {
		e.address = regexp.MustCompile(`http://\S+/`).FindString(e.String())
		return e.address != ""
	}, e.String)
	until(t, "readiness", func() bool { code, _ := e.get("readyz"); return code == http.StatusOK }, e.String)
	return cmd, e
}

// What is between the exporter and the API server.
const (
	nothing int32 = iota
	anOutage
	noRightToConfigMaps
)

// TestMetrics serves, keeps the last numbers while the API server is out, and those of a kind that may not be listed
// any more, notices what was deleted, and ends with 0 after a SIGTERM.
func TestMetrics(t *testing.T) {
	t.Parallel()
	s := &stage{plane: controlplane.ForTest(t), namespace: "served"}
	s.prepare(t)
	front, err := s.plane.NewFront(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = front.Close() })
	var between atomic.Int32
	server := front.Put(t.Context(), func(w http.ResponseWriter, r *http.Request) bool {
		switch now := between.Load(); {
		case now == anOutage:
			http.Error(w, "out", http.StatusServiceUnavailable)
		case now == noRightToConfigMaps && strings.HasSuffix(r.URL.Path, "/configmaps"):
			http.Error(w, "no", http.StatusForbidden)
		default:
			return false
		}
		return true
	})
	cmd, e := exporting(t, "--server", server)
	const three = `finalizers_terminating_objects{group="",kind="ConfigMap",namespace="served",` +
		`reason="ControllerUnknown",verdict="Undetermined"} 3`
	e.has(t, "three objects", three, "finalizers_last_look_successful 1", "finalizers_last_look_carried_objects 0")

	between.Store(anOutage)
	e.has(t, "the last numbers in an outage", three, "finalizers_last_look_successful 0")
	if code, _ := e.get("healthz"); code != http.StatusOK {
		t.Errorf("/healthz answers %d: an outage is no reason to start again", code)
	}
	between.Store(noRightToConfigMaps)
	e.has(t, "the last numbers of what may not be listed", three, "finalizers_last_look_successful 1",
		"finalizers_last_look_carried_objects 3")
	between.Store(nothing)
	s.release(t, "one", "two", "three")
	e.has(t, "nothing left", `finalizers_verdicts{verdict="Undetermined"} 0`, "finalizers_last_look_carried_objects 0")

	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v\n%s", err, e)
	}
	for _, want := range []string{"Serving http://", "numbers of the last successful one stay: ", "can be read again"} {
		if !strings.Contains(e.String(), want) {
			t.Errorf("it doesn't say %q:\n%s", want, e)
		}
	}
}
