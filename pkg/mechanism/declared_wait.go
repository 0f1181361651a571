package mechanism

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// declaredWait explains finalizers of which a plugin says which objects they wait for. Where none of
// these is left it isn't the one to answer: what then keeps the controller is another question.
func declaredWait(ctx context.Context, w *World, object *facts.Object, hold graph.Hold) (facts.Answer, bool) {
	if hold.Type != graph.Finalizer {
		return facts.Answer{}, false
	}
	known, found := w.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
	if !found {
		return facts.Answer{}, false
	}
	answer := facts.Answer{}
	for _, wait := range known.Waits {
		answer.Add(w.declared(ctx, object, hold, known, wait))
	}
	// The controller is waiting rightly: whether its write would pass isn't asked yet.
	answer.Settled = true
	return answer, !answer.Empty()
}

// declared answers for one declared wait.
func (w *World) declared(ctx context.Context, object *facts.Object, hold graph.Hold, known plugins.Finalizer, wait plugins.Wait) facts.Answer {
	name, group, _ := strings.Cut(wait.Resource, ".")
	if group == "*" {
		group = object.Resource.Group
	}
	what := schema.GroupResource{Group: group, Resource: name}.String()
	resource, served, err := w.Served(ctx, group, name)
	if err != nil {
		return facts.Unread(what, err)
	}
	if !served {
		return facts.Answer{}
	}
	condition, err := w.Plugins.Condition(wait)
	if err != nil {
		return facts.Unread(what, err) // a plugin's expressions were compiled when it was loaded
	}
	self, err := w.selfValue(ctx, object, condition)
	if err != nil {
		return facts.Unread(object.Ref.String(), err)
	}
	namespace := ""
	if wait.Scope == plugins.ScopeNamespace && resource.Namespaced {
		namespace = object.Ref.Namespace
	}
	if namespace != "" {
		what += " in namespace " + namespace
	}
	candidates, err := w.candidates(ctx, resource, namespace, condition)
	if err != nil {
		return facts.Unread(what, err)
	}
	answer := facts.Answer{}
	for _, candidate := range candidates {
		if candidate.Ref.UID == object.Ref.UID {
			continue
		}
		value, err := celValue(candidate)
		if err != nil {
			return facts.Unread(candidate.Ref.String(), err)
		}
		holds, err := condition.Holds(map[string]any{"self": self, "object": value})
		if err != nil {
			answer.Open = append(answer.Open, w.undecided(object, hold, known, candidate, err))
		} else if holds {
			answer.Waits = append(answer.Waits, w.declaredUser(object, hold, known, wait, candidate))
		}
	}
	return answer
}

// neverWhole tells whether objects of a kind are read as metadata only, whoever asks: they hold what is
// nobody's business.
func neverWhole(resource cluster.Resource) bool {
	return resource.Group == "" && (resource.Kind == "Secret" || resource.Kind == "ConfigMap")
}

// selfValue returns the held object as expressions see it: whole only if they ask for more than its
// metadata, and a Secret or a ConfigMap never.
func (w *World) selfValue(ctx context.Context, object *facts.Object, condition *admission.Condition) (map[string]any, error) {
	if !condition.NeedsOnly("self", plugins.MetadataFields()...) && !neverWhole(object.Resource) {
		if _, err := w.Whole(ctx, object); err != nil {
			return nil, err
		}
	}
	return celValue(object)
}

// candidates lists the objects that may be waited for, whole only if the expression asks for more
// than their metadata.
func (w *World) candidates(ctx context.Context, resource cluster.Resource, namespace string, condition *admission.Condition) ([]*facts.Object, error) {
	if condition.NeedsOnly("object", plugins.MetadataFields()...) || neverWhole(resource) {
		return w.List(ctx, resource, namespace)
	}
	list, err := w.Reader.List(ctx, resource, namespace, cluster.Selector{})
	if apierrors.IsNotFound(err) {
		return nil, nil // the resource isn't served any more
	}
	candidates := make([]*facts.Object, len(list))
	for i := range list {
		if candidates[i], err = facts.FromWhole(resource, &list[i]); err != nil {
			return nil, err
		}
	}
	return candidates, err
}

func celValue(object *facts.Object) (map[string]any, error) {
	if object.Whole != nil {
		return object.Whole.Object, nil
	}
	value, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object.Meta)
	if err != nil {
		return nil, err
	}
	value["apiVersion"], value["kind"] = object.Ref.APIVersion, object.Ref.Kind
	return value, nil
}

// undecided is the note for an object that an expression can't judge.
func (w *World) undecided(object *facts.Object, hold graph.Hold, known plugins.Finalizer, candidate *facts.Object, err error) facts.Note {
	return facts.Note{
		Message:  fmt.Sprintf("Whether %s waits for %s is not clear: what is known of %s doesn't fit that object.", object.Ref, candidate.Ref, hold.Name),
		Awaited:  fmt.Sprintf("%s to remove %s, which it does when %s", known.RemovedBy, hold.Name, known.WaitsFor),
		Evidence: []graph.Evidence{{Source: candidate.Ref.String(), Observed: err.Error(), Object: &candidate.Ref}},
	}
}

// declaredUser is the wait for an object that a plugin says is waited for.
func (w *World) declaredUser(object *facts.Object, hold graph.Hold, known plugins.Finalizer, wait plugins.Wait, user *facts.Object) facts.Wait {
	edge := facts.Wait{Blocker: user}
	if user.Terminating() {
		return edge
	}
	certainty, rule := graph.Proven, known.Project+" waits for that, as it should."
	if !known.Verified.WaitsFor.Done() {
		certainty, rule = graph.Likely, fmt.Sprintf("%s is said to wait for that; nobody checked it in its source.", known.Project)
	}
	loses := wait.Loses
	if loses == "" {
		loses = user.Ref.String()
	}
	edge.Otherwise = facts.Cause(graph.Cause{
		Reason: graph.StillInUse, Object: user.Ref, Certainty: certainty,
		Message: fmt.Sprintf("%s %s, and nobody has deleted it. %s", user.Ref, wait.Says, rule),
		Awaited: fmt.Sprintf("%s, which %s", user.Ref, wait.Says),
		Evidence: []graph.Evidence{
			{Source: user.Ref.String(), Observed: "no deletionTimestamp; true of it: " + wait.Where, Object: &user.Ref},
			attribution.KnownEvidence(hold, known),
		},
		Remedies: []graph.Remedy{{
			Action:  "If it is still needed, leave both: the hold ends when its last user goes. See what it is.",
			Command: w.Kubectl.Command(user, "describe"),
			Risk:    graph.NoRisk,
		}, {
			Action:  "If it isn't needed any more, delete it.",
			Command: w.Kubectl.Command(user, "delete", "--wait=false"),
			Risk:    graph.DataLoss,
			Loses:   loses,
		}},
		Alike: fmt.Sprintf("%s on %s: %s %s", hold.Name, object.Ref, user.Resource.QualifiedName(), wait.Says),
		Several: func(count int) string {
			return fmt.Sprintf("%d objects of kind %s, each of which %s", count, user.Ref.Kind, wait.Says)
		},
	})
	return edge
}
