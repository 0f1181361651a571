package cli

import (
	"os"
	"runtime/debug"
)

// collectAt sets how much garbage there may be beside what is used, in percent, until it is restored. Whoever sets GOGC
// decides it: in a process that runs several commands at once, as tests do, the last one to end would leave its own.
func collectAt(percent int) (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}
