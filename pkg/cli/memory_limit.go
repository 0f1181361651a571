package cli

import (
	"os"
	"runtime/debug"
)

// muchMemory is from how many bytes on garbage is collected at once, instead of when it has become as much as is used.
const muchMemory = 1 << 30

// limitMemory has this process collect garbage more often where it takes much memory, as while it reads a list that
// does not end. Whoever sets GOMEMLIMIT decides it. A lower limit stays.
func limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" && debug.SetMemoryLimit(-1) > muchMemory {
		debug.SetMemoryLimit(muchMemory)
	}
}

// collectAt sets how much garbage there may be beside what is used, in percent, until it is restored. Whoever sets GOGC
// decides it: in a process that runs several commands at once, as tests do, the last one to end would leave its own.
func collectAt(percent int) (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}
