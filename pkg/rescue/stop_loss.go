package rescue

import (
	"context"
	"encoding/json"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// stopping lists the steps that stop the loss.
type stopping struct{ p *planner }

// stopLoss lists what stops the loss, the quickest first, after what would refuse that.
func (s *stopping) stopLoss(ctx context.Context) {
	s.unblock(ctx)
	s.retain()
	for _, group := range s.p.outsideAlike() {
		s.keepOutside(group)
	}
	s.pauseOutside()
	s.stopControllers()
	s.keepDependents()
}

// endangered are the volumes whose data a change of policy keeps.
func (p *planner) endangered() (volumes []*volume) {
	return slices.DeleteFunc(slices.Clone(p.volumes),
		func(found *volume) bool { return found.absent() || found.retained() })
}

// retain sets the reclaim policy of all volumes to Retain (docs/deletion.md#volume-reclaim).
func (s *stopping) retain() {
	volumes := s.p.endangered()
	if len(volumes) == 0 {
		return
	}
	objects := finding.Each(volumes, func(found *volume) *session.Object { return found.object })
	names := finding.Each(objects, func(object *session.Object) string { return object.Ref.Name })
	details := finding.RescueDetails{Names: names, Count: len(names)}
	details.Unread = slices.ContainsFunc(volumes, func(found *volume) bool { return found.err != nil })
	details.Bound = slices.ContainsFunc(volumes, func(found *volume) bool { return !found.gone })
	s.p.stop(finding.Remedy{Step: "RetainVolumesNow", Details: details}, s.p.policyCommands(objects, "Retain")...)
}

// policyCommands set the reclaim policy of volumes.
func (p *planner) policyCommands(volumes []*session.Object, policy string) []finding.Command {
	return p.patchAll(volumes, nested([]string{"spec", "persistentVolumeReclaimPolicy"}, policy))
}

// patchAll changes objects alike.
func (p *planner) patchAll(objects []*session.Object, change map[string]any) []finding.Command {
	return p.kubectl().ForAll(objects, "patch", "--type", "merge", "-p", encoded(change))
}

func encoded(change map[string]any) string {
	text, err := json.Marshal(change)
	if err != nil {
		return "{}" // texts and truth values always encode
	}
	return string(text)
}

// keepOutside has a project leave alone what its objects stand for, or removes the finalizer that has data deleted.
func (s *stopping) keepOutside(group []*outside) {
	details := ofGroup(group)
	switch first := group[0]; first.way {
	case bySetting:
		details.Setting, details.Unchecked = first.keep.Patch, !first.known.Verified.Rescue.Done()
		s.p.stop(finding.Remedy{Step: "KeepOutside", Details: details},
			s.p.patchAll(objectsOf(group), first.keep.Fields())...)
	case byDrop:
		s.p.stop(finding.Remedy{Step: "DropOptIn", Details: details},
			finding.Each(group, func(found *outside) finding.Command {
				patch := session.RemovalPatch(found.object, found.finalizer)
				return s.p.kubectl().Command(found.object, "patch", "--type", "json", "-p", patch)
			})...)
	}
}

// pauseOutside pauses objects whose controller leaves paused ones alone.
func (s *stopping) pauseOutside() {
	for _, group := range s.p.outsideAlike() {
		if group[0].way == byPause {
			change := group[0].pause()
			details := ofGroup(group)
			details.Setting = encoded(change)
			s.p.stop(finding.Remedy{Step: "PauseOutside", Details: details}, s.p.patchAll(objectsOf(group), change)...)
		}
	}
}

// stopControllers scales the controllers of all other objects to zero.
func (s *stopping) stopControllers() {
	for _, found := range s.p.controllers() {
		command := s.p.kubectl().CommandFor(*found.presence.Controller, "scale", "--replicas=0")
		s.p.stop(finding.Remedy{Step: "StopController", Details: found.rescueDetails()}, command)
	}
}

// controllers are objects that stand for something, one for each controller that has to be stopped.
func (p *planner) controllers() (found []*outside) {
	known := map[finding.Ref]bool{}
	for _, one := range p.outside {
		if one.way == byStop && !known[one.presence.Controller.Place()] {
			known[one.presence.Controller.Place()] = true
			found = append(found, one)
		}
	}
	return found
}

// replicas is how many pods a workload asks for now. It is not known where that can't be read.
func (p *planner) replicas(ctx context.Context, workload finding.Ref) (count int64, known bool) {
	kind := schema.GroupKind{Group: workload.Group(), Kind: workload.Kind}
	resource, served := p.tools.Session.ServedKinds(ctx).OfKind(kind)
	if !served {
		return 0, false
	}
	whole, err := p.tools.Session.Reader.Get(ctx, resource, workload.Namespace, workload.Name)
	if err != nil {
		return 0, false // it is among what could not be read
	}
	count, set, _ := unstructured.NestedInt64(whole.Object, "spec", "replicas")
	if !set {
		return 1, true // as the API server reads it
	}
	return count, true
}

// keepDependents has owners leave alone the dependents that are not being deleted yet: a second DELETE with another
// policy replaces the first one's (docs/deletion.md#a-second-delete).
func (s *stopping) keepDependents() {
	for _, owner := range s.p.leaving() {
		details := s.p.staysDetails(owner, s.p.ownedBy(owner))
		command := s.p.kubectl().Command(owner, "delete", "--cascade=orphan", "--wait=false")
		s.p.stop(finding.Remedy{Step: "OrphanDependents", Details: details}, command)
	}
	for _, dependent := range s.p.orphaned() {
		details := s.p.staysDetails(s.p.target, []*session.Object{dependent})
		patch := session.DisownPatch(dependent, uidOf(dependent, s.p.target))
		command := s.p.kubectl().Command(dependent, "patch", "--type", "json", "-p", patch)
		s.p.stop(finding.Remedy{Step: "DisownDependent", Details: details}, command)
	}
}

// mostJudged is how many writes of a kind admission is asked about.
const mostJudged = 10

// unblock finds what refuses the writes of the steps, and the step that ends that.
func (s *stopping) unblock(ctx context.Context) {
	writes := s.writes()
	if len(writes) == 0 {
		return
	}
	refused := s.p.tools.Refusals.Refused(ctx, writes...)
	causes := slices.Clone(refused.Answer.Causes)
	for _, wait := range refused.Answer.Waits {
		causes = append(causes, wait.Otherwise.Causes...)
	}
	told := map[string]bool{}
	for _, cause := range causes {
		if told[cause.Identity()] {
			continue
		}
		told[cause.Identity()] = true
		s.p.plan.Refused = append(s.p.plan.Refused, s.p.fact(cause, finding.NoRisk))
		if remedy, has := quickest(cause); has {
			s.p.stop(remedy, remedy.Commands()...)
		}
	}
}

// quickest is the step of a cause that changes what refuses, rather than one that repairs or deletes something.
func quickest(cause finding.Finding) (quick finding.Remedy, has bool) {
	for _, remedy := range cause.Remedies {
		if len(remedy.Command) == 0 || remedy.Command.OnlyReads() {
			continue
		}
		if remedy.Command.Names(cause.Object) && len(remedy.Command.Deletes()) == 0 {
			return remedy, true
		}
		if !has {
			quick, has = remedy, true
		}
	}
	return quick, has
}

// writes are the writes of the steps, a few of each kind.
func (s *stopping) writes() (writes []refusal.Write) {
	count := map[string]int{}
	add := func(object *session.Object, operation admissionregistrationv1.OperationType) {
		key := finding.KeyOf(object.Resource.QualifiedName(), operation)
		if count[key]++; count[key] <= mostJudged {
			writes = append(writes, refusal.Write{Operation: operation, Object: object})
		}
	}
	for _, found := range s.p.endangered() {
		add(found.object, admissionregistrationv1.Update)
	}
	for _, found := range s.p.outside {
		if found.way == bySetting || found.way == byPause || found.way == byDrop {
			add(found.object, admissionregistrationv1.Update)
		}
	}
	for _, owner := range s.p.leaving() {
		add(owner, admissionregistrationv1.Delete)
	}
	return writes
}
