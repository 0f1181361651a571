package attribution

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// secondLook is what a second look shows of an object.
type secondLook struct {
	gone    bool     // a finalizer of it, or the object
	moved   string   // what moved, or is gone
	stamped []string // conditions whose time of change is another one, while they are the same
	writer  string   // who may be the controller, and wrote
}

// lookTwice takes a second look at the held object. It shows nothing where there is no time for that.
func lookTwice(ctx context.Context, h *held) (seen secondLook) {
	if !h.search.session.Rest(ctx) {
		return seen
	}
	ref := h.object.Ref
	now, whole, err := again(ctx, h)
	h.search.session.Reader.Failed(h.object.Resource, ref.Namespace, ref.Name, err)
	switch {
	case apierrors.IsNotFound(err), err == nil && now.UID != h.object.Meta.UID:
		return secondLook{gone: true, moved: "it is gone"}
	case err != nil || now.ResourceVersion == h.object.Meta.ResourceVersion:
		return seen
	}
	for _, finalizer := range h.object.Meta.Finalizers {
		if !slices.Contains(now.Finalizers, finalizer) {
			return secondLook{gone: true, moved: "its finalizer " + finalizer + " is gone"}
		}
	}
	seen.writer = wroteSince(h, now)
	if whole == nil {
		return seen
	}
	if moves := statuses.Moves(h.object.Whole, whole); len(moves) > 0 {
		seen.moved = moves[0].String()
	}
	seen.stamped = statuses.Stamped(h.object.Whole, whole)
	return seen
}

// again reads the held object once more: whole where its status was read, else its metadata.
func again(ctx context.Context, h *held) (
	meta *metav1.PartialObjectMetadata, whole *unstructured.Unstructured, err error,
) {
	ref, fresh := h.object.Ref, h.search.session.Reader.Fresh()
	if h.object.Whole == nil || cluster.ServedByKubernetes(h.object.Resource.Group) {
		meta, err = fresh.Metadata(ctx, h.object.Resource, ref.Namespace, ref.Name)
		return meta, nil, err
	}
	whole, err = fresh.Get(ctx, h.object.Resource, ref.Namespace, ref.Name)
	if err != nil {
		return nil, nil, err
	}
	again, err := session.FromWhole(h.object.Resource, whole)
	if err != nil {
		return nil, nil, err
	}
	return again.Meta, whole, nil
}

// wroteSince is who wrote to the held object between two looks and may be its controller.
func wroteSince(h *held, now *metav1.PartialObjectMetadata) string {
	for _, entry := range unobserved(&h.search, h.search.criteria.resource, now.ManagedFields) {
		manual := writers.WritesManifests(entry.Manager)
		wrote := entry.Time != nil && entry.Time.After(session.LastWrite(h.object.Meta, entry.Manager))
		if wrote && !manual && !h.writes().bystander(entry.Manager) &&
			mayBeController(h.search, h.setters, entry.Manager) {
			return entry.Manager
		}
	}
	return ""
}
