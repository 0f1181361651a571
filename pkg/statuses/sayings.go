package statuses

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Sayings returns what a Terminating object's status says in words, trouble or not: its conditions with a message, and
// other texts of more than one word. What has seen the deletion comes first, and what certainly hasn't is left out.
func Sayings(object *unstructured.Unstructured) (said []Report) {
	status, found, _ := unstructured.NestedMap(object.Object, "status")
	if !found || object.GetDeletionTimestamp() == nil {
		return nil
	}
	context := contextOf(object, status)
	for _, condition := range conditionsOf(status) {
		kind, status := text(condition, "type"), text(condition, "status")
		reason, message := text(condition, "reason"), text(condition, "message")
		if message == "" && !IsStatement(reason) && !HoldsBack(reason) {
			continue
		}
		one := context.ofCondition(condition)
		one.Where, one.Words = conditionName(kind, status), joined(reason, message)
		one.Well, one.Of = well(kind, status), kind
		said = append(said, one)
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
		if field == "conditions" {
			continue
		}
		own, by := context.of("f:" + field)
		one := own.report(statement.Where, statement.Words)
		one.By = by
		said = append(said, one)
	}
	said = slices.DeleteFunc(said, func(one Report) bool { return one.Before })
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

// ofCondition is a report of a condition but for its words.
func (c statusContext) ofCondition(condition map[string]any) Report {
	at, _ := time.Parse(time.RFC3339, text(condition, "lastTransitionTime"))
	own, by := c.of("f:conditions", keyOf(text(condition, "type")))
	generation := number(condition, "observedGeneration")
	seen := own.saw(generation, at)
	return Report{By: by, At: at, Seen: seen, Before: !seen && own.precedes(generation)}
}

// keyOf is the key of a condition in managedFields.
func keyOf(kind string) string {
	key, _ := json.Marshal(map[string]string{"type": kind}) // of strings, it never fails
	return "k:" + string(key)
}
