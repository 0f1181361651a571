package attribution

import (
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// WhoSet returns what managedFields tell of a finalizer, as evidence and as a sentence.
func (w *World) WhoSet(object *facts.Object, hold graph.Hold) (evidence []graph.Evidence, sentence string) {
	if hold.Type != graph.Finalizer {
		return nil, ""
	}
	_, known := w.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
	return w.setBy(object, controller.Setters(object.Meta, hold.Name), known)
}

func (h *held) whoSet() (evidence []graph.Evidence, sentence string) {
	if h.made == nil {
		return h.setBy(h.object, h.setters, h.known != nil)
	}
	evidence, _ = h.WhoSet(h.object, h.hold)
	evidence = append(evidence, refusal.ObservedOf(h.made.of, h.made.path+" has the entry, which is copied into each object that is made of it"))
	return evidence, fmt.Sprintf(" It comes from a template: %s has it in %s, and so has every %s that is made of that.", h.made.of.Ref, h.made.path, h.object.Ref.Kind)
}

func (w *World) setBy(object *facts.Object, setters []controller.Setter, known bool) (evidence []graph.Evidence, sentence string) {
	for _, setter := range setters {
		observed := fmt.Sprintf("%s wrote the entry, %s ago or earlier", setter.Manager, w.Ago(setter.At))
		if setter.ByHand {
			observed += "; that is how people and pipelines write manifests, not how a controller does"
		}
		if setter.Copied() && !known {
			observed += "; it writes such entries only where it makes an object from a template that has them"
		}
		one := graph.Evidence{Source: "managedFields", Observed: observed, Object: &object.Ref}
		if at := setter.At; !at.IsZero() {
			one.At = &at
		}
		evidence = append(evidence, one)
	}
	if len(setters) == 0 {
		observed := "no field manager holds the entry"
		if w.Reader.Source() == cluster.FromManifests && len(object.Meta.ManagedFields) == 0 {
			observed = "not in the files; kubectl get shows them with --show-managed-fields"
		}
		return []graph.Evidence{{Source: "managedFields", Observed: observed, Object: &object.Ref}}, ""
	}
	if newest := setters[0]; newest.ByHand {
		return evidence, fmt.Sprintf(" It was set by hand or by a pipeline (%s, %s ago or earlier).", newest.Manager, w.Ago(newest.At))
	}
	does := "set it"
	if setters[0].Copied() && !known {
		does = "copied it from a template"
	}
	return evidence, fmt.Sprintf(" %s %s, %s ago or earlier.", setters[0].Manager, does, w.Ago(setters[0].At))
}

// AskThenRemove is what to do about a finalizer that nobody answers for, safest first; the last is force.
func (w *World) AskThenRemove(object *facts.Object, hold graph.Hold) []graph.Remedy {
	remedies := []graph.Remedy{{
		Action: "Find out who set the entry and ask them, or bring their controller back.",
		// Managers alone: all metadata of a Secret may hold its data, in the last-applied annotation.
		Command: w.Kubectl.Command(object, "get", "-o", "jsonpath={.metadata.managedFields[*].manager}"),
		Risk:    graph.NoRisk,
	}}
	last := graph.Remedy{
		Action: "Last resort, once you know what the entry is for and have done it by hand: remove this one entry. " + facts.AsksBefore,
		Risk:   graph.DataLoss,
		Loses:  losesUnidentified(object),
	}
	last.Command = w.Kubectl.Remove(object, []string{hold.Name})
	return append(remedies, last)
}
