package attribution

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Presence is how the controller of one finalizer on one kind fares, apart from any object that it holds.
type Presence struct {
	State PresenceState
	// Finding says so. Its Reason is what a deletion would get stuck on; empty if the controller runs, and if that is
	// not known.
	finding.Finding
	Controller *finding.Ref     // the workload or the ServiceAccount's pod that it is about, if there is one
	Account    *finding.Ref     // the ServiceAccount as which it runs, if that is known
	Unread     []finding.Unread // without which nothing may be concluded, where the duty follows from an object
}

// PresenceState is how a controller fares.
type PresenceState string

// The states.
const (
	Running   PresenceState = "Running"
	Starting  PresenceState = "Starting"
	Down      PresenceState = "Down"
	Forbidden PresenceState = "Forbidden"
	Missing   PresenceState = "Missing"
	Unsettled PresenceState = "Unknown"
)

// Presence looks for a finalizer's controller for objects of a kind. known is nil where the catalogue does not know the
// finalizer. Where an object has it, that one says who set it and who still writes, as it says why and check.
func (f *Finder) Presence(
	ctx context.Context, resource cluster.Resource, finalizer string, known *plugins.Finalizer,
) Presence {
	if known != nil && known.RemovedBy == session.ControllerManager {
		return managerPresence(ctx, f.Health)
	}
	if known != nil && known.RemovedBy == session.APIServer { // it has answered what was asked so far
		return Presence{
			State: Running, Finding: finding.Finding{Situation: "APIServerAnswers", Certainty: finding.Proven},
		}
	}
	kind := session.Named(resource, "", "")
	kind.Meta = &metav1.PartialObjectMetadata{}
	example, err := session.Example(ctx, f.Session.Reader, resource, finalizer)
	var seen []finding.Evidence
	if example != nil {
		observed := example.Ref.Observed("has the finalizer, and was examined as an example")
		kind, seen = example, []finding.Evidence{observed}
	}
	h := f.heldBy(kind, finding.Hold{Type: finding.Finalizer, Name: finalizer}, known)
	h.search.criteria.ofKind = !h.object.Terminating() // else that one object shows who is meant
	if h.search.criteria.untraceable() {
		return Presence{State: Unsettled, Finding: finding.Finding{
			Situation: "KindOfKubernetes", Object: kind.Ref, Certainty: finding.Unknown,
		}}
	}
	h.search = f.searchedFor(ctx, h.search.criteria, h.object)
	if len(h.setters) > 0 {
		h.search.evidence = slices.Concat(seen, h.writes().setterEvidence(), h.search.evidence)
	}
	if err != nil && known == nil { // who set it may be another one
		unread := finding.Unread{Kinds: []string{resource.QualifiedName()}}.Because(err)
		h.search.failed, h.search.found = append(h.search.failed, unread), decision{}
	}
	if absent := h.search.found.state; absent == Missing || absent == nobody {
		addWriter(ctx, h)
	}
	found := unlessAnotherActs(ctx, h, unlessSetterLost(ctx, h, unlessSetByOther(h, h.search.found)))
	return h.presence(settled(ctx, h, lockTaken(ctx, h, found)))
}

// addWriter remembers who wrote to the example since its deletion, and may be a controller out of sight.
func addWriter(ctx context.Context, h *held) {
	last, wrote := h.writes().lastWrite(), h.writes().wroteLately(ctx)
	if !wrote && h.object.Terminating() && h.writes().bySetter(last) { // its words count, too
		if !h.instance(ctx) {
			h.search.found = decision{}
			return
		}
		wrote = h.writes().wroteLately(ctx)
	}
	if wrote {
		h.writer = last
	}
}

func managerPresence(ctx context.Context, fares *health.Checker) Presence {
	answer, alive := fares.ControlPlane.ControllerManagerAlive(ctx, nil)
	if alive {
		return Presence{State: Running, Finding: finding.Finding{
			Situation: "ControllerManagerRuns", Certainty: finding.Proven, Evidence: fares.ControlPlane.LeaseEvidence(ctx),
		}}
	}
	found := PresenceBy(answer)
	if found.State == Unsettled {
		found.Situation, found.Details = "ControllerManagerUnsettled", nil
	}
	return found
}

// PresenceBy is what an answer about a hold says about the controller that should end it. An empty one says that it
// runs.
func PresenceBy(answer session.Answer) Presence {
	if cause := absent(answer); cause != nil {
		found := Presence{State: stateFor(cause.Reason), Finding: *cause}
		if ofKind, is := finding.In(found.Situation, finding.WithoutObject); is {
			found.Situation = ofKind
		}
		if found.State == Down {
			found.Controller = &found.Object
		}
		return found
	}
	for _, open := range answer.Open {
		if unread, is := open.Details.(finding.Unread); is {
			found := NotRead(unread)
			found.Evidence = open.Evidence
			return found
		}
	}
	if len(answer.Open) > 0 {
		unsettled := finding.Finding{
			Situation: "PresenceUnsettled", Certainty: finding.Unknown, Details: finding.ControllerUnknownDetails{},
			Evidence: answer.Open[0].Evidence,
		}
		return Presence{State: Unsettled, Finding: unsettled}
	}
	return Presence{State: Running}
}

// stateFor is the state of a controller that is absent for a reason.
func stateFor(absent finding.Reason) PresenceState {
	switch absent {
	case finding.ControllerMissing:
		return Missing
	case finding.ControllerForbidden:
		return Forbidden
	}
	return Down
}

// NotRead is the presence of a controller that is not clear without what is unread.
func NotRead(unread ...finding.Unread) Presence {
	return Presence{State: Unsettled, Unread: unread, Finding: finding.Finding{
		Situation: "PresenceNotRead", Details: finding.ControllerUnknownDetails{Unread: unread},
		Certainty: finding.Unknown,
	}}
}

// presence is what a decision means where it is about no object.
func (h *held) presence(found decision) Presence {
	c := found.candidate
	result := Presence{
		State: found.state, Finding: finding.Finding{Certainty: finding.Likely, Evidence: h.search.evidence},
	}
	if c != nil {
		result.Evidence = append(slices.Clone(result.Evidence), c.evidence...)
		if c.workload != nil {
			result.Controller = &c.workload.Ref
		}
		if c.account.Name != "" {
			result.Account = c.accountRef()
		}
	}
	switch found.state {
	case Running:
		if oneOfSeveral(h, c) {
			unsettledPresence(h, &result, c)
			break
		}
		result.Situation = "ControllerRuns"
		result.Details = finding.ControllerDetails{Controller: c.ref(), Clues: linked(h.search, h.object, c)}
	case Down:
		if oneOfSeveral(h, c) {
			unsettledPresence(h, &result, c)
			break
		}
		result.Reason, result.Remedies = finding.ControllerDown, c.remedies
		result.Situation = "ControllerHasNoReadyPod"
		result.Details = finding.ControllerDetails{
			Controller: c.ref(), Clues: linked(h.search, h.object, c), State: &c.status,
		}
		if c.starting {
			result.State, result.Reason = Starting, ""
		} else if !c.until.IsZero() { // its Node may only be late
			result.State, result.Reason, result.Certainty = Unsettled, "", finding.Unknown
		} else if c.stale && c.access != nil && c.access.Write && !c.unlikeSetter {
			result.Certainty = finding.Proven
		}
	case Forbidden:
		if result.Reason = finding.ControllerForbidden; unablePresence(h, &result, c) {
			break
		}
		result.Situation, result.Details = "ControllerMayNotUpdateKind", suspected(h.object, c)
		if c.account.Name != "" {
			result.Remedies = append([]finding.Remedy{seeRights(h.search, h.object, c)}, h.allow(c, false)...)
		}
	case Missing, nobody:
		notThere(h, &result, found)
	default:
		unsettledPresence(h, &result, c)
	}
	return result
}
