package mechanism

import (
	"context"
	"slices"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// untilEnd answers for the pods that keep a Node from being drained, where the drain has an end: until then they are
// waited for, and whatever protects them holds nothing up for good; after it, only what is being deleted already is.
func (t *Tools) untilEnd(ctx context.Context, d *drain, answer Answer) Answer {
	ends, limit := t.drainEnds(ctx, d)
	if ends.IsZero() {
		return answer
	}
	over := !t.Session.Now().Before(ends)
	answer.Waits = slices.DeleteFunc(slices.Clone(answer.Waits), func(wait Wait) bool {
		return over && !wait.Blocker.Terminating()
	})
	for i := range answer.Waits {
		wait := &answer.Waits[i]
		if wait.Blocker.Terminating() {
			continue
		}
		note := Finding{
			Situation: "DrainEnds", Object: wait.Blocker.Ref, Until: ends, Evidence: []Evidence{limit},
			Details: finding.StillInUseDetails{Node: d.node.Ref.Name, Until: &ends},
			Key:     finding.KeyOf("DrainEnds", d.node.Ref),
		}
		for _, cause := range wait.Otherwise.Causes {
			note.Evidence = append(note.Evidence, cause.Evidence...)
		}
		wait.Otherwise = session.Progress(note)
	}
	return answer
}

// drainEnds is when a drain goes on without the pods that are left, and where that stands; zero where it has no end, or
// nobody can tell.
func (t *Tools) drainEnds(ctx context.Context, d *drain) (ends time.Time, limit Evidence) {
	if d.known == nil || len(d.rules.Within) == 0 {
		return time.Time{}, Evidence{}
	}
	object := d.held.Object
	if d.rules.Of != "" {
		if object = t.ownerOf(ctx, d.node, schema.ParseGroupKind(d.rules.Of)); object == nil {
			return time.Time{}, Evidence{}
		}
	}
	whole, err := t.Session.Whole(ctx, object)
	if err != nil {
		return time.Time{}, Evidence{}
	}
	begins := object.RequestedAt()
	if since := d.rules.Since; since != "" {
		begun := plugins.Field{Path: since, Says: "since"}.Values(whole.Object)
		if len(begun) != 1 {
			return time.Time{}, Evidence{}
		}
		begins, _ = time.Parse(time.RFC3339, begun[0])
	}
	for _, path := range d.rules.Within {
		values := plugins.Field{Path: path, Says: "within"}.Values(whole.Object)
		if len(values) != 1 || begins.IsZero() {
			continue
		}
		if length := lengthOf(values[0]); length > 0 {
			return begins.Add(length), object.Ref.Observed("%s: %s", path[2:len(path)-1], values[0])
		}
	}
	return time.Time{}, Evidence{}
}

// lengthOf reads a length of time, in seconds or as 10m; none is 0.
func lengthOf(text string) time.Duration {
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(seconds) * time.Second
	}
	length, _ := time.ParseDuration(text)
	return length
}

// ownerOf is an object's owner of a kind, whole; nil where there is none that can be read.
func (t *Tools) ownerOf(ctx context.Context, object *Object, kind schema.GroupKind) *Object {
	at := slices.IndexFunc(object.Meta.OwnerReferences, func(owner metav1.OwnerReference) bool {
		return schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).GroupKind() == kind
	})
	resource, served := t.Session.Catalog(ctx).OfKind(kind)
	if at < 0 || !served {
		return nil
	}
	owner := session.Named(resource, object.Ref.Namespace, object.Meta.OwnerReferences[at].Name)
	owner.Ref.UID = string(object.Meta.OwnerReferences[at].UID)
	whole, err := t.Session.Whole(ctx, owner)
	if err != nil {
		return nil
	}
	owner, err = session.FromWhole(resource, whole)
	if err != nil {
		return nil
	}
	return owner
}
