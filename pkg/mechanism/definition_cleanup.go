package mechanism

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// definitionCleanup explains customresourcecleanup.apiextensions.k8s.io: a CustomResourceDefinition is removed when
// none of its instances is left. kube-apiserver deletes them itself, past admission, and counts them in the storage
// version (docs/deletion.md#definition-cleanup).
func definitionCleanup(ctx context.Context, t *Tools, held Held, definition *session.Definition) (answer Answer) {
	resource := definition.Resource()
	instances, err := t.Session.List(ctx, resource, "")
	if err != nil {
		if answer, damaged := t.damagedRead(ctx, held.Object, session.Named(resource, "", ""), err); damaged {
			return answer
		}
		return session.Unread(unreadKind(resource.QualifiedName(), finding.AllNamespaces), err)
	}
	for _, instance := range instances {
		answer.Waits = append(answer.Waits, Wait{Blocker: instance})
	}
	alive := slices.DeleteFunc(instances, (*Object).Terminating)
	going := len(answer.Waits) > 0 && len(alive) == 0
	if !going && !t.addReported(ctx, definition, held.Object, &answer) {
		answer.Add(t.cleanupPending(ctx, held, resource, alive))
	}
	return answer
}

// addReported adds what the condition Terminating says of unreadable storage: our list, in pages, may not meet it.
func (t *Tools) addReported(ctx context.Context, d *session.Definition, object *Object, answer *Answer) bool {
	for _, is := range d.DeletionReports() {
		if reported, damaged := t.storageAnswer(ctx, object, is.Message, false, reportedBy(object, is)); damaged {
			answer.Add(reported)
			return true
		}
	}
	return false
}

func reportedBy(definition *Object, is metav1.Condition) Evidence {
	said := definition.Ref.Observed("condition Terminating: %s: %s", is.Reason, is.Message).Quoting(is.Message)
	return said.When(is.LastTransitionTime.Time)
}

func (t *Tools) cleanupPending(ctx context.Context, held Held, resource cluster.Resource, alive []*Object) Answer {
	if len(alive) == 0 {
		// The instances are deleted past admission; the definition itself isn't.
		removal := refusal.Removal(held.Object, held.Hold.Name, "system:apiserver")
		if refused := t.Refusals.Refused(ctx, removal); refused.Found() {
			return refused.Answer
		}
	}
	note := Finding{
		Situation: "InstancesToDelete", Object: held.Ref,
		Details: finding.InstancesDetails{Resource: resource.QualifiedName(), Instances: len(alive)},
	}
	if t.Session.Since(held.Object) < session.Patience {
		return session.Progress(note)
	}
	evidence, falls := t.Session.Falls(ctx, alive, session.Deleted)
	if falls {
		note.Evidence = []Evidence{evidence}
	}
	return going(note, !falls)
}
