package preview

import (
	"context"
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// addGoing counts what is deleted for each kind, in the order in which the first of each is gone.
func (p *previewer) addGoing() {
	places := map[string]int{}
	for _, object := range p.cascade.leaves {
		kind := object.Resource.QualifiedName()
		at, known := places[kind]
		if !known {
			at = len(p.result.Goes)
			places[kind] = at
			p.result.Goes = append(p.result.Goes, result.Going{Resource: kind, Kind: object.Ref.Kind})
		}
		p.result.Goes[at].Count++
		p.result.Goes[at].Objects = append(p.result.Goes[at].Objects, object.Ref)
	}
}

// addBefore says what of all that goes was deleted before, and waits for something now.
func (p *previewer) addBefore() {
	places := map[string]int{}
	for _, object := range p.cascade.leaves {
		if !object.Terminating() {
			continue
		}
		kind, released := object.Resource.QualifiedName(), p.cascade.freed[object.Ref.UID]
		key := fmt.Sprint(kind, released)
		at, known := places[key]
		if !known {
			at = len(p.result.Terminating)
			places[key] = at
			p.result.Terminating = append(p.result.Terminating,
				result.Before{Resource: kind, Since: object.RequestedAt(), Released: released})
		}
		before := &p.result.Terminating[at]
		before.Objects = append(before.Objects, object.Ref)
		if object.RequestedAt().Before(before.Since) {
			before.Since = object.RequestedAt()
		}
	}
	for i := range p.result.Terminating {
		before := &p.result.Terminating[i]
		before.Message = p.voice.Message(finding.Finding{
			Situation: "DeletedBefore",
			Details:   finding.BeforeDetails{Objects: before.Objects, Since: before.Since, Released: before.Released},
		})
	}
}

// mostHolds is for how many finalizers, each on one kind, the controller is looked for.
const mostHolds = 64

// addHolds says for each finalizer on the way which controller removes it, and what state that is in: as why would find
// it, if its object would get stuck because of it.
func (p *previewer) addHolds(ctx context.Context) {
	places, surely := map[string]int{}, map[int]bool{}
	var resources []*session.Object
	for _, object := range p.cascade.deleted {
		for _, hold := range object.Holds() {
			if hold.Type != finding.Finalizer || !p.cascade.outlasts(object, hold.Name) {
				continue
			}
			key := finding.KeyOf(hold.Name, object.Resource.QualifiedName())
			at, known := places[key]
			if !known {
				at = len(p.result.Holds)
				places[key] = at
				p.result.Holds = append(p.result.Holds, result.FinalizerOnTheWay{
					Finalizer: hold.Name, Resource: object.Resource.QualifiedName(),
				})
				resources = append(resources, object)
			}
			p.result.Holds[at].Count++
			if verdict, hangs := p.hangs(object, hold.Name); hangs {
				p.result.Holds[at].Hang++
				surely[at] = surely[at] || verdict == result.Stuck
			}
		}
	}
	asks := make([]func(), len(resources))
	for i := range asks {
		asks[i] = func() { p.describe(ctx, &p.result.Holds[i], resources[i], i < mostHolds) }
	}
	session.SideBySide(asks)
	sayHolds(p.voice, p.result.Holds, resources, surely)
}

// outlasts reports whether a finalizer is still there once the deletion of its object is requested.
func (c *cascade) outlasts(object *session.Object, finalizer string) bool {
	is := c.states[object.Ref.UID]
	return outlivesPolicy(finalizer) || object.Terminating() || slices.Contains(is.finalizers, finalizer)
}

// hangs reports whether an object would hang on a finalizer itself, or on something that is not about a finalizer.
func (p *previewer) hangs(object *session.Object, finalizer string) (verdict result.Verdict, hangs bool) {
	at, hangs := p.hanging[object.Ref.UID]
	if !hangs {
		return "", false
	}
	hanging, waits := p.result.Hanging[at], p.graph.WaitsOf(p.graph.Add(object.Ref))
	byIt := func(edge graph.Edge) bool { return edge.Hold != nil && edge.Hold.Name == finalizer }
	elsewhere := slices.ContainsFunc(waits, byIt)
	about := func(number int) bool {
		cause := p.result.RootCauses[number]
		return cause.Finalizer == "" || slices.Contains(cause.FinalizersOf(object.Ref), finalizer)
	}
	doubtful := func(number int) bool { return p.result.RootCauses[number].Certainty == finding.Unknown }
	own := slices.DeleteFunc(slices.Clone(hanging.RootCauses), func(number int) bool { return !about(number) })
	sure := slices.ContainsFunc(own, func(number int) bool { return !doubtful(number) })
	if verdict = hanging.Verdict; len(own) > 0 && !sure && !elsewhere {
		verdict = result.Undetermined // a certain statement is about something else
	}
	return verdict, elsewhere || len(hanging.RootCauses) == 0 || len(own) > 0
}

func (p *previewer) describe(
	ctx context.Context, hold *result.FinalizerOnTheWay, object *session.Object, withController bool,
) {
	known, found := p.tools.Plugins.Find(hold.Finalizer, object.Resource.GroupKind().String())
	hold.Project, hold.RemovedBy, hold.WaitsFor = known.Project, known.RemovedBy, known.WaitsFor
	if hold.Hang > 0 || !withController {
		return // the root causes tell, or there are too many
	}
	finalizer := &known
	if !found {
		finalizer = nil
	}
	var presence attribution.Presence
	if found && known.RemovedBy == session.ControllerManager { // after the deletion, whoever manages the object until then
		presence = p.tools.Attribution.Presence(ctx, object.Resource, hold.Finalizer, finalizer)
	} else {
		presence = mechanism.Presence(ctx, p.tools, object.Resource, hold.Finalizer, finalizer)
	}
	hold.Controller, hold.State = presence.Controller, string(presence.State)
}
