package attribution

import (
	"context"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/limits"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Absence is what is known, without any deletion, of whoever should remove a finalizer.
type Absence struct {
	// Cause is why no one would: missing, down, forbidden, or switched off by its own settings
	// (finding.Voice.GetsStuck); nil where that isn't so or unclear.
	Cause  *finding.Finding
	Unread []finding.Unread // what could not be read, without which nothing may be concluded
	// Unidentified says that no program was found which may be the controller, and nothing that it ever was there.
	Unidentified bool

	agent  *plugins.Finalizer // whose controller runs in the pods of what each object names; nil for any other
	limits []limits.Limit     // of the programs that were met: which objects of the kind each acts on
	homes  bool               // the object says in which namespace its program is, as others may
}

// Absent reports whether a finalizer on a live object has a controller that can remove it: by the control plane's
// Leases, or by the search for the controller. What a controller says and does about one object doesn't matter here.
// The object may stand for others, so what it says of its share doesn't count (see Divides).
func (f *Finder) Absent(ctx context.Context, object *session.Object, finalizer string) Absence {
	return absentAs(ctx, f, object, finalizer, withoutShare)
}

// AbsentOf is Absent for an object that stands for others of its share alone.
func AbsentOf(ctx context.Context, f *Finder, object *session.Object, finalizer string) Absence {
	return absentAs(ctx, f, object, finalizer,
		func(live *metav1.PartialObjectMetadata) *metav1.PartialObjectMetadata { return live })
}

func absentAs(
	ctx context.Context, f *Finder, object *session.Object, finalizer string,
	as func(*metav1.PartialObjectMetadata) *metav1.PartialObjectMetadata,
) Absence {
	known, found := f.Plugins.Find(finalizer, object.Resource.GroupKind().String())
	if found && known.RemovedBy == session.ControllerManager {
		answer, _ := f.Health.ControlPlane.ControllerManagerAlive(ctx, nil)
		var unread []finding.Unread
		if _, failed := f.Health.ControlPlane.ControllerManagerUnread(ctx); failed {
			unread = []finding.Unread{{Aspect: finding.LeaseOf, Name: session.ControllerManager}}
		}
		return Foretell(answer, unread...)
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
	h := f.heldBy(session.FromMetadata(object.Resource, as(live)), hold, nil)
	if h.object.Terminating() {
		return Absence{}
	}
	if found {
		h = f.heldBy(h.object, hold, &known)
		h.note = finding.Finding{Details: KnownDetails(known), Evidence: []finding.Evidence{KnownEvidence(hold, known)}}
	}
	answer := h.answerKnown(ctx)
	absence := Foretell(answer, h.search.failed...)
	absence.Unidentified = slices.ContainsFunc(answer.Causes, ofNobody)
	absence.limits, absence.homes = h.search.limits, saysHome(live)
	if found && known.Agent != nil {
		absence.agent = &known
	}
	return absence
}

// ofNobody reports whether a cause is that no program is known which may be the controller, although all was read.
func ofNobody(cause finding.Finding) bool {
	return cause.Reason == finding.ControllerUnknown && len(cause.Candidates)+len(cause.Unread) == 0 && !cause.Unseen
}

// withoutShare is the metadata of an object that stands for others, without what says to which share it belongs: the
// others may belong to another one.
func withoutShare(live *metav1.PartialObjectMetadata) *metav1.PartialObjectMetadata {
	says := func(key, _ string) bool { return naming.NamesShare(key) || naming.NamesOperatorNamespace(key) }
	all := live.DeepCopy()
	maps.DeleteFunc(all.Labels, says)
	maps.DeleteFunc(all.Annotations, says)
	return all
}

// Foretell picks from an answer about a finalizer's controller what it means for a live object: that it has no
// controller.
func Foretell(answer session.Answer, unread ...finding.Unread) Absence {
	if cause := absent(answer); cause != nil {
		return Presence{Finding: *cause}.Absence()
	}
	return Absence{Unread: unread}
}

// Absence is what a presence means for a live object.
func (p Presence) Absence() Absence {
	if p.Reason == "" {
		return Absence{Unread: p.Unread}
	}
	cause := p.Finding
	forces := func(remedy finding.Remedy) bool { return remedy.Risk != finding.NoRisk }
	cause.Remedies = slices.DeleteFunc(slices.Clone(cause.Remedies), forces) // of objects that were not deleted
	return Absence{Cause: &cause}
}

// absent is the first cause of an answer by which a controller isn't there, or has that duty switched off; or nil.
func absent(answer session.Answer) *finding.Finding {
	causes := slices.Clip(answer.Causes)
	for _, wait := range answer.Waits {
		causes = append(causes, wait.Otherwise.Causes...)
	}
	for _, cause := range causes {
		switch cause.Reason {
		case finding.ControllerMissing, finding.ControllerDown, finding.ControllerForbidden, finding.ControlPlaneDown,
			finding.ReconciliationPaused: // by the settings of the controller itself (dutyOff)
			return &cause
		}
	}
	return nil
}
