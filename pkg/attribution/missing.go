package attribution

import (
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// missing is the cause of an object whose controller is not in this cluster. That is certain where
// RBAC lets nobody but administrators remove the finalizer, or those whom it lets don't exist; it is
// likely where somebody may who may do everything.
func (h *held) missing() finding.Finding {
	ref := h.object.Ref
	evidence, _ := h.whoSet()
	evidence = append(evidence, h.evidence...)
	for _, c := range h.gone {
		evidence = append(evidence, c.evidence...)
	}
	if report, speaks := h.report(); speaks {
		evidence = append(evidence, h.reported(report))
	}
	var first *candidate
	if len(h.gone) > 0 {
		first = h.gone[0]
	} else {
		evidence = append(evidence, h.surroundings()...)
	}
	evidence = append(evidence, h.sayUnexplained()...)
	certainty := h.missingCertainty()
	who, why := h.absent(first)
	message := fmt.Sprintf("%s is held by the finalizer %s, and nothing in this cluster is there to remove it: %s.", ref, h.hold.Name, why)
	switch {
	case certainty == finding.Proven:
	case h.readers:
		message += " Its controller may run outside this cluster, or be among those who may only read the kind, and have lost its rights; nothing in here can tell."
	default:
		message += " Its controller may run outside this cluster; nothing in here can tell."
	}
	if h.known != nil {
		evidence = append(slices.Clone(h.note.Evidence), evidence...)
		message = h.note.Message + " Nothing in this cluster is there to do so: " + why + "."
		if h.known.MayRunOutside != "" {
			message += fmt.Sprintf(" %s may run outside the cluster: %s.", h.known.RemovedBy, h.known.MayRunOutside)
		}
	}
	awaited := fmt.Sprintf("%s to remove the finalizer %s from %%s: %s", who, h.hold.Name, why)
	return finding.Finding{
		Reason: finding.ControllerMissing, Object: ref, Finalizer: h.hold.Name, Certainty: certainty,
		Message: message, Awaited: fmt.Sprintf(awaited, ref),
		Evidence: evidence, Remedies: slices.Concat(h.bringBack(first), h.wayOut(), []finding.Remedy{h.lastResort()}),
		Alike: h.alike("missing controller", first), Several: h.several(awaited),
	}
}

// surroundings tells of the held object's namespace, if that is known to be on its way out: a controller
// that ran in it went first (deletion-mechanics B.3-9).
func (h *held) surroundings() []finding.Evidence {
	whole, known := h.finder.Session.Reader.Known(cluster.Namespaces(), "", h.object.Ref.Namespace)
	if !known || whole.GetDeletionTimestamp() == nil {
		return nil
	}
	namespace := session.Named(cluster.Namespaces(), "", whole.GetName())
	return []finding.Evidence{session.ObservedOf(namespace, "is being deleted, pods first: if the operator lived in this namespace, it went with it and can't come back here")}
}

// absent says who is missing, and in which way.
func (h *held) absent(gone *candidate) (who, why string) {
	const ran, run = "likely ran", "would likely run" // RBAC says who could, and not who did
	switch {
	case gone == nil && h.known != nil:
		who, why = h.known.RemovedBy, h.known.RemovedBy+" is not visible in this cluster"
		if h.nobody != "" {
			why += ", and " + h.nobody
		}
		if h.known.Verified.Doubt() != "" {
			who += " (unverified)"
		}
		return who, why
	case gone == nil:
		return "a controller that is not visible in this cluster", h.nobody
	case gone.burying && gone.namespace == h.object.Ref.Namespace:
		return "its controller", fmt.Sprintf("it %s as %s, and it lived in this very namespace, %s, which is being deleted: pods go first, and none can be created there any more", ran, gone.account, gone.namespace)
	case gone.buried != "":
		return "its controller", fmt.Sprintf("it %s as %s, and %s", ran, gone.account, gone.buried)
	case gone.state == candidateGone:
		return "its controller", fmt.Sprintf("it %s as %s, which no longer exists", ran, gone.account)
	}
	return "its controller", fmt.Sprintf("it %s as %s, and nothing in this cluster does", run, gone.account)
}

func (h *held) missingCertainty() finding.Certainty {
	sure := func(c *candidate) bool { return c.state == candidateGone || c.buried != "" || c.stale }
	unsure := slices.ContainsFunc(h.gone, func(c *candidate) bool { return !sure(c) })
	if _, found := h.unexplained(); found || h.foreign() {
		return finding.Likely
	}
	if h.known != nil && h.known.MayRunOutside != "" || h.everyone != "" || len(h.ordinary) > 0 || len(h.outside) > 0 || h.readers || unsure || len(h.gone) == 0 && h.nobody == "" {
		return finding.Likely
	}
	return finding.Proven
}
