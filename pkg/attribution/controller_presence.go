package attribution

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Presence is how the controller of one finalizer on one kind fares, apart from any object that it holds.
type Presence struct {
	State PresenceState
	// Finding says so. Its Reason is what a deletion would get stuck on; empty where the controller runs, and where
	// nothing tells.
	finding.Finding
	Controller *finding.Ref // the workload or the ServiceAccount's pod that it is about, if there is one
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

// Presence looks for a finalizer's controller for objects of a kind. known is nil where no plugin knows the finalizer.
// Where an object has it, that one tells who set it and who still writes, as it tells why and check.
func (f *Finder) Presence(
	ctx context.Context, resource cluster.Resource, finalizer string, known *plugins.Finalizer,
) Presence {
	if known != nil && known.RemovedBy == session.ControllerManager {
		return f.managerPresence(ctx)
	}
	if known != nil && known.RemovedBy == session.APIServer { // it has answered what was asked so far
		return Presence{State: Running, Finding: finding.Finding{Situation: "APIServerAnswers", Certainty: finding.Proven}}
	}
	kind := session.Named(resource, "", "")
	kind.Meta = &metav1.PartialObjectMetadata{}
	example, err := f.Session.Example(ctx, resource, finalizer)
	var seen []finding.Evidence
	if example != nil {
		kind, seen = example, []finding.Evidence{example.Ref.Observed("has it, and was looked at for all of its kind")}
	}
	h := f.heldBy(kind, finding.Hold{Type: finding.Finalizer, Name: finalizer}, known)
	h.ofKind = true
	if h.untraceable() {
		return Presence{State: Unsettled, Finding: finding.Finding{
			Situation: "KindOfKubernetes", Object: kind.Ref, Certainty: finding.Unknown,
		}}
	}
	h.search = f.search(ctx, h.criteria)
	if len(h.setters) > 0 {
		h.evidence = slices.Concat(seen, h.setterEvidence(), h.evidence)
	}
	if err != nil && known == nil { // who set it may be another one
		unread := finding.Unread{Kinds: []string{resource.QualifiedName()}}.Because(err)
		h.failed, h.found = append(h.failed, unread), decision{}
	}
	if (h.found.state == Missing || h.found.state == nobody) && h.wroteLately(ctx) {
		h.writer = h.lastWrite()
	}
	return h.presence(h.found)
}

func (f *Finder) managerPresence(ctx context.Context) Presence {
	answer, alive := f.Health.ControllerManagerAlive(ctx, nil)
	if alive {
		return Presence{State: Running, Finding: finding.Finding{
			Situation: "ControllerManagerRuns", Certainty: finding.Proven, Evidence: f.Health.LeaseEvidence(ctx),
		}}
	}
	for _, wait := range answer.Waits {
		for _, down := range wait.Otherwise.Causes {
			return Presence{State: Down, Finding: down, Controller: &down.Object}
		}
	}
	unread := finding.Finding{Situation: "ControllerManagerUnsettled", Certainty: finding.Unknown}
	for _, note := range answer.Open {
		unread.Evidence = note.Evidence
	}
	return Presence{State: Unsettled, Finding: unread}
}

// presence is what a decision means where it is about no object.
func (h *held) presence(found decision) Presence {
	c := found.candidate
	result := Presence{State: found.state, Finding: finding.Finding{Certainty: finding.Likely, Evidence: h.evidence}}
	if c != nil {
		result.Evidence = append(slices.Clone(result.Evidence), c.evidence...)
		if c.workload != nil {
			result.Controller = &c.workload.Ref
		}
	}
	switch found.state {
	case Running:
		result.Situation = "ControllerRuns"
		result.Details = finding.ControllerDetails{Controller: c.ref(), Clues: h.linked(c)}
	case Down:
		result.Reason, result.Remedies = finding.ControllerDown, c.remedies
		result.Situation = "ControllerHasNoReadyPod"
		result.Details = finding.ControllerDetails{Controller: c.ref(), Clues: h.linked(c), State: &c.status}
		if c.starting {
			result.State, result.Reason = Starting, ""
		} else if c.stale && c.access != nil && c.access.Write {
			result.Certainty = finding.Proven
		}
	case Forbidden:
		result.Reason = finding.ControllerForbidden
		result.Situation, result.Details = "ControllerMayNotUpdateKind", h.suspected(c)
		if c.account.Name != "" {
			result.Remedies = []finding.Remedy{h.seeRights(c), h.allow(c, false)}
		}
	case Missing, nobody:
		h.notThere(&result, found)
	default:
		h.unsettledPresence(&result, c)
	}
	return result
}

// notThere says who is missing. That somebody lives whom nothing leads to, as a Lease may say, or a write, makes nobody
// missing.
func (h *held) notThere(result *Presence, found decision) {
	if found.state == nobody && (h.liveLease || h.elsewhere()) || h.writer.Manager != "" {
		h.unsettledPresence(result, nil)
		return
	}
	for _, c := range h.gone {
		result.Evidence = append(result.Evidence, c.evidence...)
	}
	result.State, result.Reason, result.Certainty = Missing, finding.ControllerMissing, h.missingCertainty()
	if len(h.gone) == 0 {
		result.Certainty = finding.Likely // other objects than the one that was looked at may show a writer from elsewhere
	}
	result.Situation, result.Details = "ControllerNotThere", h.missingDetails()
	result.Remedies = slices.Concat(h.bringBack(h.firstGone()), h.wayOut())
}

// unsettledPresence says why nothing tells whether the controller is there.
func (h *held) unsettledPresence(result *Presence, c *candidate) {
	result.State, result.Certainty = Unsettled, finding.Unknown
	details := finding.ControllerUnknownDetails{Controller: c.ref()}
	result.Situation = "PresenceUnsettled"
	switch {
	case len(h.failed) > 0:
		result.Situation, details.Unread = "PresenceNotRead", h.failed
	case h.writer.Manager != "":
		result.Situation, result.Object = "WrittenByUnseen", h.object.Ref
		details.Manager, details.Written = h.writer.Manager, h.writer.At
		result.Evidence = append(slices.Clone(result.Evidence), h.writtenEvidence(h.writer))
	case h.everyone != nil:
		result.Situation, details.Programs = "ProgramsMayRemove", h.everyone
	case h.elsewhere():
		result.Situation, result.Details = "ControllerOutside", h.knownDetails()
		return
	case c != nil && c.byNameOnly:
		result.Situation = "ProgramOfThatName"
	case h.nothing:
		result.Situation, details.Domain = "NothingOfProjectHere", h.domain
	case h.liveLease:
		result.Situation = "LeaseOfThatNameRenewed"
	case c != nil:
		result.Situation = "ControllerUnexamined"
	}
	result.Details = details
}

// Absence is what is known, without any deletion, of whoever should remove a finalizer.
type Absence struct {
	// Cause is why nobody would: missing, down or forbidden (finding.Voice.GetsStuck); nil where that isn't so or unclear.
	Cause  *finding.Finding
	Unread []finding.Unread // what could not be read, without which nothing may be concluded
}

// Absent tells of a finalizer on a live object whether somebody is there to remove it: by the control plane's Leases,
// or by the search for the controller. What a controller says and does of one object tells nothing here.
func (f *Finder) Absent(ctx context.Context, object *session.Object, finalizer string) Absence {
	known, found := f.Plugins.Find(finalizer, object.Resource.GroupKind().String())
	switch {
	case found && known.RemovedBy == session.ControllerManager:
		answer, _ := f.Health.ControllerManagerAlive(ctx, nil)
		var unread []finding.Unread
		if _, failed := f.Health.ControllerManagerUnread(ctx); failed {
			unread = []finding.Unread{{Aspect: finding.LeaseOf, Name: session.ControllerManager}}
		}
		return Foretell(answer, unread...)
	case found && known.RemovedBy == session.CloudManager:
		if _, answer, _ := f.Health.CloudManagerLease(ctx); !answer.Empty() {
			return Foretell(answer)
		}
	}
	live := object.Meta
	if live.ManagedFields == nil { // an inventory leaves out who set what
		var err error
		live, err = f.Session.Reader.Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
		switch {
		case apierrors.IsNotFound(err):
			return Absence{}
		case err != nil:
			return Absence{Unread: []finding.Unread{finding.Unread{Object: &object.Ref}.Because(err)}}
		}
	}
	hold := finding.Hold{Type: finding.Finalizer, Name: finalizer}
	h := f.heldBy(session.FromMetadata(object.Resource, live), hold, nil)
	if h.object.Terminating() {
		return Absence{}
	}
	if found {
		h = f.heldBy(h.object, hold, &known)
		h.note = finding.Finding{Details: KnownDetails(known), Evidence: []finding.Evidence{KnownEvidence(hold, known)}}
	}
	return Foretell(h.answerKnown(ctx), h.failed...)
}

// Foretell picks from an answer about a finalizer's controller what it means for a live object: that nobody is there.
func Foretell(answer session.Answer, unread ...finding.Unread) Absence {
	causes := answer.Causes
	for _, wait := range answer.Waits {
		causes = append(causes, wait.Otherwise.Causes...)
	}
	for _, cause := range causes {
		switch cause.Reason {
		case finding.ControllerMissing, finding.ControllerDown, finding.ControllerForbidden, finding.ControlPlaneDown:
			forces := func(remedy finding.Remedy) bool { return remedy.Risk != finding.NoRisk }
			cause.Remedies = slices.DeleteFunc(slices.Clone(cause.Remedies), forces) // of what nobody has deleted
			return Absence{Cause: &cause}
		}
	}
	return Absence{Unread: unread}
}

// WrittenFrom picks of some resources the custom ones that accounts of some namespaces have rules for.
func (f *Finder) WrittenFrom(
	ctx context.Context, namespaces []string, resources []cluster.Resource,
) (written []cluster.Resource, err error) {
	grants, err := f.permissions(ctx)
	if err != nil {
		return nil, err
	}
	for _, resource := range resources {
		if !cluster.ServedByKubernetes(resource.Group) && slices.ContainsFunc(
			grants.Access(resource.GroupResource(), metav1.NamespaceAll), func(access *controller.Access) bool {
				writes := access.Write || len(access.Elsewhere) > 0
				return access.Account() && writes && slices.Contains(namespaces, access.Namespace)
			}) {
			written = append(written, resource)
		}
	}
	return written, nil
}

// RightsByNamespace tells of a custom resource which namespaces have rules of their own for it, by what these are:
// namespaces that are alike share what is found. Of a kind of Kubernetes' own, rights tell nothing.
func (f *Finder) RightsByNamespace(ctx context.Context, resource cluster.Resource) map[string]string {
	if cluster.ServedByKubernetes(resource.Group) {
		return nil
	}
	grants, err := f.permissions(ctx)
	if err != nil {
		return nil // Absent says so
	}
	return grants.LocalBindings(resource.GroupResource())
}
