package mechanism

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
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
		if answer, damaged := damagedRead(
			ctx, t.Session, t.Health, held.Object, session.Named(resource, "", ""), err,
		); damaged {
			return answer
		}
		if cluster.NotRecorded(err) && addReported(ctx, t.Session, t.Health, definition, held.Object, &answer) {
			return answer
		}
		return session.Unread(unreadKind(resource.QualifiedName(), finding.AllNamespaces), err)
	}
	for _, instance := range instances {
		answer.Waits = append(answer.Waits, Wait{Blocker: instance})
	}
	alive := slices.DeleteFunc(instances, (*Object).Terminating)
	going := len(answer.Waits) > 0 && len(alive) == 0
	if !going && !addReported(ctx, t.Session, t.Health, definition, held.Object, &answer) {
		answer.Add(cleanupPending(ctx, t.Session, t.Refusals, held, resource, alive))
	}
	return answer
}

// addReported adds what the condition Terminating says of unreadable storage: our list, in pages, may not meet it.
func addReported(
	ctx context.Context, reads *session.Session, checker *health.Checker, d *session.Definition, object *Object,
	answer *Answer,
) bool {
	for _, is := range d.DeletionReports() {
		if reported, damaged := storageAnswer(
			ctx, reads, checker, object, is.Message, false, reportedBy(object, is),
		); damaged {
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

func cleanupPending(
	ctx context.Context, reads *session.Session, refusals *refusal.Checker, held Held, resource cluster.Resource,
	alive []*Object,
) Answer {
	if len(alive) == 0 {
		// The instances are deleted past admission; the definition itself isn't.
		removal := refusal.Removal(held.Object, held.Hold.Name, "system:apiserver")
		if refused := refusals.Refused(ctx, removal); refused.Found() {
			return refused.Answer
		}
	}
	note := Finding{
		Situation: "InstancesToDelete", Object: held.Ref,
		Details: finding.InstancesDetails{Resource: resource.QualifiedName(), Instances: len(alive)},
	}
	if reads.Since(held.Object) < session.Patience {
		return session.Progress(note)
	}
	evidence, falls := reads.Falls(ctx, alive, session.Deleted)
	if falls {
		note.Evidence = []Evidence{evidence}
	}
	return going(note, !falls)
}
