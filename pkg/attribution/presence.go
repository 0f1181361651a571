package attribution

import (
	"context"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Presence is what the cluster tells of the controller of one finalizer on one kind, without an object that
// it holds: whether it is there, and able to do what it should.
type Presence struct {
	State PresenceState
	// Reason is what a deletion would get stuck on; empty where the controller runs, and where nothing tells.
	Reason    finding.Reason
	Certainty finding.Certainty
	// Controller is the workload or the ServiceAccount's pod that it is about, if there is one.
	Controller *finding.Ref
	Message    string
	Evidence   []finding.Evidence
	Remedies   []finding.Remedy
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

// Presence looks for a finalizer's controller as why does for an object of a kind. known is nil where no
// plugin knows the finalizer.
func (f *Finder) Presence(ctx context.Context, resource cluster.Resource, finalizer string, known *plugins.Finalizer) Presence {
	if known != nil && known.RemovedBy == session.ControllerManager {
		return f.managerPresence(ctx)
	}
	kind := session.Named(resource, "", "")
	kind.Meta = &metav1.PartialObjectMetadata{}
	h := f.heldBy(kind, finding.Hold{Type: finding.Finalizer, Name: finalizer}, known)
	h.ofKind = true
	if h.leadless() {
		return Presence{State: Unsettled, Certainty: finding.Unknown, Message: fmt.Sprintf("%s is a kind of Kubernetes, which many may write: nothing but an object that has the finalizer tells whose it is. Ask why about one.", resource.Kind)}
	}
	h.search = f.search(ctx, h.traits)
	return h.presence(h.found)
}

// managerPresence tells how kube-controller-manager fares.
func (f *Finder) managerPresence(ctx context.Context) Presence {
	answer, alive := f.Health.ControllerManagerAlive(ctx)
	if alive {
		return Presence{State: Running, Certainty: finding.Proven, Message: session.ControllerManager + " runs: it holds its Lease.", Evidence: f.Health.LeaseEvidence(ctx)}
	}
	for _, wait := range answer.Waits {
		for _, down := range wait.Otherwise.Causes {
			voice := finding.Voice{Now: f.Session.Now()} // bridge
			return Presence{State: Down, Reason: down.Reason, Certainty: down.Certainty, Controller: &down.Object, Message: voice.Message(down), Evidence: down.Evidence, Remedies: voice.Remedies(down.Remedies)}
		}
	}
	unread := Presence{State: Unsettled, Certainty: finding.Unknown}
	for _, note := range answer.Open {
		unread.Message, unread.Evidence = fmt.Sprintf("Whether %s runs can't be told.", session.ControllerManager), note.Evidence
	}
	return unread
}

// presence puts a decision into words that are about no object.
func (h *held) presence(found decision) Presence {
	c, kind := found.candidate, h.object.Resource.QualifiedName()
	result := Presence{State: Unsettled, Certainty: finding.Likely, Evidence: h.evidence}
	if c != nil {
		result.Evidence = append(slices.Clone(result.Evidence), c.evidence...)
		if c.workload != nil {
			result.Controller = &c.workload.Ref
		}
	}
	switch found.state {
	case decidedRunning:
		result.State, result.Message = Running, fmt.Sprintf("%s runs (%s).", c, h.linked(c))
	case decidedDown:
		result.State, result.Reason, result.Remedies = Down, finding.ControllerDown, finding.Voice{Now: h.finder.Session.Now()}.Remedies(c.remedies) // bridge
		result.Message = fmt.Sprintf("%s (%s) %s.", c, h.linked(c), c.words)
		if c.starting {
			result.State, result.Reason = Starting, ""
		} else if c.stale && c.access != nil && c.access.Write {
			result.Certainty = finding.Proven
		}
	case decidedForbidden:
		who := c.String()
		result.State, result.Reason = Forbidden, finding.ControllerForbidden
		if c.account.Name != "" {
			who, result.Remedies = c.account.String(), h.allow(c, kind)
		}
		result.Message = fmt.Sprintf("%s runs and is likely the one (%s), and RBAC doesn't let it update %s.", who, h.suspected(c), kind)
	case decidedMissing, decidedNobody:
		h.absence(&result, found)
	case decidedUnsettled:
		h.unsettledPresence(&result, c)
	}
	return result
}

// absence words what is not there. That somebody lives whom nothing leads to, as a Lease may say, makes
// nobody missing.
func (h *held) absence(result *Presence, found decision) {
	if found.state == decidedNobody && (h.leased || h.elsewhere()) {
		h.unsettledPresence(result, nil)
		return
	}
	var first *candidate
	for _, c := range h.gone {
		result.Evidence = append(result.Evidence, c.evidence...)
	}
	if len(h.gone) > 0 {
		first = h.gone[0]
	}
	_, why := h.absent(first)
	result.State, result.Reason, result.Certainty = Missing, finding.ControllerMissing, h.missingCertainty()
	if len(h.gone) == 0 {
		result.Certainty = finding.Likely // no object was looked at, which may show a writer from elsewhere
	}
	result.Message = fmt.Sprintf("Nothing in this cluster is there to remove it: %s.", why)
	result.Remedies = slices.Concat(h.bringBack(first), h.wayOut())
	switch {
	case h.known != nil && h.known.MayRunOutside != "":
		result.Message += fmt.Sprintf(" %s may run outside the cluster: %s.", h.known.RemovedBy, h.known.MayRunOutside)
	case result.Certainty != finding.Proven:
		result.Message += " It may run outside this cluster; nothing in here can tell."
	}
}

func (h *held) unsettledPresence(result *Presence, c *candidate) {
	result.State, result.Certainty = Unsettled, finding.Unknown
	switch {
	case len(h.failed) > 0:
		result.Message = "Whether its controller is there can't be told without reading " + strings.Join(h.failed, "; and ") + "."
	case h.everyone != "":
		result.Message = fmt.Sprintf("By RBAC, %s may remove it (%s).", h.programs, h.everyone)
	case h.elsewhere():
		result.Message = fmt.Sprintf("%s runs outside the cluster, %s: nothing in here tells how it fares.", h.known.RemovedBy, h.known.MayRunOutside)
	case c != nil && c.nominal:
		result.Message = fmt.Sprintf("%s may be the one to remove it, going by its name alone.", c)
	case h.nothing:
		result.Message = h.nothingGoesBy("") + "."
	case h.leased:
		result.Message = "A Lease of that name is renewed, so that something of the project runs, and nothing leads to it."
	case c != nil:
		result.Message = fmt.Sprintf("%s runs, and whether it may do its work can't be told.", c)
	default:
		result.Message = "Nothing in this cluster tells whether its controller is there."
	}
}
