// Package statuses says what statuses and messages of objects tell: trouble, progress, and the objects they name. It
// reads nothing itself.
//
// This package may change at any time.
package statuses

import (
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Report is trouble in an object's own status: usually its controller's words.
type Report struct {
	Where string // status.conditions[Ready]
	Words string
	By    []string // the field managers that wrote them, where managedFields tell
	At    time.Time
	// Seen says that it was written after the deletion, or for the generation which that made
	// (docs/deletion.md#what-deletiontimestamp-means).
	Seen   bool
	Before bool // it was certainly written for what the object was before the deletion
	// Well says that it is in a condition which tells by its type and status that nothing is wrong.
	Well bool
	Of   string // the type of its condition, if it is in one
	// Settled says that its writer wrote later, and left the time of change of its condition alone.
	Settled bool
	// Unchanged says that its condition tells that it last changed before the deletion. Its words may be newer: only a
	// change of the status counts there.
	Unchanged bool
	// Halts says that it is in a condition which says that the controller is told not to act. That holds from before the
	// deletion on: a controller that does not act writes no other one.
	Halts bool
	// Loose says that free text alone makes it trouble: no type, reason or name of a field does.
	Loose bool
}

// Reports returns the trouble in a Terminating object's status, and in annotations that are named for errors, what has
// seen the deletion first. The only convention are conditions; the words in them decide what counts as trouble
// (docs/deletion.md#evidence-about-a-controller). By says who wrote them.
func Reports(object *unstructured.Unstructured) []Report {
	status, _, _ := unstructured.NestedMap(object.Object, "status")
	if object.GetDeletionTimestamp() == nil {
		return nil
	}
	context := contextOf(object, status)
	reports := slices.Concat(
		conditionReports(status, context), fieldReports(status, context), annotationReports(object, context),
	)
	before := slices.DeleteFunc(slices.Clone(reports), func(r Report) bool { return r.Seen })
	return append(slices.DeleteFunc(reports, func(r Report) bool { return !r.Seen }), before...)
}

func contextOf(object *unstructured.Unstructured, status map[string]any) statusContext {
	fields := object.GetManagedFields()
	return statusContext{
		generation: number(object.Object, "metadata", "generation"), deleted: object.GetDeletionTimestamp().Time,
		written: writers.StatusWritten(fields).At, since: number(status, "observedGeneration"), fields: fields,
		names: Names(object),
	}
}

// Names are those of an object, of its owners and of what it names in its spec: in words they are no words. It returns
// no others that happen to be known: what words mean must not depend on what was read before.
func Names(object *unstructured.Unstructured) []string {
	names := []string{object.GetName(), object.GetNamespace()}
	for _, owner := range object.GetOwnerReferences() {
		names = append(names, owner.Name)
	}
	for _, reference := range References(object) {
		if reference.InSpec() && reference.Name != "" {
			names = append(names, reference.Name)
		}
	}
	return names
}

// FieldReport returns what a field says in which the controller of a Terminating object says why it waits, if that is
// trouble.
func FieldReport(object *unstructured.Unstructured, where, words string) (Report, bool) {
	status, _, _ := unstructured.NestedMap(object.Object, "status")
	if object.GetDeletionTimestamp() == nil || Judge(words) != Trouble || recovered(status, words) {
		return Report{}, false
	}
	return contextOf(object, status).report(where, words), true
}

// recovered reports whether words are in a condition of the bad sort that doesn't hold.
func recovered(status map[string]any, words string) bool {
	return slices.ContainsFunc(conditionsOf(status), func(one condition) bool {
		return one.message == words && one.status == string(metav1.ConditionFalse) && Judge(one.kind) == Trouble
	})
}

// statusContext is what reports whether a status has seen the deletion.
type statusContext struct {
	generation, since int64
	deleted, written  time.Time
	fields            []metav1.ManagedFieldsEntry
	names             []string // of the object: they tell nothing in words
}

// report is what the status as a whole says in one of its fields.
func (c statusContext) report(where, words string) Report {
	seen := c.saw(0, time.Time{})
	return Report{Where: where, Words: words, At: c.written, Seen: seen, Before: !seen && c.precedes(0)}
}

// of is a context for one part of the status, and who wrote that.
func (c statusContext) of(path ...string) (part statusContext, by []string) {
	at := time.Time{}
	for _, written := range writers.Writers(c.fields, append([]string{"f:status"}, path...)...) {
		if by = append(by, written.Manager); written.At.After(at) {
			at = written.At
		}
	}
	if !at.IsZero() {
		c.written = at
	}
	return c, by
}

// moment is how long before a deletion something can have been written that is taken to hold after it.
const moment = time.Minute

// precedes reports whether a statement is about an earlier generation, or, where none is given, was last written before
// the deletion.
func (c statusContext) precedes(generation int64) bool {
	if generation == 0 {
		generation = c.since
	}
	if generation == 0 {
		return !c.written.IsZero() && c.written.Before(c.deleted.Add(-moment))
	}
	return generation < c.generation
}

// saw judges one statement: a generation of its own decides, then the whole status's, then times in whole seconds.
func (c statusContext) saw(generation int64, at time.Time) bool {
	switch {
	case generation > 0:
		return generation >= c.generation
	case c.since > 0:
		return c.since >= c.generation
	}
	return !at.IsZero() && !at.Before(c.deleted) || !c.written.IsZero() && !c.written.Before(c.deleted)
}

// number reads a whole number, in either form in which JSON is decoded.
func number(fields map[string]any, path ...string) int64 {
	value, _, _ := unstructured.NestedNumberAsFloat64(fields, path...)
	return int64(value)
}

func text(fields map[string]any, name string) string {
	value, _, _ := unstructured.NestedString(fields, name)
	return value
}
