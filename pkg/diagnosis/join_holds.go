package diagnosis

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// joinHolds adds to a cause the finalizer of another one about the same thing, the objects that it holds by another
// one, and the steps about these. It remembers the objects in known, which is nil the first time: there may be
// thousands. elsewhere says that the other one was found at another object. A removal by force that takes other care
// than one that is there isn't added: a person who has to know two things before two removals asks about each object.
func joinHolds(
	cause, other finding.Finding, known map[finding.Ref]bool, elsewhere bool,
) (finding.Finding, map[finding.Ref]bool) {
	details, is := cause.Details.(finding.ControllerDetails)
	more, same := other.Details.(finding.ControllerDetails)
	if is && same {
		if elsewhere = false; known == nil {
			known, details.Held = map[finding.Ref]bool{}, slices.Clone(details.Held) // others have the first ones, too
			for _, held := range details.Held {
				known[held] = true
			}
		}
		for _, held := range more.Held {
			if !known[held] {
				known[held], elsewhere = true, true
				details.Held = append(details.Held, held)
			}
		}
		cause.Details = details
	}
	for _, remedy := range other.Remedies {
		otherCare := func(step finding.Remedy) bool { return step.Forces() && step.Step != remedy.Step }
		needed := remedy.Forces() && !slices.ContainsFunc(cause.Remedies, otherCare)
		cause.Remedies = finding.JoinSteps(cause.Remedies, remedy, elsewhere, needed)
	}
	if other.Finalizer != "" && other.Finalizer != cause.Finalizer && !slices.Contains(cause.Also, other.Finalizer) {
		cause.Also = append(slices.Clip(cause.Also), other.Finalizer)
	}
	return cause, known
}
