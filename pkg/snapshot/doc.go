// Package snapshot keeps a cluster in a file: what diagnoses read of it, without its secrets.
//
// What was not recorded is unreadable, never absent: a Recording answers "not found" only where the
// cluster did, or where a list that was recorded in full lacks the object.
//
// To find one's way:
//
//	format.go                     the lines of a file, as docs/offline.md describes them
//	recorder.go, scope.go         a Recorder is a cluster.Reader that writes down what passes through it; a Scope is listed
//	write.go, encode.go           a Writer makes the lines
//	clean*.go, kinds.go           what never gets that far, and what is kept whole
//	read.go, recording.go         from lines to a Recording, within bounds
//	answer.go, selector.go        a Recording is a cluster.Reader, too
//	redact*.go                    a second pass, which replaces names
//	builder.go                    recordings of what no Recorder has written
//
// Three packages stand on this one: files opens what people have, record decides what is recorded, states
// prints what kubectl get would.
package snapshot
