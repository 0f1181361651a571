package limits

import (
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// addDuty adds the limit that a setting is which says what a program in a namespace does, or for which share of the
// objects, or a trait of these. duties are the names that what it does may have there.
func addDuty(limits []Limit, duties []string, namespace, name, value string) []Limit {
	if strings.Contains(value, leftout.Mark) {
		return limits
	}
	one := Limit{Setting: strings.TrimLeft(name, "-")}
	if value != "" {
		one.Setting += "=" + value
	}
	if words, is := naming.ShareOf(name); is && value != "" {
		one.share = &share{words: words, values: strings.FieldsFunc(value, listed), home: namespace}
		return append(limits, one)
	}
	switch naming.DutyOf(name, value, duties...) {
	case naming.DutyOff:
		one.Off = true
	case naming.DutyPerhapsOff:
		one.Off, one.Unsure = true, true
	default:
		word, is := naming.TraitOf(name, value)
		if !is {
			return limits
		}
		one.trait = &trait{word: word, value: value}
	}
	return append(limits, one)
}

// dutiesOf are the names that settings may have for what a program does with a kind, and with a finalizer on it.
func dutiesOf(resource cluster.Resource, finalizer string) []string {
	duties := []string{strings.ToLower(resource.Kind), resource.Resource}
	if duty := naming.FinalizerDuty(finalizer); duty != "" {
		duties = append(duties, duty)
	}
	return duties
}
