package mechanism

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// definitionCleanup explains customresourcecleanup.apiextensions.k8s.io: a CustomResourceDefinition
// goes when none of its instances is left. kube-apiserver deletes them itself, past admission, and
// counts them in the storage version (deletion-mechanics M15).
func definitionCleanup(ctx context.Context, w *World, object *facts.Object, hold graph.Hold) (facts.Answer, bool) {
	if hold.Name != facts.CleanupFinalizer || !object.Is("apiextensions.k8s.io", "CustomResourceDefinition") {
		return facts.Answer{}, false
	}
	definition, answer := facts.WholeAs[facts.Definition](ctx, w, object)
	if definition == nil {
		return answer, true
	}
	resource := definition.Resource()
	instances, err := w.List(ctx, resource, "")
	if err != nil {
		if answer, damaged := w.storageAnswer(ctx, object, err.Error(), true); damaged {
			return answer, true
		}
		return facts.Unread(resource.QualifiedName()+" in all namespaces", err), true
	}
	var alive []*facts.Object
	for _, instance := range instances {
		answer.Waits = append(answer.Waits, facts.Wait{Blocker: instance})
		if !instance.Terminating() {
			alive = append(alive, instance)
		}
	}
	damaged := false
	if len(alive) > 0 || len(instances) == 0 {
		damaged = w.addReported(ctx, definition, object, &answer)
	}
	if !damaged && (len(alive) > 0 || len(instances) == 0) {
		answer.Add(w.cleanupPending(ctx, object, hold, resource, alive))
	}
	return answer, true
}

// addReported adds what the condition Terminating says of storage that can't be read: a list in pages,
// such as ours, may still show the instances that can.
func (w *World) addReported(ctx context.Context, d *facts.Definition, object *facts.Object, answer *facts.Answer) bool {
	for _, condition := range d.Status.Conditions {
		if condition.Type != "Terminating" || condition.Status != metav1.ConditionTrue {
			continue
		}
		at := condition.LastTransitionTime.Time
		said := graph.Evidence{Source: object.Ref.String(), Observed: fmt.Sprintf("condition Terminating: %s: %s", condition.Reason, condition.Message), Object: &object.Ref, At: &at}
		if reported, damaged := w.storageAnswer(ctx, object, condition.Message, false, said); damaged {
			answer.Add(reported)
			return true
		}
	}
	return false
}

// cleanupPending answers for instances that kube-apiserver has not deleted, or for none that are left.
func (w *World) cleanupPending(ctx context.Context, object *facts.Object, hold graph.Hold, resource cluster.Resource, alive []*facts.Object) facts.Answer {
	awaited := fmt.Sprintf("kube-apiserver to delete %d %s", len(alive), resource.QualifiedName())
	if len(alive) == 0 {
		awaited = fmt.Sprintf("kube-apiserver to release %s, of which no instance is left", object.Ref)
		// The instances are deleted past admission; the definition itself isn't.
		if refused := w.Refused(ctx, refusal.Removal(object, hold.Name, "system:apiserver")); refused.Found() {
			return refused.Answer
		}
	}
	note := facts.Note{Message: fmt.Sprintf("%s waits for %s.", object.Ref, awaited), Awaited: awaited}
	if w.Since(object) < facts.Patience {
		return facts.Progress(note)
	}
	if evidence, falls := w.Falls(ctx, alive, facts.Deleted); falls {
		note.Evidence = []graph.Evidence{evidence}
		return facts.Progress(note)
	}
	return facts.Open(note)
}
