package loss

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// waitingClaims returns the claims that a pod uses, that were deleted, and that no pod keeps which stays: a claim stays
// as long as a pod uses it (k8s v1.37 pkg/controller/volume/pvcprotection/pvc_protection_controller.go:processPVC), so
// they may wait for nothing but this one. A claim that can't be read may have been deleted.
func (t *Teller) waitingClaims(ctx context.Context, pod *corev1.Pod) (waiting []*session.Object) {
	for _, claim := range claimsOf(pod) {
		whole, err := t.Session.Whole(ctx, claim)
		switch {
		case apierrors.IsNotFound(err), cluster.NeverAsked(err):
		case err != nil, whole.GetDeletionTimestamp() != nil && !t.keptBesides(ctx, pod, claim):
			waiting = append(waiting, claim)
		}
	}
	return waiting
}

// keptBesides reports whether another pod uses a claim of a pod, and is not being deleted: one that is may go with it.
func (t *Teller) keptBesides(ctx context.Context, user *corev1.Pod, claim *session.Object) bool {
	pods, err := session.ListWhole[corev1.Pod](ctx, t.Session, cluster.Pods(), claim.Ref.Namespace, cluster.WithNode())
	return err == nil && slices.ContainsFunc(pods, func(pod session.Item[corev1.Pod]) bool {
		uses := func(one *session.Object) bool { return one.Ref.Name == claim.Ref.Name }
		other := pod.Typed.Name != user.Name && pod.Typed.DeletionTimestamp == nil
		return other && slices.ContainsFunc(claimsOf(pod.Typed), uses)
	})
}

// claimsOf names the claims that a pod uses, each once.
func claimsOf(pod *corev1.Pod) (claims []*session.Object) {
	var names []string
	for _, volume := range pod.Spec.Volumes {
		if used := volume.PersistentVolumeClaim; used != nil && !slices.Contains(names, used.ClaimName) {
			names = append(names, used.ClaimName)
			claims = append(claims, session.Named(cluster.PersistentVolumeClaims(), pod.Namespace, used.ClaimName))
		}
	}
	return claims
}
