package files

import (
	"errors"
	"io"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// age learns from an object's times when it was read: not before the newest of them.
func (a *assembly) age(object *unstructured.Unstructured) {
	fields := object.Object
	a.at(fields, "metadata", "creationTimestamp")
	for _, entry := range listIn(fields, "metadata", "managedFields") {
		a.at(entry, "time")
	}
	for _, condition := range listIn(fields, "status", "conditions") {
		a.at(condition, "lastTransitionTime")
		// The kubelet repeats it every five minutes at the latest.
		a.beats = a.at(condition, "lastHeartbeatTime") && object.GetKind() == "Node" || a.beats
	}
	switch object.GetKind() {
	case "Lease":
		a.beats = a.at(fields, "spec", "renewTime") || a.beats
	case "Event":
		a.at(fields, "lastTimestamp")
		a.at(fields, "eventTime")
	}
}

// at takes in a time, and reports whether there is one.
func (a *assembly) at(fields map[string]any, path ...string) bool {
	text, _, _ := unstructured.NestedString(fields, path...)
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || at.Year() > 9000 {
		return false
	}
	a.newest = later(a.newest, at)
	return true
}

func listIn(fields map[string]any, path ...string) (maps []map[string]any) {
	value, _, _ := unstructured.NestedFieldNoCopy(fields, path...)
	items, _ := value.([]any)
	for _, item := range items {
		if fields, is := item.(map[string]any); is {
			maps = append(maps, fields)
		}
	}
	return maps
}

// timestamp is the file in which oc adm must-gather writes down when it began and when it ended, by the
// clock of whoever ran it, a line for each (openshift/oc pkg/cli/admin/mustgather/mustgather.go:logTimestamp).
const timestamp = "timestamp"

// stamp reads this file. One that says something else says nothing.
func (a *assembly) stamp(in io.Reader) {
	text, _ := io.ReadAll(io.LimitReader(in, 1<<12))
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " m=")
		if at, err := time.Parse("2006-01-02 15:04:05.999999999 -0700 MST", line); err == nil {
			a.stamped = later(a.stamped, at)
		}
	}
}

func later(one, other time.Time) time.Time {
	if other.After(one) {
		return other
	}
	return one
}

// made decides when the cluster was as the objects say. What is written every few seconds tells the time
// best. Without it, nothing is older than what it holds, nor younger than its last change.
func (a *assembly) made() (time.Time, error) {
	at, written := a.newest, a.written
	if !a.stamped.IsZero() {
		written = a.stamped
	}
	if at.IsZero() || !a.beats && written.After(at) {
		at = written
	}
	if at.IsZero() {
		return at, errors.New("it does not show when it was written")
	}
	return at, nil
}
