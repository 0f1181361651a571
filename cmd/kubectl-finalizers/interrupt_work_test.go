package main

import (
	"errors"
	"fmt"
	"io"
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

// mostOwners is a file that takes any machine seconds to answer about.
const mostOwners = 64_000

// TestInterruptWhileComputing sends a signal to the program while it has read everything, and only computes and prints:
// about so many owners that this takes a while. Nothing that it prints is read before the signal. It ends soon after,
// with the exit code of an interrupt and a word of it; or with 0, if the answer was complete and waited to be read. A
// machine that runs the program but not this test completes each answer: then there are more owners, until it is heard.
func TestInterruptWhileComputing(t *testing.T) {
	t.Parallel()
	for _, circle := range []bool{true, false} {
		for _, line := range []string{
			"list -A", "why cm/m0 -n shop", "tree cm/m0 -n shop", "check -A", "preview cm/m0 -n shop --cascade=foreground",
		} {
			t.Run(fmt.Sprintf("%s, circle %v", line, circle), func(t *testing.T) {
				count := 4_000
				if testing.Short() {
					count = 2_000
				}
				for ; !interruptedComputing(t, line, count, circle); count *= 2 {
					if count > mostOwners {
						t.Fatalf("no signal was heard, about %d owners neither", count)
					}
				}
			})
		}
	}
}

// interruptedComputing runs the program about so many owners, with signals at different moments. It reports whether
// one of them interrupted it.
func interruptedComputing(t *testing.T, line string, count int, circle bool) bool {
	t.Helper()
	file := ownersInFile(t, count, circle, !strings.HasPrefix(line, "preview"))
	interrupted := false
	for moment, signal := range map[time.Duration]os.Signal{
		0: os.Interrupt, 100 * time.Millisecond: syscall.SIGTERM, 400 * time.Millisecond: os.Interrupt,
		2 * time.Second: os.Interrupt, // when it prints, or waits for its first line to be read
	} {
		interrupted = interruptComputing(t, line, file, signal, moment) || interrupted
	}
	return interrupted
}

// interruptComputing runs the program, and sends a signal so long after it has read its file. It reports whether the
// program was interrupted; else its answer was complete.
func interruptComputing(t *testing.T, line, file string, signal os.Signal, moment time.Duration) bool {
	t.Helper()
	cmd, _, _ := program(t, append(strings.Fields(line), "--snapshot", file)...)
	buffer, unread := &streams.Buffer{}, (*os.File)(nil)
	cmd.Stderr = buffer
	unread, cmd.Stdout = fullPipe(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); !strings.Contains(buffer.String(), "ges are as of"); {
		if time.Now().After(deadline) {
			t.Fatalf("it has not read the file: %s", buffer)
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(moment)
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatalf("it has ended before the signal: %v: %s", err, buffer)
	}
	since := time.Now()
	go func() { _, _ = io.Copy(io.Discard, unread) }()
	_ = cmd.Wait()
	if after := time.Since(since); after > heard {
		t.Errorf("it ended only %s after the signal", after)
	}
	code, named := cmd.ProcessState.ExitCode(), strings.Contains(buffer.String(), "interrupted")
	if (code != 0 || named) && (code != 1 || !named) {
		t.Errorf("%s after the file was read: exit code %d, want 1 and a word of the interrupt: %s", moment, code, buffer)
	}
	return code == 1 && named
}

// fullPipe is a pipe that takes nothing until it is read.
func fullPipe(t *testing.T) (reads, writes *os.File) {
	t.Helper()
	reads, writes, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = reads.Close(), writes.Close() })
	if err := writes.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		t.Skip("pipes have no deadlines here")
	}
	const large = 16 << 20
	if _, err := writes.Write(make([]byte, large)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("a pipe has room for 16 MiB: %v", err)
	}
	return reads, writes
}
