package mechanism

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// misspeltFinalizer explains a finalizer that people set, and whose name is a slip of the finger away from one that the
// catalogue knows on the object's kind. Controllers compare names exactly, so that none removes this one. What a
// program has set it may remove under the same name, right or wrong.
func misspeltFinalizer(_ context.Context, t *Tools, held Held) (Answer, bool) {
	program := func(setter controller.Setter) bool { return !setter.ByHand }
	if slices.ContainsFunc(controller.Setters(held.Meta, held.Hold.Name), program) {
		return Answer{}, false
	}
	known, misspelt := t.meant(held)
	if !misspelt {
		return Answer{}, false
	}
	evidence, setBy := t.Attribution.WhoSet(held.Object, held.Hold)
	details := finding.MisspeltDetails{Meant: known.Names[0], RemovedBy: known.RemovedBy, SetBy: setBy}
	return Answer{Causes: []Finding{{
		Reason: finding.ControllerMissing, Situation: "FinalizerMisspelt", Details: details,
		Object: held.Ref, Finalizer: held.Hold.Name, Certainty: finding.Likely,
		Evidence: append([]Evidence{finding.Observed("catalogue", "%s is known, and %s is not; they differ in %s",
			details.Meant, held.Hold.Name, finding.Plural(spelling.Distance(details.Meant, held.Hold.Name), "letter"))},
			evidence...),
		Remedies: t.Attribution.AskThenRemove(held.Object, held.Hold, setBy,
			t.Attribution.Loses(held.Object, held.Hold, known)),
		Key: finding.KeyOf("FinalizerMisspelt", held.Hold.Name, held.Resource.QualifiedName()),
	}}}, true
}

// meant returns the finalizer of the catalogue that a name on an object is probably a misspelling of. Its first name is
// the right one.
func (t *Tools) meant(held Held) (known plugins.Finalizer, misspelt bool) {
	kind := held.Resource.GroupKind().String()
	near, _ := t.spelt.Get(held.Hold.Name, func() (near []string, _ error) {
		for _, name := range t.Plugins.Names() {
			if !strings.Contains(name, "*") && spelling.IsMisspelt(held.Hold.Name, name) {
				near = append(near, name)
			}
		}
		return near, nil
	})
	for _, name := range near {
		if known, found := t.Plugins.Find(name, kind); found {
			known.Names = []string{name}
			return known, true
		}
	}
	return plugins.Finalizer{}, false
}
