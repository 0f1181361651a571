package mechanism

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// declaredDuties are what the catalogue says that a finalizer's controller still has to do for the held object, the
// removal last, and what it lacks for that.
func declaredDuties(ctx context.Context, t *Tools, held Held, known plugins.Finalizer) attribution.Declared {
	declared := attribution.Declared{Due: dueActs(ctx, t, held, known)}
	if known.RemovesBy != "" && held.Terminating() {
		declared.Due = append(declared.Due, attribution.Due{
			Verb: known.RemovesBy, Resource: held.Resource.GroupResource(), Why: attribution.KnownEvidence(held.Hold, known),
		})
	}
	declared.Unmet, declared.Unread = unmetNeeds(ctx, t, held, known)
	return declared
}

// unmetNeeds are the objects that a finalizer's controller needs by the catalogue, and can't use, and what could not be
// read of them.
func unmetNeeds(
	ctx context.Context, t *Tools, held Held, known plugins.Finalizer,
) (unmet []attribution.Unmet, unread []finding.Unread) {
	if !held.Terminating() {
		return nil, nil
	}
	for _, need := range known.Needs {
		object, failed := needed(ctx, t.Session, held.Object, need)
		if failed != nil {
			unread = append(unread, *failed)
		}
		if object == nil {
			continue
		}
		condition, err := t.Plugins.Condition(need.Unless)
		if err != nil {
			continue // a plugin's expressions were compiled when it was loaded
		}
		self, err := selfValue(ctx, t.Session, held.Object, condition)
		if err != nil {
			continue
		}
		if met, err := condition.Holds(map[string]any{"self": self, "object": object.Whole.Object}); err != nil || met {
			continue
		}
		words := strings.Join(plugins.Field{Path: need.Words}.Values(object.Whole.Object), "; ")
		state := object.Ref.Observed("%s", need.Says)
		if words != "" {
			state = object.Ref.Observed("%s; it says: %s", need.Says, words)
		}
		unmet = append(unmet, attribution.Unmet{
			Object: object, Says: need.Says, Words: words, State: state, Why: attribution.KnownEvidence(held.Hold, known),
		})
	}
	return unmet, unread
}

// needed is the object that a need leads to; nil where one on the way there doesn't exist, or could not be read.
func needed(ctx context.Context, reads *session.Session, from *Object, need plugins.Need) (*Object, *finding.Unread) {
	namespace := from.Ref.Namespace
	if _, err := reads.Whole(ctx, from); err != nil {
		return nil, new(finding.UnreadObject(from.Ref).Because(err))
	}
	for _, next := range need.Through {
		names := plugins.Field{Path: next.Named}.Values(from.Whole.Object)
		kind := schema.ParseGroupResource(next.Resource)
		resource, served, err := session.Served(ctx, reads.Reader, kind.Group, kind.Resource)
		if err != nil {
			return nil, new(finding.Unread{Name: kind.String()}.Because(err))
		}
		if !served || len(names) != 1 {
			return nil, nil
		}
		in := namespace
		if !resource.Namespaced {
			in = ""
		}
		whole, err := reads.Reader.Get(ctx, resource, in, names[0])
		if apierrors.IsNotFound(err) {
			return nil, nil
		}
		if err == nil {
			from, err = session.FromWhole(resource, whole)
		}
		if err != nil {
			return nil, new(finding.UnreadObject(session.Named(resource, in, names[0]).Ref).Because(err))
		}
	}
	return from, nil
}
