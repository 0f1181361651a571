package mechanism

import (
	"context"
	"slices"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// untilEnd answers for the pods that keep a Node from being drained, where the drain has an end: until then they are
// waited for, and whatever protects them holds nothing up for good; after it, only what is being deleted already is. If
// it is not known whether it has one, they hold nothing up for certain.
func untilEnd(ctx context.Context, reads *session.Session, d *drain, answer Answer) Answer {
	ends, limit, unread := drainEnds(ctx, reads, d)
	if ends.IsZero() && unread == nil {
		return answer
	}
	over := unread == nil && !reads.Now().Before(ends)
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
		if wait.Otherwise = session.Progress(note); unread != nil {
			wait.Otherwise = *unread
		}
	}
	return answer
}

// drainEnds is when a drain continues without the pods that are left, and which field says so; zero if it has no end,
// or that is not known; then the answer says what could not be read, if there is anything.
func drainEnds(ctx context.Context, reads *session.Session, d *drain) (ends time.Time, limit Evidence, unread *Answer) {
	if d.known == nil || len(d.rules.Within) == 0 {
		return ends, limit, nil
	}
	object := d.held.Object
	if d.rules.Of != "" {
		object = ownerOf(ctx, reads, d.node, schema.ParseGroupKind(d.rules.Of))
	}
	if object == nil {
		return ends, limit, nil
	}
	whole, err := reads.Whole(ctx, object)
	if err == nil {
		object, err = session.FromWhole(object.Resource, whole)
	}
	switch {
	case apierrors.IsNotFound(err):
		return ends, limit, nil
	case err != nil:
		answer := session.Unread(finding.UnreadObject(object.Ref), err)
		return ends, limit, &answer
	}
	begins := object.RequestedAt()
	if since := d.rules.Since; since != "" {
		begun := plugins.Field{Path: since, Says: "since"}.Values(whole.Object)
		if len(begun) != 1 {
			return ends, limit, nil
		}
		begins, _ = time.Parse(time.RFC3339, begun[0])
	}
	for _, path := range d.rules.Within {
		values := plugins.Field{Path: path, Says: "within"}.Values(whole.Object)
		if len(values) != 1 || begins.IsZero() {
			continue
		}
		if length := lengthOf(values[0]); length > 0 {
			return begins.Add(length), object.Ref.Observed("%s: %s", path[2:len(path)-1], values[0]), nil
		}
	}
	return ends, limit, nil
}

// afterDrain answers for a Node on which nothing keeps a pod. If none is left, or the drain has just begun,
// what the controller last reported of the drain was so a moment ago: it is quoted, and no failure. Anything else that
// it reports is.
func afterDrain(ctx context.Context, t *Tools, d *drain, fares Answer) Answer {
	ofDrain := func(cause Finding) bool { return cause.Reason == finding.ControllerFailing && aboutDrain(cause) }
	if d.known == nil || !slices.ContainsFunc(fares.Causes, ofDrain) {
		return fares
	}
	pods, err := podsToEvict(ctx, t.Session, t.Plugins, d)
	if err != nil || len(pods) > 0 && t.Session.Since(d.held.Object) >= session.Patience {
		return fares
	}
	open := uncheckedKnown(ctx, t, d.held, *d.known, true)
	for _, cause := range fares.Causes {
		if ofDrain(cause) {
			open.Evidence = append(open.Evidence, cause.Evidence...)
		}
	}
	fares.Causes = slices.DeleteFunc(slices.Clone(fares.Causes), ofDrain)
	fares.Open = append(slices.Clone(fares.Open), open)
	return fares
}

// lengthOf reads a length of time, in seconds or as 10m; none is 0.
func lengthOf(text string) time.Duration {
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(seconds) * time.Second
	}
	length, _ := time.ParseDuration(text)
	return length
}

// ownerOf is an object's owner of a kind, unread; nil where there is none.
func ownerOf(ctx context.Context, reads *session.Session, object *Object, kind schema.GroupKind) *Object {
	at := slices.IndexFunc(object.Meta.OwnerReferences, func(owner metav1.OwnerReference) bool {
		return schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).GroupKind() == kind
	})
	resource, served := reads.ServedKinds(ctx).OfKind(kind)
	if at < 0 || !served {
		return nil
	}
	owner := session.Named(resource, object.Ref.Namespace, object.Meta.OwnerReferences[at].Name)
	owner.Ref.UID = string(object.Meta.OwnerReferences[at].UID)
	return owner
}
