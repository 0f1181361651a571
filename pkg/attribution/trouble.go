package attribution

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// down is the answer for a controller of which no pod is ready.
func (h *held) down(c *candidate) session.Answer {
	if c.starting {
		return session.Progress(finding.Finding{
			Message:  fmt.Sprintf("%s, which is likely the one to remove %s (%s), may just be starting: it %s.", c.workload.Ref, h.hold.Name, h.linked(c), c.words),
			Awaited:  fmt.Sprintf("%s to start, and to remove %s", c.workload.Ref, h.hold.Name),
			Evidence: c.evidence,
		})
	}
	certainty := finding.Likely
	if c.stale && c.access != nil && c.access.Write && !h.foreign() {
		certainty = finding.Proven
	}
	evidence, _ := h.whoSet()
	evidence = append(append(evidence, h.evidence...), c.evidence...)
	remedies := slices.Clone(c.remedies)
	if len(remedies) == 0 {
		remedies = h.logs(c)
	}
	if c.account.Name != "" && c.access != nil && !c.allowed && !c.writes(h.ofKind) {
		give := h.allow(c, h.object.Resource.QualifiedName())[1]
		give.Action = "It may not update the object either, so that this alone won't do. " + strings.Replace(give.Action, " It then finishes by itself.", "", 1)
		remedies = append(remedies, give)
	}
	should, awaited := "which is likely the one to remove", fmt.Sprintf("%s, likely the one to remove %s; it %s", c.workload.Ref, h.hold.Name, c.words)
	if certainty == finding.Proven {
		should, awaited = "which should remove", fmt.Sprintf("%s to remove %s; it %s", c.workload.Ref, h.hold.Name, c.words)
	}
	down := session.Cause(finding.Finding{
		Reason: finding.ControllerDown, Object: c.workload.Ref, Finalizer: h.hold.Name, Certainty: certainty,
		Message:  fmt.Sprintf("%s, %s %s (%s), %s.", c.workload.Ref, should, h.hold.Name, h.linked(c), c.words),
		Awaited:  awaited,
		Evidence: evidence, Remedies: session.Overriding(append(remedies, h.lastResort()), finding.ControllerDown),
	})
	return session.Answer{Waits: []session.Wait{{Blocker: c.workload, ForAnswer: true, Otherwise: down}}}
}

// linked says in a few words why somebody is taken for the controller.
func (h *held) linked(c *candidate) string {
	resource := h.object.Resource.QualifiedName()
	switch {
	case c.kin != "" || h.foreign() && h.known == nil:
		return h.pointers(c)
	case c.allowed:
		return fmt.Sprintf("it runs as %s, which another authorizer than RBAC lets update %s", c.account, resource)
	case c.access != nil && c.access.Write:
		return fmt.Sprintf("it runs as %s, which RBAC lets update %s", c.account, resource)
	case c.access != nil:
		return fmt.Sprintf("it runs as %s, which %s", c.account, c.may(resource))
	}
	return "it " + strings.Join(c.hints, ", and ")
}

// pointers says what leads to a candidate, of an object that many may write.
func (h *held) pointers(c *candidate) string {
	words := slices.Clone(c.hints)
	if c.kin != "" {
		words = append([]string{c.kin}, words...)
	}
	if len(words) == 0 {
		return fmt.Sprintf("it runs as %s", c.account)
	}
	return "it " + strings.Join(words, ", and ")
}

// suspected says in a few words why somebody who may not remove the finalizer is taken for the one to do so.
func (h *held) suspected(c *candidate) string {
	if c.kin != "" {
		return h.pointers(c)
	}
	words := slices.Clone(c.hints)
	if c.access != nil {
		words = append([]string{c.may(h.object.Resource.QualifiedName())}, words...)
	}
	return "it " + strings.Join(words, ", ")
}

// forbidden is the answer for a controller that runs and may not remove the finalizer.
func (h *held) forbidden(c *candidate) session.Answer {
	ref, resource := h.object.Ref, h.object.Resource.QualifiedName()
	evidence, _ := h.whoSet()
	evidence = append(append(evidence, h.evidence...), c.evidence...)
	who := c.String()
	if c.account.Name != "" {
		who = c.account.String()
	}
	awaited := fmt.Sprintf("%s, likely the one to remove the finalizer %s from %%s, to be allowed to: %s %s", who, h.hold.Name, c.refusal(), resource)
	remedies := []finding.Remedy{}
	switch {
	case c.denied:
		remedies = append(remedies, h.allow(c, resource)[0], finding.Remedy{Action: "Ask who runs this cluster's API server: its authorization webhook or configuration denies what RBAC grants.", Risk: finding.NoRisk})
	case c.account.Name != "":
		remedies = append(remedies, h.allow(c, resource)...)
	}
	return session.Cause(finding.Finding{
		Reason: finding.ControllerForbidden, Object: ref, Finalizer: h.hold.Name, Certainty: finding.Likely,
		Message: fmt.Sprintf("%s is held by the finalizer %s. %s runs and is likely the one to remove it (%s), and %s %s%s.",
			ref, h.hold.Name, who, h.suspected(c), c.refusal(), resource, within(ref)),
		Awaited: fmt.Sprintf(awaited, ref), Evidence: evidence, Remedies: session.Overriding(append(remedies, h.lastResort()), finding.ControllerForbidden),
		Alike: h.alike("forbidden controller", c), Several: h.several(awaited),
	})
}

func within(ref finding.Ref) string {
	if ref.Namespace == "" {
		return ""
	}
	return " in " + ref.Namespace
}

// failing is the cause of an object of which its controller says that something is wrong.
func (h *held) failing(c *candidate, words string, said finding.Evidence) finding.Finding {
	ref := h.object.Ref
	evidence, _ := h.whoSet()
	evidence = append(append([]finding.Evidence{said}, evidence...), h.evidence...)
	who, awaited := "its controller", "its controller to remove the finalizer "+h.hold.Name
	remedies := []finding.Remedy{{
		Action: "Mend what is reported. The controller tries again by itself.", Command: h.finder.Session.Kubectl.Command(h.object, "describe"), Risk: finding.NoRisk,
	}}
	if c != nil {
		who = c.String()
		awaited = who + ", likely the one to remove the finalizer " + h.hold.Name
		evidence = append(evidence, c.evidence...)
		remedies = append(remedies, h.logs(c)...)
	}
	remedies = append(remedies, h.wayOut()...)
	return finding.Finding{
		Reason: finding.ControllerFailing, Object: ref, Finalizer: h.hold.Name, Certainty: finding.Likely,
		Message:  fmt.Sprintf("%s is held by the finalizer %s; %s runs, and reports of it: %s.", ref, h.hold.Name, who, health.Quoted(words)),
		Awaited:  fmt.Sprintf("%s from %s, of which it reports: %s", awaited, ref, health.Quoted(words)),
		Evidence: evidence, Remedies: session.Overriding(append(remedies, h.lastResort()), finding.ControllerFailing),
	}
}
