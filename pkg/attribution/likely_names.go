package attribution

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// allForOtherDuty reports whether there are programs, each named for another duty than to reconcile, and none of them
// has the name of what set the finalizer.
func (e examination) allForOtherDuty(programs []*program) bool {
	reconciles := func(one *program) bool {
		wrote := func(manager string) bool { return writesAs(manager, one.name, one.template) }
		return !e.search.terms().otherDuty(one.name) || slices.ContainsFunc(e.search.criteria.managers, wrote)
	}
	return len(programs) > 0 && !slices.ContainsFunc(programs, reconciles)
}

// addSetter adds that what runs, or ran, as a candidate's account has the name of what set the finalizer: a ReplicaSet,
// a CronJob or a pod is found only where no Deployment is.
func (e examination) addSetter() {
	if e.c.workload == nil {
		return
	}
	template := templateIn(e.c.workload)
	for _, manager := range e.search.criteria.managers {
		if writesAs(manager, e.c.workload.Ref.Name, template) {
			e.c.points(signs.NamedAsSetter, finding.Clue{Name: manager})
			return
		}
	}
}

// templateIn is the template of pods in a workload of any kind, or what a pod itself has; empty where that isn't known.
func templateIn(workload *session.Object) (template corev1.PodTemplateSpec) {
	if workload.Whole == nil {
		return template
	}
	switch {
	case workload.Is("", "Pod"):
		if pod, err := session.As[corev1.Pod](workload.Whole); err == nil {
			return templateOf(pod)
		}
	case workload.Is("batch", "CronJob"):
		if cron, err := session.As[batchv1.CronJob](workload.Whole); err == nil {
			return cron.Spec.JobTemplate.Spec.Template
		}
	default:
		if typed, err := session.As[podRunner](workload.Whole); err == nil {
			return typed.Spec.Template
		}
	}
	return template
}
