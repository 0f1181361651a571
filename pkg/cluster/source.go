package cluster

import "errors"

// Source says what answers the questions of a Reader.
type Source int

const (
	// FromServer is a running API server.
	FromServer Source = iota
	// FromRecording is one moment of a cluster: a second read brings nothing new.
	FromRecording
	// FromManifests is what people have written to files in the form that they liked. It tells neither what the
	// cluster serves nor which objects there are besides.
	FromManifests
)

// Changes reports whether a second read can bring something new.
func (s Source) Changes() bool { return s == FromServer }

// NotRecorded tells whether a read failed because what it asked for is not part of a recording.
func NotRecorded(err error) bool {
	var missing interface{ NotRecorded() bool }
	return errors.As(err, &missing) && missing.NotRecorded()
}
