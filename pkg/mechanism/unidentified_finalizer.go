package mechanism

import (
	"context"
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// unidentifiedFinalizer is the answer for a hold that no other mechanism explains: a finalizer whose
// owner nothing readable names (deletion-mechanics M01). The API server asks only whether the list
// is empty. On a kind that something brought into the cluster, that is found out from the cluster
// itself; on others, which many may write, all there is to tell is who wrote the entry.
func unidentifiedFinalizer(ctx context.Context, w *World, object *Object, hold graph.Hold) (Answer, bool) {
	if hold.Type != graph.Finalizer || !custom(object.Resource.Group) {
		return w.unidentified(object, hold), true
	}
	refused := w.refused(ctx, removalOf(object, hold))
	answer := w.unidentified(object, hold)
	if !refused.found() {
		answer = w.attribute(ctx, object, hold, refused.unsure)
	}
	answer.refused = &refused
	return answer, true
}

// unidentified answers for a hold of which nothing tells whose it is.
func (w *World) unidentified(object *Object, hold graph.Hold) Answer {
	evidence, setBy := w.whoSet(object, hold)
	subject := "the finalizer " + hold.Name
	if hold.Type == graph.SpecFinalizer {
		subject = "the entry " + hold.Name + " of spec.finalizers"
	}
	return cause(graph.Cause{
		Reason: graph.ControllerUnknown, Object: object.Ref, Finalizer: hold.Name, Certainty: graph.Unknown,
		Message:  fmt.Sprintf("%s is held by %s, and nothing readable tells whose it is.%s", object.Ref, subject, setBy),
		Awaited:  fmt.Sprintf("somebody unidentified to remove %s from %s", subject, object.Ref),
		Evidence: evidence,
		Remedies: w.askThenRemove(object, hold),
		Alike:    fmt.Sprintf("unidentified %s %s on %s", hold.Type, hold.Name, object.Resource.QualifiedName()),
		Several: func(count int) string {
			return fmt.Sprintf("somebody unidentified to remove %s from %d objects of kind %s", subject, count, object.Ref.Kind)
		},
	})
}

// whoSet returns what managedFields tell of a finalizer, as evidence and as a sentence.
func (w *World) whoSet(object *Object, hold graph.Hold) (evidence []graph.Evidence, sentence string) {
	if hold.Type != graph.Finalizer {
		return nil, ""
	}
	setters := controller.Setters(object.Meta, hold.Name)
	for _, setter := range setters {
		observed := fmt.Sprintf("%s wrote the entry, %s ago or earlier", setter.Manager, w.ago(setter.At))
		if setter.ByHand {
			observed += "; that is how people and pipelines write manifests, not how a controller does"
		}
		one := graph.Evidence{Source: "managedFields", Observed: observed, Object: &object.Ref}
		if at := setter.At; !at.IsZero() {
			one.At = &at
		}
		evidence = append(evidence, one)
	}
	if len(setters) == 0 {
		observed := "no field manager holds the entry"
		if cluster.Partial(w.Reader) && len(object.Meta.ManagedFields) == 0 {
			observed = "not in the files; kubectl get shows them with --show-managed-fields"
		}
		return []graph.Evidence{{Source: "managedFields", Observed: observed, Object: &object.Ref}}, ""
	}
	if newest := setters[0]; newest.ByHand {
		return evidence, fmt.Sprintf(" It was set by hand or by a pipeline (%s, %s ago or earlier).", newest.Manager, w.ago(newest.At))
	}
	return evidence, fmt.Sprintf(" %s set it, %s ago or earlier.", setters[0].Manager, w.ago(setters[0].At))
}

func (w *World) askThenRemove(object *Object, hold graph.Hold) []graph.Remedy {
	remedies := []graph.Remedy{{
		Action: "Find out who set the entry and ask them, or bring their controller back.",
		// Managers alone: all metadata of a Secret may hold its data, in the last-applied annotation.
		Command: w.Kubectl.Command(object, "get", "-o", "jsonpath={.metadata.managedFields[*].manager}"),
		Risk:    graph.NoRisk,
	}}
	last := graph.Remedy{
		Action: "Last resort, once you know what the entry is for and have done it by hand: remove this one entry. The command shows what that means and asks before it does it.",
		Risk:   graph.DataLoss,
		Loses:  "whatever the entry guards is left behind, and nothing readable tells what that is",
	}
	last.Command = w.Kubectl.Remove(object, []string{hold.Name})
	return append(remedies, last)
}
