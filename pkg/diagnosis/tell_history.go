package diagnosis

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

const (
	mostHappened = 12 // lines of a history; the oldest are left out, but for the target's deletion
	mostStoried  = 3  // objects of root causes that are in it

	longestCreation = time.Minute // from the time in managedFields to creationTimestamp, see writtenAt
)

// happened is one thing that happened, as data.
type happened struct {
	finding.Finding
	at    time.Time
	count int
}

// history tells in which order things happened to the target and to the objects of the first root causes: from what has
// been read, whatever that is. It also returns how much earlier things were left out.
func (r *run) history(object *session.Object) (told []result.Happening, earlier int) {
	if r.tools.Session.Foresees {
		return nil, 0
	}
	var all []happened
	for _, candidate := range r.storied(object) {
		all = append(all, r.storyOf(candidate, candidate == object)...)
	}
	all = joinAlike(all)
	for earlier = 0; len(all) > mostHappened; earlier++ {
		oldest := slices.IndexFunc(all, func(one happened) bool {
			phase, _ := finding.PhaseOf(one.Situation)
			return phase != finding.RequestsDeletion || one.Object != object.Ref
		})
		all = slices.Delete(all, oldest, oldest+1)
	}
	for _, one := range all {
		told = append(told, result.Happening{
			At: result.InSeconds(one.at), Object: one.Object, Situation: one.Situation, Details: one.Details,
			Message: voiceOf(r.tools).Message(one.Finding), Count: one.count,
		})
	}
	return told, earlier
}

// storied are the target and the objects of the first root causes, as far as they were read.
func (r *run) storied(target *session.Object) []*session.Object {
	objects := []*session.Object{target}
	for _, joined := range r.groups.all {
		object := r.found.objects[r.found.graph.Add(joined.causes[0].Object)]
		if object != nil && object.Meta != nil && len(objects) <= mostStoried && !slices.Contains(objects, object) &&
			object.Ref.UID != target.Ref.UID {
			objects = append(objects, object)
		}
	}
	return slices.DeleteFunc(objects, func(object *session.Object) bool { return object.Meta == nil })
}

// storyOf is what happened to an object. If it isn't the target, what programs write all the time is left out.
func (r *run) storyOf(object *session.Object, isTarget bool) (story []happened) {
	add := func(at time.Time, what finding.Finding) {
		if what.Object = object.Ref; !at.IsZero() {
			story = append(story, happened{Finding: what, at: at, count: 1})
		}
	}
	add(object.Meta.CreationTimestamp.Time, finding.Finding{Situation: "ObjectCreated"})
	add(object.RequestedAt(), finding.Finding{Situation: "DeletionRequested"})
	for _, write := range writers.LastWrites(object.Meta.ManagedFields) {
		if isTarget || writers.WritesManifests(write.Manager) {
			add(writtenAt(object, write.At), finding.Finding{Situation: "LastWritten", Details: finding.HistoryDetails{
				Manager: write.Manager, Parts: write.Parts, Finalizers: write.Finalizers, Released: write.Released,
			}})
		}
	}
	for _, transition := range transitionsOf(object) {
		add(transition.At, finding.Finding{Situation: "ConditionChanged", Details: finding.HistoryDetails{
			Condition: transition.Type, Status: transition.Status, Reason: transition.Reason, Words: transition.Message,
		}})
	}
	for _, event := range r.tools.Health.Told(object) {
		add(health.EventTime(event), finding.Finding{Situation: "EventReported", Details: finding.HistoryDetails{
			Reason: event.Reason, By: health.Reporter(event), Words: strings.TrimSpace(event.Message),
		}})
	}
	return story
}

// writtenAt is when a write took effect, whose time is in managedFields. Who creates an object has that time before the
// object is sent to mutating webhooks, and the object is created after that: within the time that a request may take
// (k8s v1.37 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go:createHandler, and --request-timeout).
func writtenAt(object *session.Object, at time.Time) time.Time {
	created := object.Meta.CreationTimestamp.Time
	if early := created.Sub(at); early > 0 && early <= longestCreation {
		return created
	}
	return at
}

// transitionsOf are the conditions of an object that are read anyway: of Kubernetes' own kinds those of what is being
// deleted, and of Nodes, without words.
func transitionsOf(object *session.Object) []statuses.Transition {
	if object.Whole == nil {
		return nil
	}
	all := statuses.Transitions(object.Whole)
	switch {
	case object.Terminating(), !cluster.ServedByKubernetes(object.Resource.Group):
		return all
	case !object.Is("", "Node"):
		return nil
	}
	for i := range all {
		all[i].Message = ""
	}
	return all
}

// joinAlike sorts what happened, and says what is the same but for its time once, of the last time.
func joinAlike(all []happened) (joined []happened) {
	slices.SortStableFunc(all, func(a, b happened) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(phase(a), phase(b)))
	})
	at := map[string]int{}
	for _, one := range slices.Backward(all) {
		if known, again := at[one.Identity()]; again {
			joined[known].count += one.count
			continue
		}
		at[one.Identity()] = len(joined)
		joined = append(joined, one)
	}
	slices.Reverse(joined)
	return joined
}

// phase orders what happened in one second: times are in whole ones.
func phase(of happened) int {
	_, order := finding.PhaseOf(of.Situation)
	return order
}
