package uninstall

import (
	"context"
	"maps"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// addSteps puts the steps in order. What to keep comes first, and is known last: from what the other steps lose.
func (p *planner) addSteps(ctx context.Context) error {
	if err := p.deleteInstances(ctx); err != nil {
		return err
	}
	for _, stage := range p.stages() {
		if err := p.deleteStage(ctx, stage); err != nil {
			return err
		}
		if stage.phase == result.PhaseOperator {
			p.releaseGuests()
		}
	}
	p.plan.Steps = slices.Concat(p.keepFirst(ctx), p.plan.Steps)
	return nil
}

// instances are the objects of the operator's kinds, and its own objects of other custom kinds that were installed with
// it are not among them: these go with the rest.
func (p *planner) instances() (objects []*session.Object) {
	for _, one := range p.found.served {
		objects = append(objects, one.objects...)
	}
	return objects
}

// deleteInstances deletes the operator's objects while it runs, level by level.
func (p *planner) deleteInstances(ctx context.Context) error {
	objects := p.instances()
	if len(objects) == 0 {
		return p.addGuestsBlocked(ctx)
	}
	all, err := p.foresee(ctx, objects)
	if err != nil {
		return err
	}
	for _, level := range p.orderOf(ctx, objects, all) {
		if err := p.deleteStage(ctx, instanceStage(level)); err != nil {
			return err
		}
	}
	left := slices.DeleteFunc(slices.Clone(objects), func(object *session.Object) bool { return p.gone[object.Ref.UID] })
	if len(left) > 0 { // another owner keeps them
		if err := p.deleteStage(ctx, instanceStage(left)); err != nil {
			return err
		}
	}
	return p.addGuestsBlocked(ctx)
}

// addGuestsBlocked adds the objects of other kinds that are being deleted already, and wait for the operator.
func (p *planner) addGuestsBlocked(ctx context.Context) error {
	var terminating []*session.Object
	for _, key := range slices.Sorted(maps.Keys(p.found.guests)) {
		for _, object := range p.found.guests[key].objects {
			if object.Terminating() && !slices.Contains(terminating, object) {
				terminating = append(terminating, object)
			}
		}
	}
	if len(terminating) == 0 {
		return nil
	}
	return p.deleteStage(ctx, instanceStage(terminating))
}

// stage is what is deleted at the same time.
type stage struct {
	Step    string // the key of its sentences
	phase   result.UninstallPhase
	objects []*session.Object
	empty   bool // none of the operator's objects may be left
}

// stages are the stages after the operator's objects are gone.
func (p *planner) stages() []stage {
	definitions := stage{
		Step: "UninstallDefinitions", phase: result.PhaseDefinition, empty: true,
		objects: p.found.parts.of(result.RoleDefinition),
	}
	if p.found.onlyKind() {
		return []stage{definitions}
	}
	hooks := p.found.parts.of(result.RoleHook, result.RoleAPI, result.RolePolicy)
	hooks = append(hooks, p.unkept(result.RoleClass)...)
	rest := p.unkept(result.RoleOther, result.RoleInstance)
	return []stage{
		{Step: "UninstallHooks", phase: result.PhaseHooks, objects: hooks},
		{Step: "UninstallOperator", phase: result.PhaseOperator, objects: p.controllers()},
		definitions,
		{Step: "UninstallRest", phase: result.PhaseRest, objects: rest},
		{Step: "UninstallNamespace", phase: result.PhaseNamespace, objects: p.unkept(result.RoleNamespace)},
	}
}

func instanceStage(objects []*session.Object) stage {
	return stage{Step: "UninstallInstances", phase: result.PhaseInstances, objects: objects}
}

// controllers are the workloads, and what controls them: else that would create them again.
func (p *planner) controllers() (objects []*session.Object) {
	for _, workload := range p.found.parts.of(result.RoleWorkload) {
		if top := p.found.survey.topOwner(workload); !slices.Contains(objects, top) {
			objects = append(objects, top)
		}
	}
	return objects
}

// deleteStage adds the step that deletes what is left of some objects, as it would be after the steps before it.
func (p *planner) deleteStage(ctx context.Context, of stage) error {
	left := slices.DeleteFunc(slices.Clone(of.objects), func(one *session.Object) bool { return p.gone[one.Ref.UID] })
	if len(left) == 0 {
		return nil
	}
	answer, err := p.foresee(ctx, left)
	if err != nil || answer == nil {
		return err
	}
	refs := finding.Each(left, func(object *session.Object) finding.Ref { return object.Ref })
	live := func(object *session.Object) bool { return !object.Terminating() }
	deed := finding.Remedy{Step: of.Step, Risk: riskOf(answer.Takes), Details: finding.UninstallDetails{
		Objects: refs, Controllers: p.controllerRefs(), Going: !slices.ContainsFunc(left, live),
	}}
	deed = p.voice.Remedies([]finding.Remedy{deed})[0]
	step := result.UninstallStep{
		Phase: of.phase, Action: deed.Action, Objects: refs, Takes: answer.Takes, Paths: session.Paths(left),
		Risk: deed.Risk, Loses: finding.LosesOf(p.voice, "", answer.Takes),
	}
	if slow := slices.ContainsFunc(left, isHeld); slow {
		step.Commands, step.Wait = p.write.deletes(left, "--wait=false"), p.write.waits(left)
	} else {
		step.Commands = p.write.deletes(left)
	}
	if of.empty {
		step.Empty = p.kinds()
	}
	p.addBlocked(answer)
	p.addNeeding(answer)
	step.Goes = p.goes(answer, left)
	step.Wait = append(step.Wait, p.write.waitsFor(step.Goes)...)
	p.plan.Steps = append(p.plan.Steps, step)
	return nil
}

// riskOf is the worst that can come of a step: it deletes, so that it is never without any.
func riskOf(taken []finding.Taken) finding.Risk {
	return finding.Disruption.Worse(finding.WorstOf(taken))
}

// kinds are the operator's kinds that the API server serves.
func (p *planner) kinds() (names []string) {
	for _, one := range p.found.served {
		if one.isServed {
			names = append(names, one.resource.QualifiedName())
		}
	}
	return names
}

// keepFirst are the steps that keep what the others lose: the data of volumes, what is outside the cluster, and a copy
// of the operator's objects.
func (p *planner) keepFirst(ctx context.Context) (steps []result.UninstallStep) {
	var taken []finding.Taken
	for _, step := range p.plan.Steps {
		taken = append(taken, step.Takes...)
	}
	if retain, needed := loss.Retain(p.write.kubectl, taken); needed {
		deed := p.voice.Remedies([]finding.Remedy{retain})[0]
		steps = append(steps, result.UninstallStep{
			Phase: result.PhaseKeep, Action: deed.Action, Objects: []finding.Ref{}, Commands: deed.Commands(),
			Risk: finding.NoRisk,
		})
	}
	steps = append(steps, p.keepOutside(ctx)...)
	if copies := p.copies(); len(copies.Commands) > 0 {
		steps = append(steps, copies)
	}
	return steps
}

// copies is the step that saves the operator's objects and their definitions.
func (p *planner) copies() result.UninstallStep {
	step := result.UninstallStep{Phase: result.PhaseKeep, Objects: []finding.Ref{}, Risk: finding.NoRisk}
	details := finding.UninstallDetails{}
	var definitions []*session.Object
	for _, one := range p.found.served {
		if len(one.objects) == 0 {
			continue
		}
		definitions = append(definitions, one.definition)
		details.Count, details.Kinds = details.Count+len(one.objects), details.Kinds+1
		step.Commands = append(step.Commands, p.write.savesAll(one))
		step.SaveTo = append(step.SaveTo, one.resource.QualifiedName()+".yaml")
	}
	if len(definitions) > 0 {
		step.Commands = append(step.Commands, p.write.saves(definitions))
		step.SaveTo = append(step.SaveTo, "definitions.yaml")
	}
	step.Action = p.voice.Action(finding.Remedy{Step: "UninstallCopies", Details: details})
	return step
}

func (p *planner) controllerRefs() []finding.Ref {
	return finding.Each(p.found.workloads(), func(object *session.Object) finding.Ref { return object.Ref })
}
