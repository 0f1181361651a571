package removal

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// alike is the same for objects about which a plan says the same, but for their names: of one kind, with the same
// finalizers to remove for the same causes, against the same objections, with the same losses, warnings and requests.
func (i *item) alike() string {
	parts := []any{
		i.ref().APIVersion, i.ref().Kind, i.view.Verdict, i.view.Remains, i.warned, len(i.view.Dependents) > 0,
	}
	for _, entry := range i.view.Entries {
		parts = append(parts, entry.Hold, entry.Times, entry.LossKinds)
		reasons := map[string]bool{}
		for _, cause := range i.seen.about(entry.Hold).causes {
			parts = append(parts, cause.Reason, cause.Certainty, cause.Key)
			reasons[string(cause.Reason)] = true
		}
		for _, objection := range entry.Objected {
			parts = append(parts, objection.Code, objection.Overridden)
			if !reasons[objection.Code] { // else the cause says it
				is := finding.Finding{Situation: objection.Situation, Details: objection.Details}
				parts = append(parts, is.Identity())
			}
		}
	}
	for _, take := range i.view.Takes {
		parts = append(parts, take.Situation, take.Risk, take.Details.Policy, take.Details.May, take.Details.Unread != nil)
	}
	for _, planned := range i.steps {
		parts = append(parts, planned.form, planned.view.DryRun)
		if refused := tried(planned); refused != nil {
			parts = append(parts, refused.Situation)
		}
	}
	return finding.KeyOf(parts...)
}
