// Package snapshot keeps a cluster in a file: what diagnoses read of it, without its secrets.
//
// What was not recorded is unreadable, never absent: a Recording answers "not found" only where the
// cluster did, or where a list that was recorded in full lacks the object.
//
// To find one's way:
//
//	format.go                     the lines of a file, as docs/offline.md describes them
//	recorder.go, area.go          a Recorder is a cluster.Reader that writes down what it reads
//	write.go                      a Writer makes the lines
//	kept.go                       what is kept of a field, and which kinds are kept whole
//	clean*.go                     takes out everything else, before it is written
//	read.go                       from a file to lines, within bounds
//	recording.go                  from lines, or from what no Recorder has written, to a Recording
//	answer.go                     a Recording is a cluster.Reader, too
//	redact*.go                    a second pass, which replaces names
//
// Two packages stand on this one: files opens what people have, states prints what kubectl get would.
package snapshot
