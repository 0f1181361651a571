package attribution

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Absence is what is known, without any deletion, of whoever should remove a finalizer.
type Absence struct {
	// Cause is why nobody would: missing, down or forbidden. It is nil where somebody is there, and where
	// nothing tells.
	Cause *finding.Finding
	// Unread is what could not be read, without which nothing may be concluded.
	Unread []string
}

// Absent tells of a finalizer on a live object whether somebody is there to remove it, by the same
// evidence as for one that is being deleted: the Leases of the control plane, and for everything else the
// search for the controller. What a controller says and does of one object tells nothing here.
func (f *Finder) Absent(ctx context.Context, object *session.Object, finalizer string) Absence {
	known, found := f.Plugins.Find(finalizer, object.Resource.GroupKind().String())
	switch {
	case found && known.RemovedBy == session.ControllerManager:
		answer, _ := f.Health.ControllerManagerAlive(ctx)
		var unread []string
		if _, failed := f.Health.ControllerManagerUnread(ctx); failed {
			unread = []string{"the Lease of " + session.ControllerManager}
		}
		return f.absence(object, finalizer, answer, unread)
	case found && known.RemovedBy == session.CloudManager:
		if _, answer, _ := f.Health.CloudManagerLease(ctx); !answer.Empty() {
			return f.absence(object, finalizer, answer, nil)
		}
	}
	live := object.Meta
	if live.ManagedFields == nil { // a census leaves out who set what
		var err error
		if live, err = f.Session.Reader.Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name); apierrors.IsNotFound(err) {
			return Absence{}
		} else if err != nil {
			return Absence{Unread: []string{object.Ref.String() + because(err)}}
		}
	}
	hold := finding.Hold{Type: finding.Finalizer, Name: finalizer}
	h := f.heldBy(session.FromMetadata(object.Resource, live), hold, nil)
	if h.object.Terminating() {
		return Absence{}
	}
	if found {
		h = f.heldBy(h.object, hold, &known)
		h.note = finding.Finding{
			Message:  fmt.Sprintf("%s is held by %s, which %s removes when %s.", object.Ref, finalizer, known.RemovedBy, known.WaitsFor),
			Evidence: []finding.Evidence{KnownEvidence(hold, known)},
		}
	}
	answer := h.fares(ctx)
	return f.absence(object, finalizer, answer, h.failed)
}

// absence picks from an answer what says that nobody is there, and puts it as what will be.
func (f *Finder) absence(object *session.Object, finalizer string, answer session.Answer, unread []string) Absence {
	causes := answer.Causes
	for _, wait := range answer.Waits {
		causes = append(causes, wait.Otherwise.Causes...)
	}
	for _, cause := range causes {
		switch cause.Reason {
		case finding.ControllerMissing, finding.ControllerDown, finding.ControllerForbidden, finding.ControlPlaneDown:
			voice := finding.Voice{Now: f.Session.Now()} // bridge
			cause.Message, cause.Situation = voice.Message(cause), ""
			cause.Message = foretold(object.Ref, finalizer, cause)
			cause.Remedies = beforehand(voice.Remedies(cause.Remedies))
			return Absence{Cause: &cause}
		}
	}
	return Absence{Unread: unread}
}

// Foretell is what an answer about a finalizer's controller means for a live object.
func (f *Finder) Foretell(object *session.Object, finalizer string, answer session.Answer) Absence {
	return f.absence(object, finalizer, answer, nil)
}

// foretold says what will become of an object for a cause.
func foretold(ref finding.Ref, finalizer string, cause finding.Finding) string {
	stuck := "will likely get stuck when it is deleted"
	if cause.Certainty == finding.Proven {
		stuck = "will get stuck when it is deleted"
	}
	if rest, held := strings.CutPrefix(cause.Message, ref.String()+" is held by "); held {
		return fmt.Sprintf("%s %s. It carries %s", ref, stuck, rest)
	}
	return fmt.Sprintf("%s %s, on %s. %s", ref, stuck, finalizer, cause.Message)
}

// beforehand leaves out the last resorts: nobody has to force what nobody has deleted.
func beforehand(remedies []finding.Remedy) (safe []finding.Remedy) {
	for _, remedy := range remedies {
		if remedy.Risk == finding.NoRisk {
			safe = append(safe, remedy)
		}
	}
	return safe
}

// RightsByNamespace tells of a custom resource which namespaces have rules of their own for it: what is found
// of a controller in one namespace holds for all that are alike. The empty answer is that of those without
// any. Of a kind of Kubernetes' own, rights tell nothing.
func (f *Finder) RightsByNamespace(ctx context.Context, resource cluster.Resource) map[string]string {
	if cluster.ServedByKubernetes(resource.Group) {
		return nil
	}
	grants, err := f.permissions(ctx)
	if err != nil {
		return nil // Absent says so
	}
	return grants.Local(resource.GroupResource())
}
