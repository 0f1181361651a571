package mechanism

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// lookedFor are the objects that a finalizer may wait for by the catalogue, and the condition that says for which.
type lookedFor struct {
	candidates []*Object
	condition  *admission.Condition
	self       map[string]any
}

// lookFor reads what a wait of the catalogue looks for. The answer says what could not be read.
func lookFor(
	ctx context.Context, reads *session.Session, catalogue *plugins.Set, held Held, wait plugins.Wait,
) (looked lookedFor, unreadable Answer) {
	if wait.Defined() {
		if _, err := reads.Whole(ctx, held.Object); err != nil {
			return looked, session.Unread(finding.UnreadObject(held.Ref), err)
		}
	}
	kind := kindWaitedFor(held, wait)
	unread := finding.Unread{Name: kind.String()}
	resource, served, err := session.Served(ctx, reads.Reader, kind.Group, kind.Resource)
	if err != nil {
		return looked, session.Unread(unread, err)
	}
	if !served {
		return looked, Answer{}
	}
	if looked.condition, err = catalogue.Condition(wait.Where); err != nil {
		return looked, session.Unread(unread, err) // a plugin's expressions were compiled when it was loaded
	}
	if looked.self, err = selfValue(ctx, reads, held.Object, looked.condition); err != nil {
		return looked, session.Unread(finding.UnreadObject(held.Ref), err)
	}
	if looked.condition.NeedsOnly("object") { // it is about the held object alone
		holds, err := looked.condition.Holds(map[string]any{"self": looked.self, "object": map[string]any{}})
		if err == nil && !holds {
			return looked, Answer{}
		}
	}
	namespace := ""
	if wait.Scope == plugins.ScopeNamespace && resource.Namespaced && held.Ref.Namespace != "" {
		namespace = held.Ref.Namespace
		unread.Name += " in namespace " + namespace
	}
	all, err := candidates(ctx, reads, resource, namespace, looked.condition)
	if err != nil {
		return looked, session.Unread(unread, err)
	}
	for _, candidate := range all {
		if candidate.Ref.UID != held.Ref.UID {
			looked.candidates = append(looked.candidates, candidate)
		}
	}
	return looked, Answer{}
}

// holds reports whether a candidate is one that is waited for.
func (l lookedFor) holds(candidate *Object) (bool, error) {
	value, err := celValue(candidate)
	if err != nil {
		return false, err
	}
	return l.condition.Holds(map[string]any{"self": l.self, "object": value})
}

// deletesNext reports whether something is left that the controller deletes itself before it removes the finalizer:
// it would wait for that, once it has asked for its deletion.
func deletesNext(ctx context.Context, t *Tools, held Held, wait plugins.Wait) bool {
	if !wait.Deletes {
		return false
	}
	looked, _ := lookFor(ctx, t.Session, t.Plugins, held, wait) // declaredWait has read the same
	for _, candidate := range looked.candidates {
		if holds, err := looked.holds(candidate); err != nil || holds {
			return true
		}
	}
	return false
}

// DeletedNext are the objects that a finalizer's controller deletes itself before it removes the finalizer, by the
// catalogue: as far as they can be read, and whether their deletion was asked for yet or not.
func DeletedNext(
	ctx context.Context, t *Tools, object *Object, hold finding.Hold, known plugins.Finalizer,
) (next []*Object) {
	for _, wait := range known.Waits {
		if !wait.Deletes {
			continue
		}
		looked, _ := lookFor(ctx, t.Session, t.Plugins, Held{Object: object, Hold: hold}, wait) // it is noted what is unread
		for _, candidate := range looked.candidates {
			if holds, err := looked.holds(candidate); err == nil && holds {
				next = append(next, candidate)
			}
		}
	}
	return next
}

// kindWaitedFor is what a finalizer waits for by the catalogue; "*" stands for the group of the held object. It is
// empty where the held object defines the kind, and was not read.
func kindWaitedFor(held Held, wait plugins.Wait) schema.GroupResource {
	if wait.Defined() {
		if held.Whole == nil {
			return schema.GroupResource{}
		}
		names := plugins.Field{Path: wait.Resource}.Values(held.Whole.Object)
		return schema.ParseGroupResource(strings.Join(names, ""))
	}
	kind := schema.ParseGroupResource(wait.Resource)
	if kind.Group == "*" {
		kind.Group = held.Resource.Group
	}
	return kind
}

// neverWhole reports whether objects of a kind are read as metadata only, because they may hold secrets.
func neverWhole(resource cluster.Resource) bool {
	return resource.Group == "" && (resource.Kind == "Secret" || resource.Kind == "ConfigMap")
}

// selfValue returns the held object as expressions see it: whole only if they ask for more than its metadata.
func selfValue(
	ctx context.Context, reads *session.Session, object *Object, condition *admission.Condition,
) (map[string]any, error) {
	if !condition.NeedsOnly("self", plugins.MetadataFields()...) && !neverWhole(object.Resource) {
		if _, err := reads.Whole(ctx, object); err != nil {
			return nil, err
		}
	}
	return celValue(object)
}

// candidates lists the objects that may be waited for, whole only if the expression asks for more than their metadata.
func candidates(
	ctx context.Context, reads *session.Session, resource cluster.Resource, namespace string,
	condition *admission.Condition,
) ([]*Object, error) {
	if condition.NeedsOnly("object", plugins.MetadataFields()...) || neverWhole(resource) {
		return reads.ListOnce(ctx, resource, namespace)
	}
	list, err := reads.Reader.List(ctx, resource, namespace, cluster.Selector{})
	if apierrors.IsNotFound(err) {
		return nil, nil // the resource isn't served any more
	}
	candidates := make([]*Object, len(list))
	for i := range list {
		if candidates[i], err = session.FromWhole(resource, &list[i]); err != nil {
			return nil, err
		}
	}
	return candidates, err
}

func celValue(object *Object) (map[string]any, error) {
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
