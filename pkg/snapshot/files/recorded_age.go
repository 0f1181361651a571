package files

import (
	"errors"
	"io"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
)

// age learns from an object's times when it was read: not before the newest of them.
func (a *assembly) age(object *unstructured.Unstructured) {
	fields := object.Object
	a.at(fields, "metadata", "creationTimestamp")
	if deleted := object.GetDeletionTimestamp(); deleted != nil {
		grace := object.GetDeletionGracePeriodSeconds() // the time is when it ends
		a.seen(deleted.Add(-time.Duration(min(max(ptr.Deref(grace, 0), 0), mostGrace)) * time.Second))
	}
	for _, entry := range listIn(fields, "metadata", "managedFields") {
		a.at(entry, "time")
	}
	for _, condition := range listIn(fields, "status", "conditions") {
		a.at(condition, "lastTransitionTime")
		a.at(condition, "lastUpdateTime")
		if object.GetKind() == "Node" {
			a.beat(object, condition, "lastHeartbeatTime") // the kubelet repeats it every five minutes at the latest
		}
	}
	switch object.GetKind() {
	case "Lease":
		a.beat(object, fields, "spec", "renewTime")
	case "Event":
		a.at(fields, "lastTimestamp")
		a.at(fields, "eventTime")
	}
}

// beats are when programs last said that they are alive: the newest of these times, of two objects.
type beats [2]struct {
	name string
	at   time.Time
}

// note takes in a time of an object. A Node and its Lease have one name, and one program writes both.
func (b *beats) note(name string, at time.Time) {
	last, before := &b[0], &b[1]
	switch {
	case name == last.name:
		last.at = later(last.at, at)
	case at.After(last.at):
		*before = *last
		last.name, last.at = name, at
	case at.After(before.at):
		before.name, before.at = name, at
	}
}

// beatsTogether is how long before the newest time in an object two of the objects that are written every few seconds
// may have been written.
const beatsTogether = time.Minute

// date reports whether two programs still wrote shortly before a time. One alone may have been the one that stopped.
func (b *beats) date(newest time.Time) bool {
	return !b[1].at.IsZero() && newest.Sub(b[1].at) <= beatsTogether
}

// beat takes in when an object was written that is written every few seconds.
func (a *assembly) beat(object *unstructured.Unstructured, fields map[string]any, path ...string) {
	text, _, _ := unstructured.NestedString(fields, path...)
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil && a.seen(at) {
		a.beats.note(object.GetName(), at)
	}
}

// at takes in a time, if there is one.
func (a *assembly) at(fields map[string]any, path ...string) {
	text, _, _ := unstructured.NestedString(fields, path...)
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		a.seen(at)
	}
}

// seen takes in a time that has come.
func (a *assembly) seen(at time.Time) bool {
	if at.Year() > 9000 || at.Year() < 2014 {
		return false
	}
	a.newest = later(a.newest, at)
	return true
}

const mostGrace = 1 << 31 // seconds

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

// made decides when the cluster was as the objects say. What is written every few seconds tells that exactly, and so
// does a must-gather, or a clock that was asked. Without either, it was not before the newest time in an object:
// files may have been copied since, and their times count only if the objects have none.
func (a *assembly) made() (at time.Time, exact bool, err error) {
	switch {
	case a.beats.date(a.newest):
		return a.newest, true, nil
	case !a.stamped.IsZero():
		return later(a.newest, a.stamped), true, nil
	case !a.newest.IsZero():
		return a.newest, false, nil
	case !a.written.IsZero():
		return a.written, false, nil
	}
	return at, false, errors.New("it does not show when it was written")
}
