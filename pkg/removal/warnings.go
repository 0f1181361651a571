package removal

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

func (i *item) warn(warning finding.Finding) {
	warning.Object = i.ref()
	i.view.Warnings = union(i.view.Warnings, i.voice.Message(warning))
	warning.Object = finding.Ref{}
	i.warned = union(i.warned, warning.Identity())
}

// doubts warns about entries whose controller is missing as far as is known: nothing in a cluster shows what runs
// outside it (docs/deletion.md#evidence-about-a-controller). This needs no override, so it is said aloud.
func doubts(one *item) {
	for _, hold := range one.entries {
		for _, cause := range one.seen.about(hold).causes {
			missing := cause.Reason == finding.ControllerMissing && one.seen.justifies(cause, hold)
			if missing && cause.Certainty != finding.Proven {
				warning := finding.Finding{Situation: "MissingIsNotProven"}
				if _, misspelt := cause.Details.(finding.MisspeltDetails); misspelt {
					warning = finding.Finding{Situation: "MisspellingIsNotProven"}
				}
				warning.Details = finding.RemovalDetails{Name: hold.Name, Likely: cause.Certainty == finding.Likely}
				one.warn(warning)
			}
		}
	}
}

// refusalWarnings warns of what is known to refuse the write, whatever is overridden.
func refusalWarnings(one *item) {
	for _, hold := range one.entries {
		for _, seen := range one.seen.diagnosis.Observations {
			details, is := seen.Details.(finding.HeldDetails)
			if !is || len(seen.Holds) > 0 && !slices.Contains(seen.Holds, hold) {
				continue
			}
			if warns, is := finding.In(seen.Situation, finding.ForWrites); is {
				one.warn(finding.Finding{Situation: warns, Details: details})
			}
		}
	}
}

func dependentWarnings(one *item) {
	count, unlisted := len(one.seen.dependents), one.seen.unlistedBelow
	orphans := finding.Hold{Type: finding.Finalizer, Name: metav1.FinalizerOrphanDependents}
	details := finding.RemovalDetails{Count: count}
	switch orphaning := slices.Contains(one.entries, orphans); {
	case orphaning && count > 0:
		one.warn(finding.Finding{Situation: "DependentsWillGo", Details: details})
	case orphaning:
		one.warn(finding.Finding{Situation: "OverlookedWillGo"})
	}
	if len(unlisted.Kinds) > 0 {
		details := finding.RemovalDetails{Count: len(unlisted.Kinds), Names: unlisted.Names}
		one.warn(finding.Finding{Situation: "ReferrersUnread", Details: details})
	}
}

func contentWarnings(one *item) {
	if slices.Contains(one.entries, contentHold()) {
		one.view.Leftovers = one.seen.content
		if names := leftovers(one.seen.content); len(names) > 0 {
			one.warn(finding.Finding{Situation: "ContentComesBack", Details: finding.RemovalDetails{Names: names}})
		}
	}
	cleanup := finding.Hold{Type: finding.Finalizer, Name: session.CleanupFinalizer}
	if one.seen.object.Is("apiextensions.k8s.io", "CustomResourceDefinition") && slices.Contains(one.entries, cleanup) {
		details := finding.RemovalDetails{Count: len(one.seen.beyond(cleanup))}
		one.warn(finding.Finding{Situation: "InstancesComeBack", Details: details})
	}
	if slices.Contains(one.view.Remains, finding.Hold{Type: finding.GracePeriod}) {
		details := finding.RemovalDetails{Seconds: one.seen.object.GraceSeconds()}
		one.warn(finding.Finding{Situation: "GraceRemains", Details: details})
	}
}
