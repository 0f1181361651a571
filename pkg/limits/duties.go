package limits

import (
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// addDuty adds the limit that a setting is which says what a program in a namespace does, or for which share of the
// objects.
func addDuty(limits []Limit, resource cluster.Resource, namespace, name, value string) []Limit {
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
	switch naming.DutyOf(name, value, strings.ToLower(resource.Kind), resource.Resource) {
	case naming.DutyOff:
		one.Off = true
	case naming.DutyPerhapsOff:
		one.Off, one.Unsure = true, true
	default:
		return limits
	}
	return append(limits, one)
}
