package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// patientPercent is how much garbage may be beside what is in use while that is little: five or six
	// collections of a few megabytes would else be a sixth of what a short run costs (docs/performance.md).
	patientPercent = 400
	// littleInUse is up to how many bytes in use that goes.
	littleInUse = 6 << 20
	// usualPercent is Go's own.
	usualPercent = 100
)

// collectLittle lets garbage lie while there is little of anything, and as soon as more is in use collects it
// as Go does. GOGC, if somebody has set it, is obeyed.
func collectLittle() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(patientPercent)
	lookAfterCollection()
}

// lookAfterCollection looks, after the next collection, at what is in use: what nobody refers to is cleaned up
// then.
func lookAfterCollection() {
	unused := new([16]byte)
	runtime.AddCleanup(unused, func(struct{}) {
		if inUse() > littleInUse {
			debug.SetGCPercent(usualPercent)
			return
		}
		lookAfterCollection()
	}, struct{}{})
}

// inUse is how many bytes the last collection found in use.
func inUse() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return littleInUse + 1
	}
	return sample[0].Value.Uint64()
}
