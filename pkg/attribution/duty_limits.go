package attribution

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
)

// share is the part of all objects of a kind that a program acts on: the ones with its value in a label or an
// annotation of these words.
type share struct{ words, value string }

// excludes reports whether an object says that it belongs to another share. One that says nothing is anyone's.
func (s *share) excludes(object *metav1.PartialObjectMetadata) (excluded bool) {
	if object == nil {
		return false
	}
	for _, texts := range []map[string]string{object.Labels, object.Annotations} {
		for key, text := range texts {
			if !naming.SaysShare(key, s.words) {
				continue
			}
			if text == s.value {
				return false
			}
			excluded = true
		}
	}
	return excluded
}

// addDuty adds the limit that a setting is which says what a program does, or for which share of the objects.
func addDuty(limits []limit, resource cluster.Resource, name, value string) []limit {
	if strings.Contains(value, leftout.Mark) {
		return limits
	}
	one := limit{setting: strings.TrimLeft(name, "-")}
	if value != "" {
		one.setting += "=" + value
	}
	if words, is := naming.ShareOf(name); is && value != "" {
		one.share = &share{words, value}
		return append(limits, one)
	}
	switch naming.DutyOf(name, value, strings.ToLower(resource.Kind), resource.Resource) {
	case naming.DutyOff:
		one.off = true
	case naming.DutyPerhapsOff:
		one.off, one.unsure = true, true
	default:
		return limits
	}
	return append(limits, one)
}

// home is the namespace of the program that acts on an object, where a label or an annotation of it says that, and
// which one.
func home(object *session.Object) (namespace, says string) {
	if object.Meta == nil {
		return "", ""
	}
	for part, texts := range map[string]map[string]string{
		"annotations": object.Meta.Annotations, "labels": object.Meta.Labels,
	} {
		for key, text := range texts {
			field := switches.Field([]string{"metadata", part, key})
			if naming.NamesOperatorNamespace(key) && isNamespace(text) && (says == "" || field < says) {
				namespace, says = text, field
			}
		}
	}
	return namespace, says
}

// dutyOff is the cause where a program would act on the held object, and its own settings switch that off: nothing else
// does. It answers false where no program is known to be so.
func dutyOff(h *held) (session.Answer, bool) {
	if len(h.search.gone) > 0 {
		return session.Answer{}, false
	}
	for _, one := range h.search.elsewhere {
		workload := one.candidate.workload
		if !one.limit.off || workload == nil {
			continue
		}
		cause := h.cause(finding.ReconciliationPaused, nil, widen(h))
		name, value, _ := strings.Cut(one.limit.setting, "=")
		cause.Situation, cause.Object = "DutySwitchedOff", one.workload
		cause.Details = finding.SwitchDetails{Field: name, Value: value, Held: h.object.Ref}
		cause.Key = finding.KeyOf("duty off", one.workload, one.limit.setting, h.hold.Name)
		wait := session.Wait{Blocker: workload, ForAnswer: true, Otherwise: session.Cause(cause)}
		return session.Answer{Waits: []session.Wait{wait}}, true
	}
	return session.Answer{}, false
}
