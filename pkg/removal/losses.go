package removal

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// loses says what is lost with one entry: what is known of the finalizer, what the object's own fields
// name, and what the diagnosis tells of the ways to be rid of it. It is never empty.
func (r *Remover) loses(ctx context.Context, around *mechanism.Tools, seen *look, hold finding.Hold) (told losses) {
	if hold == contentHold() {
		content := finding.Phrase{Situation: "ContentIsLost", Details: finding.StepDetails{Object: &seen.object.Ref}}
		told.add(content.Situation, finding.Voice{}.Phrase(content))
		return told
	}
	if _, known := r.Plugins.Find(hold.Name, seen.object.Resource.GroupKind().String()); known {
		told.of(around.Attribution.LosesOf(ctx, seen.object, hold))
	}
	unidentified := false
	for _, cause := range seen.about(hold).causes {
		own := names(cause, hold)
		if cause.Reason == finding.ControllerUnknown { // which says that it doesn't know
			unidentified = unidentified || own
			continue
		}
		for _, remedy := range cause.Remedies {
			if remedy.Forces() && own {
				told.add(remedy.LossKey(), remedy.Loses)
			}
		}
	}
	if len(told.texts) == 0 && unidentified {
		told.of(around.Attribution.LosesUnidentified(ctx, seen.object))
	}
	if len(told.texts) == 0 {
		told.of(around.Attribution.LosesOf(ctx, seen.object, hold))
	}
	return told
}

type losses struct{ keys, texts []string }

func (l *losses) of(one finding.Loss) { l.add(one.Key(), finding.Voice{}.Loss(one)) }

func (l *losses) add(key, text string) {
	if text != "" && !slices.Contains(l.keys, key) {
		l.keys, l.texts = append(l.keys, key), append(l.texts, report.EscapeText(text))
	}
}

// released offers the supported way to be rid of the garbage collector's own entries: a second DELETE.
func (r *Remover) released(object *session.Object, entries []finding.Hold) []finding.Remedy {
	remedies := []finding.Remedy{}
	for _, hold := range entries {
		if !collectorHold(hold) {
			continue
		}
		remedy := finding.Remedy{
			Step: "DeleteAgain", Details: finding.StepDetails{Object: &object.Ref, Name: hold.Name},
			Command: r.kubectl().Command(object, "delete", "--cascade=background", "--wait=false"), Risk: finding.Disruption,
		}
		if hold.Name == metav1.FinalizerOrphanDependents {
			remedy.Step, remedy.Risk = "DeleteAgainDespiteOrphans", finding.DataLoss
		}
		remedies = append(remedies, remedy)
	}
	return finding.Voice{}.Remedies(remedies)
}

// better returns what should be tried before force: the supported way, and what the diagnosis offers beside
// it, safest first. Where the supported way loses what the diagnosis may save, it comes last.
func (r *Remover) better(seen *look, entries []finding.Hold) []finding.Remedy {
	released, others := r.released(seen.object, entries), offered(seen)
	if first, needed := loss.Retain(r.kubectl(), seen.taken); needed {
		kept := func(remedy finding.Remedy) bool { return slices.Equal(remedy.Command, first.Command) }
		others = append(finding.Voice{}.Remedies([]finding.Remedy{first}), slices.DeleteFunc(others, kept)...)
	}
	if slices.ContainsFunc(released, func(remedy finding.Remedy) bool { return remedy.Risk == finding.DataLoss }) {
		return append(others, released...)
	}
	if len(loss.Volumes(seen.taken)) > 0 {
		return slices.Concat(others[:1], released, others[1:])
	}
	return append(released, others...)
}

func offered(seen *look) []finding.Remedy {
	remedies := []finding.Remedy{}
	for _, risk := range []finding.Risk{finding.NoRisk, finding.Disruption, finding.Orphans, finding.DataLoss} {
		for _, hold := range seen.object.Holds() {
			for _, cause := range seen.about(hold).causes {
				for _, remedy := range cause.Remedies {
					if remedy.Risk == risk && !remedy.Forces() && !slices.ContainsFunc(remedies, remedy.Equal) {
						remedies = append(remedies, remedy)
					}
				}
			}
		}
	}
	return remedies
}

func (r *Remover) addLosses(ctx context.Context, around *mechanism.Tools, one *item) error {
	object := one.seen.object
	dependents, unread, err := around.Session.Referrers(ctx, object)
	if err != nil {
		return err
	}
	r.addTaken(ctx, around, one)
	for _, dependent := range dependents {
		one.view.Dependents = append(one.view.Dependents, dependent.Ref)
	}
	doubts(one)
	dependentWarnings(one, len(dependents), unread)
	contentWarnings(one)
	return nil
}

func (i *item) warn(warning finding.Finding) {
	warning.Object = i.ref()
	i.view.Warnings = union(i.view.Warnings, finding.Voice{}.Message(warning))
}

// doubts warns of entries whose controller is missing as far as can be told: nothing in a cluster shows what runs
// outside it (deletion-mechanics D-11). Nobody needs an override for that, so it is said aloud.
func doubts(one *item) {
	for _, hold := range one.entries {
		for _, cause := range one.seen.about(hold).causes {
			missing := cause.Reason == finding.ControllerMissing && one.seen.justifies(cause, hold)
			if missing && cause.Certainty != finding.Proven {
				one.warn(finding.Finding{Situation: "MissingIsNotProven", Details: finding.RemovalDetails{
					Name: hold.Name, Likely: cause.Certainty == finding.Likely,
				}})
			}
		}
	}
}

func dependentWarnings(one *item, count int, unread []cluster.Unlisted) {
	orphans := finding.Hold{Type: finding.Finalizer, Name: metav1.FinalizerOrphanDependents}
	details := finding.RemovalDetails{Count: count}
	switch orphaning := slices.Contains(one.entries, orphans); {
	case orphaning && count > 0:
		one.warn(finding.Finding{Situation: "DependentsWillGo", Details: details})
	case orphaning:
		one.warn(finding.Finding{Situation: "OverlookedWillGo"})
	}
	if len(unread) > 0 {
		details := finding.RemovalDetails{Count: len(unread), Names: session.NamesOf(unread)}
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
