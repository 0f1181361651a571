package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/owners"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/streams"
)

// ownersInFile is a file with as many ConfigMaps, each owned by the one before. They are a circle, or a chain.
func ownersInFile(t *testing.T, count int, circle, deleted bool) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "owners.json")
	if err := os.WriteFile(file, []byte(owners.Manifest(count, circle, deleted)), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// heard bounds how long an interrupt may take on the busiest machine; on an idle one it is less than a second.
const heard = 20 * time.Second

// TestInterruptWhileComputing sends a signal to the program while it has read everything, and only computes and prints:
// about so many owners that this takes seconds. It ends, with the exit code of an interrupt and a word of it.
func TestInterruptWhileComputing(t *testing.T) {
	t.Parallel()
	count := 4_000
	if testing.Short() {
		count = 2_000
	}
	for _, circle := range []bool{true, false} {
		deleted, live := ownersInFile(t, count, circle, true), ownersInFile(t, count, circle, false)
		for line, file := range map[string]string{
			"list -A": deleted, "why cm/m0 -n shop": deleted, "tree cm/m0 -n shop": deleted, "check -A": deleted,
			"preview cm/m0 -n shop --cascade=foreground": live,
		} {
			t.Run(fmt.Sprintf("%s, circle %v", line, circle), func(t *testing.T) {
				whole, _ := computing(t, line, file, nil, time.Hour)
				met := 0
				for part, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, os.Interrupt} {
					after, code := computing(t, line, file, signal, whole*time.Duration(part+1)/4)
					if code == 1 {
						met++
					}
					if after > heard {
						t.Errorf("it ended only %s after the signal", after)
					}
				}
				if met == 0 {
					t.Error("it was at its end before each signal, which proves nothing")
				}
			})
		}
	}
}

// computing runs the program, and sends a signal so long after it has read its file. It returns how long it took from
// then, or without a signal from when it had read its file, and the exit code.
func computing(
	t *testing.T, line, file string, signal os.Signal, moment time.Duration,
) (took time.Duration, code int) {
	t.Helper()
	cmd, _, _ := program(t, append(strings.Fields(line), "--snapshot", file)...)
	told := &streams.Buffer{}
	cmd.Stderr = told
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); !strings.Contains(told.String(), "Ages are as of"); {
		if time.Now().After(deadline) {
			t.Fatalf("it has not read the file: %s", told)
		}
		time.Sleep(10 * time.Millisecond)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	since := time.Now()
	select {
	case <-ended:
	case <-time.After(moment):
		since = time.Now()
		_ = cmd.Process.Signal(signal) // it may have ended
		<-ended
	}
	code = cmd.ProcessState.ExitCode()
	if code != 0 && (signal == nil || code != 1 || !strings.Contains(told.String(), "interrupted")) {
		t.Errorf("exit code %d, want 0, or 1 and a word of the interrupt: %s", code, told)
	}
	return time.Since(since), code
}
