package uninstall

import (
	"context"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// tellFound says what was found of the operator.
func (p *planner) tellFound(ctx context.Context) {
	for _, workload := range p.found.workloads() {
		p.plan.Controllers = append(p.plan.Controllers, p.controller(ctx, workload))
	}
	for _, one := range p.found.served {
		uninstallServed := servedOf(one, p.found.survey.unlisted[one.resource.QualifiedName()])
		if p.plan.Serves = append(p.plan.Serves, uninstallServed); uninstallServed.Unlisted {
			p.found.note(finding.Finding{Situation: "UninstallKindUnlisted", Object: one.definition.Ref})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.found.guests)) {
		of := p.found.guests[key]
		p.plan.Guests = append(p.plan.Guests, result.UninstallGuests{
			Resource: of.resource.QualifiedName(), Finalizer: of.finalizer,
			Objects: finding.Each(of.objects, func(object *session.Object) finding.Ref { return object.Ref }),
		})
	}
	for _, role := range []result.UninstallRole{
		result.RoleWorkload, result.RoleHook, result.RoleAPI, result.RolePolicy, result.RoleClass, result.RoleDefinition,
		result.RoleInstance, result.RoleOther, result.RoleNamespace,
	} {
		if objects := p.found.parts.of(role); len(objects) > 0 {
			refs := finding.Each(objects, func(object *session.Object) finding.Ref { return object.Ref })
			p.plan.Parts = append(p.plan.Parts, result.UninstallPart{Role: role, Objects: refs})
		}
	}
	if p.found.onlyKind() {
		p.found.note(finding.Finding{Situation: "UninstallOneKind", Object: *p.plan.Target.Object})
	}
}

// controller says how a workload of the operator fares.
func (p *planner) controller(ctx context.Context, workload *session.Object) result.UninstallController {
	controller := result.UninstallController{Object: workload.Ref, Running: p.hasReadyPod(ctx, workload)}
	if controller.Running {
		return controller
	}
	outage := p.tools.Health.OutageOf(ctx, workload)
	if controller.Running = outage.Rests; !controller.Running {
		controller.Starting = outage.Starting
		controller.Message = p.voice.Message(finding.Finding{
			Situation: "UninstallController", Object: workload.Ref, Details: finding.ControllerDetails{State: &outage.Words},
		})
	}
	return controller
}

// hasReadyPod reports whether a pod of a workload is ready. What can't be read is not.
func (p *planner) hasReadyPod(ctx context.Context, workload *session.Object) bool {
	p.found.readPart(ctx, workload)
	pods, err := health.PodsOf(ctx, p.tools.Session, workload)
	return err == nil && slices.ContainsFunc(pods, func(pod *corev1.Pod) bool {
		return pod.DeletionTimestamp == nil && slices.ContainsFunc(pod.Status.Conditions, func(is corev1.PodCondition) bool {
			return is.Type == corev1.PodReady && is.Status == corev1.ConditionTrue
		})
	})
}

func servedOf(one *served, unlisted bool) result.UninstallServed {
	uninstallServed := result.UninstallServed{
		Resource: one.resource.QualifiedName(), Kind: one.resource.Kind, Count: len(one.objects), Unlisted: unlisted,
	}
	if one.definition != nil {
		uninstallServed.Definition = &one.definition.Ref
	}
	namespaces := map[string]bool{}
	for _, object := range one.objects {
		namespaces[object.Ref.Namespace] = true
		for _, name := range object.Meta.Finalizers {
			if !slices.Contains(uninstallServed.Finalizers, name) {
				uninstallServed.Finalizers = append(uninstallServed.Finalizers, name)
			}
		}
	}
	if uninstallServed.Namespaces = len(namespaces); !one.resource.Namespaced {
		uninstallServed.Namespaces = 0
	}
	slices.Sort(uninstallServed.Finalizers)
	return uninstallServed
}

func (p *planner) state() result.UninstallState {
	stuck := func(hanging result.Hanging) bool { return hanging.Verdict == result.Stuck }
	switch {
	case slices.ContainsFunc(p.plan.Blocked, stuck) || len(p.plan.Refusals) > 0:
		return result.UninstallBlocked
	case len(p.plan.Blocked)+len(p.plan.Unreadable)+len(p.plan.Unsure) > 0, p.awaitsStart(), len(p.plan.Owners) > 0:
		return result.UninstallUnclear
	case len(p.plan.Steps) == 0:
		return result.UninstallDone
	}
	return result.UninstallReady
}

// awaitsStart reports whether objects need a controller that has only just been started, of the operator or of another
// one: nothing shows yet that it will run.
func (p *planner) awaitsStart() bool {
	starting := func(controller result.UninstallController) bool { return controller.Starting }
	return len(p.starting) > 0 || p.needsController() && slices.ContainsFunc(p.plan.Controllers, starting)
}

// needsController reports whether a step deletes what the operator has to clean up.
func (p *planner) needsController() bool {
	return slices.ContainsFunc(p.plan.Steps, func(step result.UninstallStep) bool {
		return step.Phase == result.PhaseInstances
	})
}

// summary is the sentence that answers.
func (p *planner) summary() string {
	details := finding.UninstallDetails{
		Type: p.plan.Target.Type, Name: p.plan.Target.Name, Steps: len(p.plan.Steps), Causes: len(p.plan.RootCauses),
		Doubt: len(p.plan.Unsure) > 0, Unread: len(p.plan.Unreadable) > 0, Controllers: p.controllerRefs(),
		Owners: p.plan.Owners,
	}
	for _, one := range p.found.served {
		if len(one.objects) > 0 {
			details.Count, details.Kinds = details.Count+len(one.objects), details.Kinds+1
		}
	}
	starting := maps.Clone(p.starting)
	for _, controller := range p.plan.Controllers {
		switch {
		case controller.Running:
		case controller.Starting:
			starting[controller.Object] = true
		default:
			details.Down = append(details.Down, controller.Object)
		}
	}
	details.Starting = slices.SortedFunc(maps.Keys(starting), finding.Compare)
	details.Itself = len(details.Down) == 1 && p.plan.Target.Object != nil && details.Down[0] == *p.plan.Target.Object
	details.Absent = len(p.plan.Controllers) == 0 && !p.found.onlyKind() && details.Count > 0
	for _, hanging := range p.plan.Blocked {
		details.Blocked = append(details.Blocked, hanging.Object)
	}
	for _, refusal := range p.plan.Refusals {
		if !slices.Contains(details.Refusing, refusal.By) {
			details.Refusing = append(details.Refusing, refusal.By)
		}
	}
	var taken []finding.Taken
	for _, step := range p.plan.Steps {
		taken = append(taken, step.Takes...)
	}
	details.Loses, details.MayLose = finding.Loses(taken)
	answer := finding.Finding{Details: details}
	if p.plan.Target.Object != nil {
		answer.Object = *p.plan.Target.Object
	}
	switch p.plan.State {
	case result.UninstallBlocked:
		answer.Situation = "UninstallIsBlocked"
	case result.UninstallUnclear:
		answer.Situation = "UninstallIsUnclear"
	case result.UninstallDone:
		details.Similar = p.found.similarReleases(p.plan.Target)
		answer.Situation, answer.Details = "UninstallIsDone", details
	default:
		answer.Situation = "UninstallIsReady"
	}
	return p.voice.Message(answer)
}
