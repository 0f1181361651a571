package statuses

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// condition is one of a status's conditions, as far as it follows the convention.
type condition struct {
	kind, status, reason, message string
	changed                       string // lastTransitionTime
	generation                    int64  // that it was observed of
	byName                        bool   // it is in a map of conditions by their types, not in a list
}

// conditionsOf returns the conditions of a status, in a list, whether they have a type or not, or in a map by types.
// Some controllers list them as texts.
func conditionsOf(status map[string]any) (conditions []condition) {
	switch all := status["conditions"].(type) {
	case []any:
		for _, entry := range all {
			switch entry := entry.(type) {
			case map[string]any:
				conditions = append(conditions, conditionIn(entry))
			case string:
				conditions = append(conditions, conditionAsText(entry))
			}
		}
	case map[string]any:
		for _, kind := range slices.Sorted(maps.Keys(all)) {
			if fields, is := all[kind].(map[string]any); is {
				one := conditionIn(fields)
				one.kind, one.byName = kind, true
				conditions = append(conditions, one)
			}
		}
	}
	return conditions
}

func conditionIn(fields map[string]any) condition {
	one := condition{
		kind: text(fields, "type"), status: text(fields, "status"), reason: text(fields, "reason"),
		message: firstText(fields, explainingFields()...), changed: text(fields, "lastTransitionTime"),
		generation: number(fields, "observedGeneration"),
	}
	if state := text(fields, "state"); one.status == "" && isStatus(state) {
		one.status = state
	}
	if holds, is := fields["status"].(bool); is {
		one.status = string(metav1.ConditionFalse)
		if holds {
			one.status = string(metav1.ConditionTrue)
		}
	}
	return one
}

// conditionAsText is one in a text, Ready=False: AccessDenied; any other text is one without a type.
func conditionAsText(said string) condition {
	head, message, _ := strings.Cut(said, ":")
	kind, status, is := strings.Cut(strings.TrimSpace(head), "=")
	if !is || !isStatus(status) {
		return condition{message: said}
	}
	return condition{kind: kind, status: status, message: strings.TrimSpace(message)}
}

func isStatus(said string) bool {
	return slices.Contains([]string{
		string(metav1.ConditionTrue), string(metav1.ConditionFalse), string(metav1.ConditionUnknown),
	}, said)
}

// words are the reason and the message.
func (c condition) words() string { return joined(c.reason, c.message) }

// since is when the condition last changed, and whether it tells that.
func (c condition) since() (time.Time, bool) {
	at, err := time.Parse(time.RFC3339, c.changed)
	return at, err == nil
}

// ofCondition is what a condition says, and who wrote it when.
func (c statusContext) ofCondition(one condition) Report {
	at, told := one.since()
	own, by := c.of("f:conditions", one.key())
	if len(by) == 0 && told {
		by = c.changedBy(at)
	}
	seen := own.saw(one.generation, at)
	return Report{
		Where: conditionName(one.kind, one.status), Words: one.words(), Of: one.kind, By: by, At: at,
		Seen: seen, Before: !seen && own.precedes(one.generation), Settled: told && own.written.Sub(at) > restamped,
		Unchanged: told && at.Before(c.deleted),
	}
}

// changedBy is who wrote a condition that changed at a time, where managedFields know only the list as a whole, as for
// kinds whose schema doesn't make it a map: who has written the list last has it all, and has changed what it says that
// it changed then.
func (c statusContext) changedBy(at time.Time) (by []string) {
	for _, written := range writers.Whole(c.fields, "f:status", "f:conditions") {
		if distance := written.At.Sub(at).Abs(); distance <= restamped {
			by = append(by, written.Manager)
		}
	}
	return by
}

// key is that of a condition in managedFields.
func (c condition) key() string {
	if c.byName {
		return "f:" + c.kind
	}
	key, _ := json.Marshal(map[string]string{"type": c.kind}) // of strings, it never fails
	return "k:" + string(key)
}
