package ownership

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// A circle of owners hangs in foreground deletion only if its references have blockOwnerDeletion, and each member
// was deleted in this way before the garbage collector got to one: else it opens the circle. An object that owns itself
// always hangs (k8s v1.37
// pkg/controller/garbagecollector/garbagecollector.go:attemptToDeleteItem, processDeletingDependentsItem).

// WaitsForDependents reports whether an object is in foreground deletion.
func WaitsForDependents(object *session.Object) bool {
	return HasFinalizer(object, metav1.FinalizerDeleteDependents) && object.Terminating()
}

// Opens reports whether the garbage collector opens the circle that a dependent may be in: one of its own dependents is
// in foreground deletion. Then it sets blockOwnerDeletion to false in all owner references of the dependent.
func Opens(dependent *session.Object, itsDependents []*session.Object) bool {
	return !dependent.Terminating() && slices.ContainsFunc(itsDependents, WaitsForDependents)
}

// Circles are the sets of objects that own one another, and each object that owns itself: by any references, or only by
// references that block an owner in foreground deletion. They are sorted, and so are their members. There are none if
// ctx ends meanwhile.
func Circles(ctx context.Context, objects []*session.Object, onlyBlocking bool) (circles [][]finding.Ref) {
	var owns graph.Graph
	byUID := map[string]*session.Object{}
	for _, object := range objects {
		byUID[object.Ref.UID] = object
	}
	for _, object := range objects {
		if ctx.Err() != nil {
			return nil
		}
		for _, reference := range object.Meta.OwnerReferences {
			owner := byUID[string(reference.UID)]
			if owner != nil && (!onlyBlocking || session.Blocks(object, owner.Ref.UID)) {
				owns.Link(graph.Edge{From: owns.Add(owner.Ref), To: owns.Add(object.Ref), Type: finding.WaitsFor})
			}
		}
	}
	for _, members := range owns.Cycles(ctx) {
		circle := finding.Each(members, func(member int) finding.Ref { return owns.Nodes()[member].Ref })
		slices.SortFunc(circle, finding.Compare)
		circles = append(circles, circle)
	}
	slices.SortFunc(circles, func(a, b []finding.Ref) int { return finding.Compare(a[0], b[0]) })
	return circles
}
