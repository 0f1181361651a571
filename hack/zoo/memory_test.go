package zoo_test

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"testing"
)

// mostMemory is how many bytes this program may take: it runs beside control planes, on a laptop.
const mostMemory = 3 << 29

// bounded are tests that fail if they have taken too much memory.
type bounded struct{ *testing.M }

func (b bounded) Run() int {
	code := b.M.Run()
	peak, err := peakMemory()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "how much memory was taken:", err)
		return 1
	case peak > mostMemory:
		fmt.Fprintf(os.Stderr, "FAIL: the tests took %d MB of memory, and may take %d\n", peak>>20, mostMemory>>20)
		return 1
	}
	return code
}

// peakMemory returns the most bytes that this process has had in memory at once.
func peakMemory() (int64, error) {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0, err
	}
	return peakOf(&used), nil
}

// peakOf returns the most bytes of memory that something has used.
func peakOf(used *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return used.Maxrss // in bytes there
	}
	return used.Maxrss << 10
}
