package statuses

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Sayings returns what a Terminating object's status says in words, trouble or not: its conditions with a message, and
// other texts of more than one word; where there are none, what fields of any name say. What it lists as what keeps the
// object comes before these. What has seen the deletion comes first, and what certainly hasn't is left out, except that
// it is paused.
func Sayings(object *unstructured.Unstructured) (said []Report) {
	status, found, _ := unstructured.NestedMap(object.Object, "status")
	if !found || object.GetDeletionTimestamp() == nil {
		return nil
	}
	context := contextOf(object, status)
	said = namedBlockers(status, context)
	for _, one := range conditionsOf(status) {
		if one.message == "" && !IsStatement(one.reason) && !HoldsBack(one.reason) && !halts(one.kind, one.status) {
			continue
		}
		report := context.ofCondition(one)
		report.Well, report.Halts = well(one.kind, one.status), halts(one.kind, one.status)
		said = append(said, report)
	}
	for _, field := range stateFields() {
		if value := text(status, field); HoldsBack(value) && !IsStatement(value) { // Paused
			own, by := context.of("f:" + field)
			one := own.report("status."+field, value)
			one.By = by
			said = append(said, one)
		}
	}
	for _, statement := range Statements(object) {
		field, _, _ := strings.Cut(strings.TrimPrefix(statement.Where, "status."), ".")
		field, _, _ = strings.Cut(field, "[")
		if field == "conditions" || bygone(statement.Where) {
			continue
		}
		own, by := context.of("f:" + field)
		one := own.report(statement.Where, statement.Words)
		one.By = by
		said = append(said, one)
	}
	said = slices.DeleteFunc(said, func(one Report) bool { return one.Before && !one.Halts })
	if len(said) == 0 {
		return inOtherFields(status, context)
	}
	slices.SortStableFunc(said, func(a, b Report) int {
		switch {
		case a.Seen == b.Seen:
			return 0
		case a.Seen:
			return -1
		}
		return 1
	})
	return said
}

// Paused returns the condition of a Terminating object which says that its controller is told not to act on it: Paused,
// Suspended.
func Paused(object *unstructured.Unstructured) (Report, bool) {
	for _, saying := range Sayings(object) {
		if saying.Halts {
			return saying, true
		}
	}
	return Report{}, false
}

// halts reports whether a condition says that the controller is told not to act.
func halts(kind, status string) bool { return polarityOf(kind) == halted && status == "True" }
