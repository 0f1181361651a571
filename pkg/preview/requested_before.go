package preview

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// GoesOn is what a deletion that was requested takes from now on, if it is not stopped: whatever holds an object lets
// it go in the end.
type GoesOn struct {
	Deleted  []*session.Object // in the order in which they are deleted, the ones that were asked about first
	Taken    []finding.Taken   // what goes with them, without sentences
	Unlisted []cluster.Unlisted
}

// Going follows the deletion of objects in an area from where it is now, by the rules of Preview. It reads the area,
// and does not find out whether anything hangs. It is an error if it is not known what there is to list.
func Going(
	ctx context.Context, tools *mechanism.Tools, area session.Area, roots func(listed []*session.Object) []*session.Object,
) (*GoesOn, error) {
	listing, err := tools.Session.Listing(ctx, area)
	if err != nil {
		return nil, err
	}
	asked := roots(listing.Objects)
	c := newCascade(tools, listing.Objects)
	for _, object := range asked {
		c.request(ctx, object, policyOf(object))
	}
	for more := true; more && ctx.Err() == nil; {
		more = c.goOn(ctx) || c.goesAnyway(ctx)
	}
	if ctx.Err() != nil { // what would be deleted besides is not known
		return nil, ctx.Err()
	}
	going := &GoesOn{Deleted: c.deleted, Unlisted: listing.Unlisted}
	going.Taken = c.losses(ctx)
	for _, object := range asked {
		if !contains(object) {
			going.Taken = append(going.Taken, loss.Unlisted(object,
				tools.Losses.UnlistedSought(ctx, object, listing.Unlisted))...)
		}
	}
	return going, nil
}

// AreaOf is where something is that goes with an object.
func AreaOf(object *session.Object) session.Area { return areaOf(object) }

// policyOf is how the deletion of an object treats its dependents: as the finalizers say that the request has set.
func policyOf(object *session.Object) metav1.DeletionPropagation {
	has := func(name string) bool { return object.Meta != nil && slices.Contains(object.Meta.Finalizers, name) }
	switch {
	case has(metav1.FinalizerOrphanDependents):
		return metav1.DeletePropagationOrphan
	case has(metav1.FinalizerDeleteDependents):
		return metav1.DeletePropagationForeground
	}
	return metav1.DeletePropagationBackground
}

// goesAnyway deletes dependents that another owner would keep, and that are being deleted themselves.
func (c *cascade) goesAnyway(ctx context.Context) (more bool) {
	for _, stay := range c.stays {
		if stay.object.Terminating() {
			c.request(ctx, stay.object, policyOf(stay.object))
			more = true
		}
	}
	return more
}

// losses is what goes with each object that is deleted. What is in a container stands for itself.
func (c *cascade) losses(ctx context.Context) (taken []finding.Taken) {
	c.tools.Losses.ReadAhead(ctx, c.deleted)
	for _, object := range c.deleted {
		if !contains(object) && ctx.Err() == nil {
			taken = append(taken, c.tools.Losses.Deleting(ctx, object)...)
		}
	}
	return taken
}
