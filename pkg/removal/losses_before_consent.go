package removal

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// loses says what is lost with one entry: what is known about the finalizer, what the object's own fields name, and
// what the diagnosis says about the ways to remove it. It is never empty.
func loses(
	ctx context.Context, plugins *plugins.Set, around *mechanism.Tools, seen *look, hold finding.Hold,
) (told losses) {
	if hold == contentHold() {
		content := finding.Phrase{Situation: "ContentIsLost", Details: finding.StepDetails{Object: &seen.object.Ref}}
		told.add(content.Situation, content.Situation, finding.Voice{}.Phrase(content))
		return told
	}
	_, known := plugins.Find(hold.Name, seen.object.Resource.GroupKind().String())
	if known && hold.Type == finding.Finalizer { // an entry of spec.finalizers is another thing, whatever its name
		told.of(around.Attribution.LosesOf(ctx, seen.object, hold))
		return told // the diagnosis says the same in other words
	}
	unidentified := false
	for _, cause := range seen.about(hold).causes {
		own := seen.names(cause, hold)
		if cause.Reason == finding.ControllerUnknown { // which says that it doesn't know
			unidentified = unidentified || own
			continue
		}
		for _, remedy := range cause.Remedies {
			if own && forces(remedy, seen.object, hold) {
				told.add(remedy.LossKey(), lossKind(remedy), remedy.Loses)
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

// forces reports whether a remedy is the removal of this finalizer from this object, or from another one of its kind,
// which the cause shows instead. What goes with the object is told beside.
func forces(remedy finding.Remedy, object *session.Object, hold finding.Hold) bool {
	kind := object.Resource.QualifiedName() + "/"
	of := func(argument string) bool { return strings.HasPrefix(argument, kind) }
	return remedy.Forces() && slices.ContainsFunc(remedy.Command, of) &&
		slices.Contains(remedy.Command.Values("--finalizer"), hold.Name)
}

// losses are what is lost, each once: kinds are the same where the same is lost of other objects.
type losses struct{ keys, kinds, texts []string }

func (l *losses) of(one finding.Loss) { l.add(one.Key(), ofAny(one), finding.Voice{}.Loss(one)) }

func (l *losses) add(key, kind, text string) {
	if text != "" && !slices.Contains(l.keys, key) {
		l.keys, l.kinds = append(l.keys, key), append(l.kinds, kind)
		l.texts = append(l.texts, text)
	}
}

// ofAny is the same for losses that differ in nothing but the object.
func ofAny(one finding.Loss) string {
	one.Object = finding.Ref{}
	return one.Key()
}

func lossKind(remedy finding.Remedy) string {
	if details, is := remedy.Details.(finding.StepDetails); is && details.Loss != nil && len(remedy.Taken) == 0 {
		return ofAny(*details.Loss)
	}
	return remedy.LossKey()
}

// lookBelow finds out who depends on an object that is to be released, and what goes after it once nothing holds it,
// whatever else still does: who that is may have waited for nothing but this. What takes data along is followed up to
// its owners, too, as why does: an owner between may be of a kind that can't be listed.
func lookBelow(ctx context.Context, around *mechanism.Tools, one *item) (err error) {
	seen := one.seen
	if seen.dependents, seen.unlistedBelow, err = around.Session.Owners.Referrers(ctx, seen.object); err != nil {
		return err
	}
	line := around.Session.Owners.Lineage(ctx, around.Losses.Sought(ctx, seen.object), seen.object.Ref.Namespace)
	seen.below = around.Losses.Dependents(ctx, seen.object, func(owner *session.Object) []*session.Object {
		dependents, _, _ := around.Session.Owners.Referrers(ctx, owner) // which was read for this object before
		return append(slices.Clone(dependents), line.Below(owner)...)
	}, one.entries...)
	seen.below = append(seen.below, loss.Unlisted(seen.object, line.Unread, one.entries...)...)
	if line.Cut {
		seen.below = append(seen.below, loss.Uncounted(seen.object)...)
	}
	return nil
}

// addLosses says what goes with an object. Kinds that could not be listed, and take no data along, are warned of by
// dependentWarnings.
func addLosses(one *item) {
	taken := one.seen.goes()
	one.view.Takes, one.view.Risk = finding.TellTaken(finding.Voice{}, taken), finding.WorstOf(taken)
	for _, dependent := range one.seen.dependents {
		one.view.Dependents = append(one.view.Dependents, dependent.Ref)
	}
	doubts(one)
	refusalWarnings(one)
	dependentWarnings(one)
	contentWarnings(one)
}
