package mechanism

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// meantName is the finalizer that a name is probably a misspelling of, as far as anything tells about it.
type meantName struct {
	known plugins.Finalizer // its first name is the right one
	kinds []string          // that the catalogue knows it on, where the object is of another kind
	seen  *Object           // that has it, where the catalogue doesn't know it
}

// misspeltFinalizer explains a finalizer that people set, and whose name is a slip of the finger away from one that the
// catalogue knows on the object's kind, from one of Kubernetes' own, or from one that other objects of the kind have.
// Controllers compare names exactly, so that none removes this one. What a program has set it may remove under the same
// name, right or wrong. What others have is known only where everything was listed anyway (SeeBeside): else that would
// be a list of the kind for each unknown finalizer.
func misspeltFinalizer(_ context.Context, t *Tools, held Held) (Answer, bool) {
	setters := writers.Setters(held.Meta, held.Hold.Name)
	if slices.ContainsFunc(setters, byProgram) {
		return Answer{}, false
	}
	meant, misspelt := meant(t, held)
	if !misspelt && len(setters) > 0 { // a person is known to have set it
		if meant, misspelt = meantElsewhere(t, held); !misspelt {
			meant, misspelt = meantBeside(t.beside, held)
		}
	}
	if !misspelt {
		return Answer{}, false
	}
	name := meant.known.Names[0]
	evidence, setBy := t.Attribution.WhoSet(held.Object, held.Hold)
	details := finding.MisspeltDetails{
		Meant: name, RemovedBy: meant.known.RemovedBy, Kinds: meant.kinds, SetBy: setBy,
	}
	differ := finding.Plural(spelling.Distance(name, held.Hold.Name), "character")
	near := finding.Observed("catalogue", "%s is known, and %s is not; the names differ in %s",
		name, held.Hold.Name, differ)
	if meant.seen != nil {
		details.Seen = &meant.seen.Ref
		near = meant.seen.Ref.Observed("has the finalizer %s, which differs from %s in %s", name, held.Hold.Name, differ)
	}
	return Answer{Causes: []Finding{{
		Reason: finding.ControllerMissing, Situation: "FinalizerMisspelt", Details: details,
		Object: held.Ref, Finalizer: held.Hold.Name, Certainty: finding.Likely,
		Evidence: append([]Evidence{near}, evidence...),
		Remedies: removeMisspelt(t.Session, t.Attribution, held, meant, setBy),
		Key:      finding.KeyOf("FinalizerMisspelt", held.Hold.Name, held.Resource.QualifiedName()),
	}}}, true
}

// removeMisspelt is what to do about a misspelt name: whoever set it would set it again, and what the right one
// protects against must not be so when the wrong one is removed.
func removeMisspelt(
	reads *session.Session, finder *attribution.Finder, held Held, meant meantName, setBy *finding.SetBy,
) []Remedy {
	loss := finding.Loss{Object: held.Ref, Misspelt: true}
	steps := finder.AskThenRemove(held.Object, held.Hold, setBy, loss)
	correct := Remedy{Step: "CorrectSpelling", Details: finding.StepDetails{Name: meant.known.Names[0]}}
	details := finding.StepDetails{Name: meant.known.Names[0], Text: meant.known.WaitsFor, Loss: &loss}
	remove := Remedy{
		Step: "RemoveMisspelt", Command: reads.Kubectl.Remove(held.Object, []string{held.Hold.Name}),
		Details: details, Risk: finding.DataLoss,
	}
	if len(meant.kinds) > 0 { // the right name would not be removed from this object either
		correct.Step = "DropFromManifest"
		correct.Details = finding.StepDetails{Name: meant.known.Names[0], Names: meant.kinds}
		details.Text = ""
		remove.Step, remove.Details = "RemoveMisplaced", details
	}
	return append(steps[:len(steps)-1], correct, remove)
}

func byProgram(setter writers.Setter) bool { return !setter.ByHand }

// meant returns the finalizer of the catalogue on the object's kind that a name is probably a misspelling of.
func meant(t *Tools, held Held) (meant meantName, misspelt bool) {
	for _, name := range namesNear(t, held.Hold.Name) {
		if known, found := t.Plugins.Find(name, held.Resource.GroupKind().String()); found {
			known.Names = []string{name}
			return meantName{known: known}, true
		}
	}
	return meantName{}, false
}

// namesNear are the names of the catalogue, on whatever kind, that a name may be a misspelling of.
func namesNear(t *Tools, typed string) []string {
	near, _ := t.spelt.Get(typed, func() (near []string, _ error) {
		for _, name := range t.Plugins.Names() {
			if !strings.Contains(name, "*") && spelling.IsMisspelt(typed, name) {
				near = append(near, name)
			}
		}
		return near, nil
	})
	return near
}

// meantElsewhere is the same for finalizers of Kubernetes' own, which people copy to kinds that they are not for.
func meantElsewhere(t *Tools, held Held) (meant meantName, misspelt bool) {
	for _, name := range namesNear(t, held.Hold.Name) {
		if !spelling.IsSlip(held.Hold.Name, name) {
			continue
		}
		for _, known := range t.Plugins.Named(name) {
			if known.RemovedBy != session.ControllerManager {
				continue
			}
			known.Names, known.Loses = []string{name}, ""
			kinds := finding.Each(known.Kinds, func(kind string) string {
				kind, _, _ = strings.Cut(kind, ".")
				return kind
			})
			return meantName{known: known, kinds: kinds}, true
		}
	}
	return meantName{}, false
}
