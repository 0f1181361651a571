package uninstall

import (
	"maps"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// releaseGuests removes the operator's finalizers from objects of others that stay: nothing else would.
func (p *planner) releaseGuests() {
	released := map[string][]string{} // by uid, the finalizers that an object has lost before
	for _, key := range slices.Sorted(maps.Keys(p.found.guests)) {
		of := p.found.guests[key]
		var held []*session.Object
		for _, object := range of.objects {
			if !p.gone[object.Ref.UID] {
				held = append(held, withoutFinalizers(object, released[object.Ref.UID]))
				released[object.Ref.UID] = append(released[object.Ref.UID], of.finalizer)
			}
		}
		if len(held) == 0 {
			continue
		}
		refs := finding.Each(held, func(object *session.Object) finding.Ref { return object.Ref })
		deed := p.voice.Remedies([]finding.Remedy{{
			Step: "UninstallRelease", Risk: finding.Orphans,
			Details: finding.UninstallDetails{Objects: refs, Finalizer: of.finalizer, Lost: of.loses},
		}})[0]
		p.plan.Steps = append(p.plan.Steps, result.UninstallStep{
			Phase: result.PhaseRelease, Action: deed.Action, Objects: refs, Risk: deed.Risk, Loses: deed.Loses,
			Commands: p.write.releases(held, of.finalizer), Paths: session.Paths(held), Finalizer: of.finalizer,
		})
	}
}

// withoutFinalizers is an object as it is when it has lost some finalizers: a patch that removes another one names its
// place in the list.
func withoutFinalizers(object *session.Object, lost []string) *session.Object {
	if len(lost) == 0 {
		return object
	}
	left, meta := *object, *object.Meta
	meta.Finalizers = slices.DeleteFunc(slices.Clone(meta.Finalizers), func(name string) bool {
		return slices.Contains(lost, name)
	})
	left.Meta = &meta
	return &left
}
