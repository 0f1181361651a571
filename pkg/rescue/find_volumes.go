package rescue

import (
	"cmp"
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// volume is a volume behind something that goes, or that has gone.
type volume struct {
	object *session.Object // by name alone, if it could not be read
	typed  *corev1.PersistentVolume
	err    error
	claim  *session.Object // at least its name is known; nil if nothing uses the volume
	gone   bool            // the claim is not there any more
	other  bool            // another claim of this name is there
	name   string          // of a claim that is gone: as which it is created again
}

// volumeSearch finds the volumes of a planner.
type volumeSearch struct{ p *planner }

// createdAs is the name of the claim that gets the volume.
func (v *volume) createdAs() string { return cmp.Or(v.name, v.claim.Ref.Name) }

// absent reports whether the volume itself doesn't exist any more.
func (v *volume) absent() bool { return apierrors.IsNotFound(v.err) }

// retained reports whether nothing deletes the storage.
func (v *volume) retained() bool {
	return v.typed != nil && v.typed.Spec.PersistentVolumeReclaimPolicy != corev1.PersistentVolumeReclaimDelete &&
		v.typed.Spec.PersistentVolumeReclaimPolicy != corev1.PersistentVolumeReclaimRecycle
}

// released reports whether the deletion of the storage is due already: its claim is gone.
func (v *volume) released() bool {
	return v.typed != nil && (v.typed.Status.Phase == corev1.VolumeReleased || v.typed.Status.Phase == corev1.VolumeFailed)
}

// findVolumes finds the volumes behind what goes and behind what is gone.
func (s *volumeSearch) findVolumes(ctx context.Context) {
	for _, claim := range s.p.deleted("", "PersistentVolumeClaim") {
		s.addClaim(ctx, claim)
	}
	for _, object := range s.p.deleted("", "PersistentVolume") {
		s.addVolume(ctx, object)
	}
	if s.left() != nil {
		s.addLeft(ctx)
	}
	if s.p.target.Is("", "PersistentVolume") && !s.p.gone && !s.p.target.Terminating() {
		s.addReleased(ctx)
	}
	slices.SortStableFunc(s.p.volumes, func(a, b *volume) int { return finding.Compare(a.object.Ref, b.object.Ref) })
	(&claimNames{volumes: s.p.volumes, reads: s.p.tools.Session}).choose(ctx)
}

// addClaim adds the volume of a claim that goes.
func (s *volumeSearch) addClaim(ctx context.Context, claim *session.Object) {
	typed, err := session.ReadAs[corev1.PersistentVolumeClaim](ctx, s.p.tools.Session, claim)
	if err != nil || typed.Spec.VolumeName == "" {
		return // the loss says so
	}
	found := s.read(ctx, typed.Spec.VolumeName)
	found.claim = claim
	if found.typed != nil {
		bound := found.typed.Spec.ClaimRef
		if bound == nil || bound.UID != "" && bound.UID != typed.UID {
			return // it belongs to another claim
		}
	}
	s.p.volumes = append(s.p.volumes, found)
}

// read reads a volume by name.
func (s *volumeSearch) read(ctx context.Context, name string) *volume {
	found := &volume{object: session.Named(cluster.PersistentVolumes(), "", name)}
	found.typed, found.err = session.ReadAs[corev1.PersistentVolume](ctx, s.p.tools.Session, found.object)
	if whole := found.object.Whole; whole != nil {
		if object, err := session.FromWhole(found.object.Resource, whole); err == nil {
			found.object = object
		}
	}
	return found
}

// addVolume adds a volume that goes itself, with the claim that it is bound to.
func (s *volumeSearch) addVolume(ctx context.Context, object *session.Object) {
	if slices.ContainsFunc(s.p.volumes, func(known *volume) bool { return known.object.Ref.Name == object.Ref.Name }) {
		return
	}
	found := s.read(ctx, object.Ref.Name)
	s.withClaim(ctx, found)
	s.p.volumes = append(s.p.volumes, found)
}

// withClaim adds to a volume the claim that it is bound to, as far as that is still there.
func (s *volumeSearch) withClaim(ctx context.Context, found *volume) {
	if found.typed == nil || found.typed.Spec.ClaimRef == nil {
		return
	}
	bound := found.typed.Spec.ClaimRef
	found.claim = session.Named(cluster.PersistentVolumeClaims(), bound.Namespace, bound.Name)
	if cluster.CheckName(bound.Namespace, bound.Name) != nil {
		found.claim = nil
		return
	}
	claim, err := s.p.tools.Session.Read(ctx, found.claim.Resource, bound.Namespace, bound.Name)
	switch {
	case apierrors.IsNotFound(err):
		found.gone = true
	case err == nil && bound.UID != "" && string(bound.UID) != claim.Ref.UID:
		found.gone, found.other = true, true
	case err == nil:
		found.claim = claim
	}
}

// left says which claims a target may have had that are gone: the ones that their volumes still name. It is nil where
// the target has none, or they are there with it.
func (s *volumeSearch) left() func(claim *corev1.ObjectReference) bool {
	target := s.p.target.Ref
	switch {
	case s.p.target.Is("", "PersistentVolumeClaim") && (s.p.gone || !s.p.target.Terminating()):
		return func(claim *corev1.ObjectReference) bool {
			return claim.Namespace == target.Namespace && claim.Name == target.Name && string(claim.UID) != target.UID
		}
	case s.p.target.Is("", "Namespace"):
		return func(claim *corev1.ObjectReference) bool { return claim.Namespace == target.Name }
	case s.p.target.Is("apps", "StatefulSet"):
		isOfSet := s.p.isOfSet
		if isOfSet == nil { // nothing was listed: the StatefulSet was not deleted
			isOfSet = loss.ClaimsOfSet(s.p.target, nil)
		}
		return func(claim *corev1.ObjectReference) bool { return isOfSet(claim.Namespace, claim.Name) }
	}
	return nil
}

// addLeft adds the volumes that name a claim which is gone.
func (s *volumeSearch) addLeft(ctx context.Context) {
	mine := s.left()
	volumes, err := s.p.tools.Session.Reader.List(ctx, cluster.PersistentVolumes(), "", cluster.Selector{})
	if err != nil {
		return // it is among what could not be read
	}
	known := map[string]bool{}
	for _, found := range s.p.volumes {
		known[found.object.Ref.Name] = true
	}
	for i := range volumes {
		typed, err := session.As[corev1.PersistentVolume](&volumes[i])
		if err != nil || known[typed.Name] || typed.Spec.ClaimRef == nil || !mine(typed.Spec.ClaimRef) {
			continue
		}
		object, err := session.FromWhole(cluster.PersistentVolumes(), &volumes[i])
		if err != nil {
			continue
		}
		found := &volume{object: object, typed: typed}
		if s.withClaim(ctx, found); found.gone {
			s.p.volumes = append(s.p.volumes, found)
		}
	}
}

// addReleased adds a target that was not deleted itself, but is left over from a claim that is gone.
func (s *volumeSearch) addReleased(ctx context.Context) {
	found := s.read(ctx, s.p.target.Ref.Name)
	if s.withClaim(ctx, found); found.gone && found.released() {
		s.p.volumes, s.p.released = append(s.p.volumes, found), true
	}
}

// storage is what a volume says of where its data are.
func (v *volume) storage() []finding.Named {
	if v.typed == nil {
		return nil
	}
	return loss.StorageOf(v.typed)
}
