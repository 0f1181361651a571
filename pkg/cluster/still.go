package cluster

import "errors"

// Still tells whether a Reader shows one moment of a cluster, so that nothing is learned from a second
// look at it.
func Still(reader Reader) bool {
	switch reader := reader.(type) {
	case *Memo:
		return Still(reader.Reader)
	case interface{ Still() bool }:
		return reader.Still()
	}
	return false
}

// Partial tells whether a Reader knows the cluster from manifests only, which people have written to files
// in the form that they liked.
func Partial(reader Reader) bool {
	switch reader := reader.(type) {
	case *Memo:
		return Partial(reader.Reader)
	case interface{ Partial() bool }:
		return reader.Partial()
	}
	return false
}

// NotRecorded tells whether a read failed because what it asked for is not part of a recording.
func NotRecorded(err error) bool {
	var missing interface{ NotRecorded() bool }
	return errors.As(err, &missing) && missing.NotRecorded()
}
