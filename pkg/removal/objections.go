package removal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

type holdCauses struct {
	causes       []result.RootCause
	observations []result.Observation
}

// about returns the parts of the diagnosis about one hold of the object: findings at the object under the hold's name,
// and findings at the far ends of the waits that this hold began. Causes that can't be told apart count for every hold
// that nothing else explains.
func (l *look) about(hold finding.Hold) holdCauses {
	target := l.object.Ref
	beyond, all := l.beyond(hold), l.reached(0)
	found, anyones := holdCauses{}, holdCauses{}
	for _, cause := range l.diagnosis.RootCauses {
		objects := append([]finding.Ref{cause.Object}, cause.Others...)
		own := cause.Finalizer != "" && contains(objects, target)
		among := func(refs []finding.Ref) bool {
			return slices.ContainsFunc(objects, func(ref finding.Ref) bool { return contains(refs, ref) })
		}
		switch {
		case own && l.names(cause, hold), among(beyond):
			found.causes = append(found.causes, cause)
		case !own && !among(all):
			anyones.causes = append(anyones.causes, cause)
		}
	}
	if len(found.causes) == 0 {
		found.causes = anyones.causes
	}
	for _, observation := range l.diagnosis.Observations {
		own := observation.Object.SameAs(target) &&
			(len(observation.Holds) == 0 || slices.Contains(observation.Holds, hold))
		if observation.Verdict != "" && (own || contains(beyond, observation.Object)) {
			found.observations = append(found.observations, observation)
		}
	}
	return found
}

func (l *look) beyond(hold finding.Hold) []finding.Ref {
	var refs []finding.Ref
	for _, edge := range l.diagnosis.Graph.Edges {
		if edge.From == 0 && edge.Type == finding.WaitsFor && edge.Hold != nil && *edge.Hold == hold {
			refs = append(append(refs, l.diagnosis.Graph.Nodes[edge.To].Ref), l.reached(edge.To)...)
		}
	}
	return refs
}

// names reports whether a cause is about a hold of the object.
func (l *look) names(cause result.RootCause, hold finding.Hold) bool {
	return slices.Contains(cause.FinalizersOf(l.object.Ref), hold.Name)
}

func contains(refs []finding.Ref, ref finding.Ref) bool {
	return slices.ContainsFunc(refs, func(object finding.Ref) bool { return object.SameAs(ref) })
}

// justifies reports whether only a person can end a cause: the hold is the object's own, and the controller that should
// remove it doesn't exist, or none is seen that might; or foreground deletions that wait for one another.
func (l *look) justifies(cause result.RootCause, hold finding.Hold) bool {
	switch cause.Reason {
	case finding.ControllerMissing, finding.ControllerUnknown:
		own := contains(append([]finding.Ref{cause.Object}, cause.Others...), l.object.Ref)
		someone := len(cause.Candidates)+len(cause.Unread) > 0 || cause.Unseen // may be there to do it
		return own && l.names(cause, hold) && !l.ambiguous(hold) && !someone
	case finding.OwnershipDeadlock:
		return collectorHold(hold)
	}
	return false
}

// ambiguous reports whether both lists of a Namespace have an entry of one name: causes name no list.
func (l *look) ambiguous(hold finding.Hold) bool {
	return slices.ContainsFunc(l.object.Holds(), func(other finding.Hold) bool {
		return other.Name == hold.Name && other.Type != hold.Type
	})
}

// collectorHold reports whether a hold is one of the garbage collector's two.
func collectorHold(hold finding.Hold) bool {
	return hold.Type == finding.Finalizer && ownership.IsPolicy(hold.Name)
}

// endsByItself reports whether a hold is of the garbage collector or the namespace controller, which remove it once
// nothing is behind it any more, and nothing justifies to remove it by hand.
func (l *look) endsByItself(hold finding.Hold) bool {
	justified := func(cause result.RootCause) bool { return l.justifies(cause, hold) }
	return (collectorHold(hold) || hold == contentHold()) && !slices.ContainsFunc(l.about(hold).causes, justified)
}

// plainHolder returns the held object behind the first root cause that is another object's, and the command that plans
// the removal of what holds that one. There is none where the diagnosis offers no removal there.
func (l *look) plainHolder() (*finding.Ref, finding.Command) {
	for _, cause := range l.diagnosis.RootCauses {
		if cause.Object.SameAs(l.object.Ref) {
			continue
		}
		for _, remedy := range cause.Remedies {
			if remedy.Forces() {
				end := max(slices.Index(remedy.Command, "--force"), 0)
				return heldOn(cause, remedy.Command), slices.Clone(remedy.Command[:end])
			}
		}
	}
	return nil, nil
}

// heldOn is the object on the way to a root cause that a command is for: of a controller's cause, that is the object
// with the finalizer, and not the controller.
func heldOn(cause result.RootCause, command finding.Command) *finding.Ref {
	for _, on := range slices.Backward(cause.Path) {
		if command.Names(on) {
			return &on
		}
	}
	return &cause.Object
}

// objections returns why a hold should not be removed, each under the code that --override takes: the reason of a root
// cause that a person can fix, or of a thing it rightly waits for; Progressing while something acts; Undetermined where
// something could not be seen.
func (l *look) objections(hold finding.Hold) []result.Objection {
	found := l.about(hold)
	var objections []result.Objection
	add := func(code, message, situation string, details any) {
		if !slices.ContainsFunc(objections, func(known result.Objection) bool { return known.Code == code }) {
			objection := result.Objection{Code: code, Message: message, Situation: situation, Details: details}
			objections = append(objections, objection)
		}
	}
	for _, cause := range found.causes {
		if !l.justifies(cause, hold) {
			add(string(cause.Reason), cause.Message, cause.Situation, cause.Details)
		}
	}
	for _, seen := range found.observations {
		add(string(seen.Verdict), seen.Message, seen.Situation, seen.Details)
	}
	if stopped := l.stopped[hold]; len(stopped) > 0 {
		down := finding.Finding{Situation: "MayBeStopped", Object: l.object.Ref, Details: finding.RemovalDetails{
			Name: hold.Name, Count: len(stopped), Names: finding.Each(stopped, finding.Ref.String),
		}}
		add(string(finding.ControllerDown), finding.Voice{}.Message(down), down.Situation, down.Details)
	}
	undetermined := func(why finding.Finding) {
		why.Object = l.object.Ref
		add(string(result.Undetermined), finding.Voice{}.Message(why), why.Situation, why.Details)
	}
	saysUnread := func(cause result.RootCause) bool { return len(cause.Unread) > 0 }
	unread := append(l.unreadNames(), l.workloadsUnread...)
	if len(unread) > 0 && !slices.ContainsFunc(found.causes, saysUnread) {
		undetermined(finding.Finding{Situation: "SourcesUnread", Details: finding.RemovalDetails{Names: unread}})
	}
	if slices.ContainsFunc(l.below, finding.Taken.Unfollowed) {
		undetermined(finding.Finding{Situation: "LossesNotFollowed"})
	}
	if hold == contentHold() && len(l.unlisted) > 0 {
		undetermined(finding.Finding{Situation: "EmptinessUnknown", Details: finding.RemovalDetails{Names: l.unlisted}})
	}
	if hold == contentHold() && len(l.content) > 0 && len(objections) == 0 {
		details := finding.RemovalDetails{Names: leftovers(l.content)}
		undetermined(finding.Finding{Situation: "NamespaceNotEmpty", Details: details})
	}
	if len(found.causes)+len(found.observations) == 0 {
		undetermined(finding.Finding{
			Situation: "NothingFoundToWaitFor", Details: finding.RemovalDetails{Name: hold.Name},
		})
	}
	return objections
}

// unreadNames are the sources that the diagnosis could not read. What was missing of the admission configuration
// doesn't count: all that it tells is who refuses the write, and the dry run asks them. Nor do kinds that tell only
// what is lost: the plan lists them itself, and says of the ones that it can't list that something there may go.
func (l *look) unreadNames() []string {
	var names []string
	for _, one := range l.diagnosis.Unreadable {
		if strings.HasSuffix(one.Resource, ".admissionregistration.k8s.io") || loss.ForLossesOnly(one.Resource) {
			continue
		}
		name := one.Resource
		if one.Name != "" {
			name += "/" + one.Name
		}
		if one.Namespace != "" {
			name += " in " + one.Namespace
		}
		names = append(names, fmt.Sprintf("%s (%s)", name, one.Why))
	}
	return names
}

func leftovers(content []result.Leftover) (names []string) {
	for _, left := range content {
		names = append(names, fmt.Sprintf("%s (%d)", left.Resource, left.Count))
	}
	return names
}
