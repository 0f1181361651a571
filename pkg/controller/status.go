package controller

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Report is trouble that an object's own status tells of: its controller's words.
type Report struct {
	Where string // status.conditions[Ready]
	Words string
	At    time.Time
	// Seen says that it was written after the deletion, or for the generation which that made (deletion-mechanics 0.2).
	Seen   bool
	Before bool // it was certainly written for what the object was before the deletion
}

// Reports returns the trouble that a Terminating object's status tells of, that which has seen the
// deletion first. There is no convention but conditions; of those, what counts as trouble is read
// from the words that people use (deletion-mechanics D-2).
func Reports(object *unstructured.Unstructured) []Report {
	status, found, _ := unstructured.NestedMap(object.Object, "status")
	deleted := object.GetDeletionTimestamp()
	if !found || deleted == nil {
		return nil
	}
	context := contextOf(object, status)
	reports := append(conditionReports(status, context), fieldReports(status, context)...)
	before := slices.DeleteFunc(slices.Clone(reports), func(r Report) bool { return r.Seen })
	return append(slices.DeleteFunc(reports, func(r Report) bool { return !r.Seen }), before...)
}

func contextOf(object *unstructured.Unstructured, status map[string]any) statusContext {
	return statusContext{
		generation: number(object.Object, "metadata", "generation"), deleted: object.GetDeletionTimestamp().Time,
		written: StatusWritten(object.GetManagedFields()).At, since: number(status, "observedGeneration"),
	}
}

// FieldReport returns what a field says in which the controller of a Terminating object tells why it waits, if that is
// trouble.
func FieldReport(object *unstructured.Unstructured, where, words string) (Report, bool) {
	status, _, _ := unstructured.NestedMap(object.Object, "status")
	if object.GetDeletionTimestamp() == nil || !trouble().MatchString(words) || recovered(status, words) {
		return Report{}, false
	}
	return contextOf(object, status).report(where, words), true
}

// recovered tells whether words stand in a condition of the bad sort that doesn't hold.
func recovered(status map[string]any, words string) bool {
	return slices.ContainsFunc(conditionsOf(status), func(condition map[string]any) bool {
		return text(condition, "message") == words && text(condition, "status") == string(metav1.ConditionFalse) &&
			trouble().MatchString(text(condition, "type"))
	})
}

func conditionsOf(status map[string]any) (conditions []map[string]any) {
	all, _, _ := unstructured.NestedSlice(status, "conditions")
	for _, one := range all {
		if condition, is := one.(map[string]any); is {
			conditions = append(conditions, condition)
		}
	}
	return conditions
}

// statusContext is what tells whether a status has seen the deletion.
type statusContext struct {
	generation, since int64
	deleted, written  time.Time
}

// report is what the status as a whole says in one of its fields.
func (c statusContext) report(where, words string) Report {
	return Report{Where: where, Words: words, At: c.written, Seen: c.saw(0, time.Time{}), Before: c.precedes(0)}
}

// precedes tells whether a statement is about an earlier generation.
func (c statusContext) precedes(generation int64) bool {
	if generation == 0 {
		generation = c.since
	}
	return generation > 0 && generation < c.generation
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

func conditionReports(status map[string]any, context statusContext) (reports []Report) {
	for _, condition := range conditionsOf(status) {
		kind, status := text(condition, "type"), text(condition, "status")
		reason, message := text(condition, "reason"), text(condition, "message")
		if !troubled(kind, status, reason, message) {
			continue
		}
		at, _ := time.Parse(time.RFC3339, text(condition, "lastTransitionTime"))
		generation := number(condition, "observedGeneration")
		reports = append(reports, Report{
			Where: fmt.Sprintf("condition %s is %s", kind, status), Words: joined(reason, message), At: at,
			Seen: context.saw(generation, at), Before: context.precedes(generation),
		})
	}
	return reports
}

// fieldReports reads the fields in which controllers without conditions put what went wrong.
func fieldReports(status map[string]any, context statusContext) (reports []Report) {
	say := func(field, words string) { reports = append(reports, context.report("status."+field, words)) }
	for _, field := range []string{"error", "errorMessage", "lastError", "failureMessage", "deletionError"} {
		if words := text(status, field); words != "" {
			say(field, words)
		}
	}
	for _, field := range []string{"phase", "state"} {
		if value := text(status, field); trouble().MatchString(value) {
			say(field, joined(value, joined(text(status, "reason"), text(status, "message"))))
			return reports
		}
	}
	if message := text(status, "message"); len(reports) == 0 && trouble().MatchString(message) {
		say("message", message)
	}
	return reports
}

// troubled tells whether a condition says that something is wrong. Conditions that are good when true
// are False on everything that is being deleted, so the words have to say more than that.
func troubled(kind, status, reason, message string) bool {
	words := trouble().MatchString(reason) || trouble().MatchString(message)
	switch {
	case trouble().MatchString(kind):
		return status == string(metav1.ConditionTrue)
	case regexp.MustCompile(`(?i)delet|terminat|finaliz|clean`).MatchString(kind):
		return words
	}
	return status != string(metav1.ConditionTrue) && words
}

// trouble matches the words by which people say that something is wrong.
func trouble() *regexp.Regexp {
	return regexp.MustCompile(`(?i)error|fail|denied|forbidden|refused|unable|cannot|can't|could not|couldn't|timed ?out|` +
		`blocked|stalled|degraded|unreachable|unauthori[sz]ed|exceeded|invalid|not allowed|in ?use\b|still has|exception`)
}

func joined(reason, message string) string { return strings.Trim(reason+": "+message, ": ") }

// Written is one write to an object.
type Written struct {
	Manager string
	At      time.Time
}

// StatusWritten returns the last write to an object's status, by managedFields.
func StatusWritten(fields []metav1.ManagedFieldsEntry) (last Written) {
	for _, entry := range fields {
		var set struct {
			Status json.RawMessage `json:"f:status"`
		}
		if entry.Time == nil || !entry.Time.After(last.At) || json.Unmarshal(entry.FieldsV1.GetRawBytes(), &set) != nil {
			continue
		}
		if entry.Subresource == "status" || set.Status != nil {
			last = Written{Manager: entry.Manager, At: entry.Time.Time}
		}
	}
	return last
}
