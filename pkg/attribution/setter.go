package attribution

import (
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// WhoSet returns what managedFields tell of a finalizer, as evidence and as a sentence.
func (f *Finder) WhoSet(object *session.Object, hold finding.Hold) (evidence []finding.Evidence, sentence string) {
	if hold.Type != finding.Finalizer {
		return nil, ""
	}
	_, known := f.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
	return f.setBy(object, controller.Setters(object.Meta, hold.Name), known)
}

func (h *held) whoSet() (evidence []finding.Evidence, sentence string) {
	if h.made == nil {
		return h.finder.setBy(h.object, h.setters, h.known != nil)
	}
	evidence, _ = h.finder.WhoSet(h.object, h.hold)
	evidence = append(evidence, session.ObservedOf(h.made.of, h.made.path+" has the entry, which is copied into each object that is made of it"))
	return evidence, fmt.Sprintf(" It comes from a template: %s has it in %s, and so has every %s that is made of that.", h.made.of.Ref, h.made.path, h.object.Ref.Kind)
}

func (f *Finder) setBy(object *session.Object, setters []controller.Setter, known bool) (evidence []finding.Evidence, sentence string) {
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
		return []finding.Evidence{{Source: "managedFields", Observed: observed, Object: &object.Ref}}, ""
	}
	if newest := setters[0]; newest.ByHand {
		return evidence, fmt.Sprintf(" It was set by hand or by a pipeline (%s, %s ago or earlier).", newest.Manager, f.Session.Ago(newest.At))
	}
	does := "set it"
	if setters[0].Copied() && !known {
		does = "copied it from a template"
	}
	return evidence, fmt.Sprintf(" %s %s, %s ago or earlier.", setters[0].Manager, does, f.Session.Ago(setters[0].At))
}

// AskThenRemove is what to do about a finalizer that nobody answers for, safest first; the last is force.
func (f *Finder) AskThenRemove(object *session.Object, hold finding.Hold) []finding.Remedy {
	remedies := []finding.Remedy{{
		Action: "Find out who set the entry and ask them, or bring their controller back.",
		// Managers alone: all metadata of a Secret may hold its data, in the last-applied annotation.
		Command: f.Session.Kubectl.Command(object, "get", "-o", "jsonpath={.metadata.managedFields[*].manager}"),
		Risk:    finding.NoRisk,
	}}
	last := finding.Remedy{
		Action: "Last resort, once you know what the entry is for and have done it by hand: remove this one entry. " + session.AsksBefore,
		Risk:   finding.DataLoss,
		Loses:  losesUnidentified(object),
	}
	last.Command = f.Session.Kubectl.Remove(object, []string{hold.Name})
	return append(remedies, last)
}
