package attribution

import (
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// WhoSet returns what managedFields tell of a finalizer, as evidence and as data; none where they tell nothing.
func (f *Finder) WhoSet(object *session.Object, hold finding.Hold) ([]finding.Evidence, *finding.SetBy) {
	if hold.Type != finding.Finalizer {
		return nil, nil
	}
	_, known := f.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
	setters := controller.Setters(object.Meta, hold.Name)
	return f.setterEvidence(object, setters, known), setBy(setters, known)
}

// setBy is who put the finalizer there, as far as managedFields or a template tell.
func (h *held) setBy() *finding.SetBy {
	if h.template != nil {
		return &finding.SetBy{Template: &h.template.of.Ref, Path: h.template.path}
	}
	return setBy(h.setters, h.known != nil)
}

func setBy(setters []controller.Setter, known bool) *finding.SetBy {
	if len(setters) == 0 {
		return nil
	}
	newest := setters[0]
	return &finding.SetBy{
		Manager: newest.Manager, At: newest.At, ByHand: newest.ByHand, Copied: newest.Copied() && !known,
	}
}

// setterEvidence is where setBy is read.
func (h *held) setterEvidence() []finding.Evidence {
	if h.template == nil {
		return h.finder.setterEvidence(h.object, h.setters, h.known != nil)
	}
	evidence, _ := h.finder.WhoSet(h.object, h.hold)
	return append(evidence, session.ObservedOf(h.template.of,
		h.template.path+" has the entry, which is copied into each object that is made of it"))
}

func (f *Finder) setterEvidence(object *session.Object, setters []controller.Setter, known bool) []finding.Evidence {
	var evidence []finding.Evidence
	for _, setter := range setters {
		observed := fmt.Sprintf("%s wrote the entry, %s ago or earlier", setter.Manager, f.Session.Ago(setter.At))
		if setter.ByHand {
			observed += "; that is how people and pipelines write manifests, not how a controller does"
		}
		if setter.Copied() && !known {
			observed += "; it writes such entries only where it makes an object from a template that has them"
		}
		one := finding.Evidence{Source: "managedFields", Observed: observed, Object: &object.Ref}
		if at := setter.At; !at.IsZero() {
			one.At = &at
		}
		evidence = append(evidence, one)
	}
	if len(setters) == 0 {
		observed := "no field manager holds the entry"
		if f.Session.Reader.Source() == cluster.FromManifests && len(object.Meta.ManagedFields) == 0 {
			observed = "not in the files; kubectl get shows them with --show-managed-fields"
		}
		return []finding.Evidence{{Source: "managedFields", Observed: observed, Object: &object.Ref}}
	}
	return evidence
}
