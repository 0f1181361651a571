package cluster

import (
	"cmp"
	"context"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// scanWidth is how many lists are fetched side by side. Most have next to nothing in them, so what they
// take is the way to the server and back; its priority and fairness holds back what is too much.
const scanWidth = 16

// Unlisted is a resource that a scan could not list, and why.
type Unlisted struct {
	Resource
	Err error
}

// ScanFor reads the metadata of the objects of several resources that a selector selects, side by side, and calls visit
// with each, one at a time; without visit, it only sees which resources can't be listed. Those are returned; "not
// found" means that the resource isn't served any more. Where what is selected would take too much memory, the lists
// with more of it can't be read.
func ScanFor(
	ctx context.Context, reader Reader, resources []Resource, namespace string, selector Selector,
	visit func(Resource, *metav1.PartialObjectMetadata),
) (unread []Unlisted) {
	var mu sync.Mutex
	var lists sync.WaitGroup
	held := &ledger{} // of what is kept of all lists
	places := make(chan struct{}, scanWidth)
	for _, resource := range resources {
		places <- struct{}{}
		lists.Go(func() {
			defer func() { <-places }()
			ctx, stop := context.WithCancelCause(ctx)
			defer stop(nil)
			err := reader.EachMetadata(ctx, resource, namespace, selector, func(object *metav1.PartialObjectMetadata) {
				if visit == nil || !selector.Keep.Keeps(object) {
					return // a Reader that has everything at hand need not drop anything
				}
				mu.Lock()
				defer mu.Unlock()
				taken := sizeOf(object)
				if object.DeletionTimestamp == nil {
					taken -= objectSize / 2 // little more than its names is kept, as a rule
				}
				if held.taken.Add(taken) <= mostHeld {
					visit(resource, object)
				} else {
					stop(tooMuchHeld())
				}
			})
			if _, wrong := GotWrongAnswer(context.Cause(ctx)); wrong {
				err = context.Cause(ctx)
			}
			if err != nil && !apierrors.IsNotFound(err) {
				mu.Lock()
				defer mu.Unlock()
				unread = append(unread, Unlisted{Resource: resource, Err: err})
			}
		})
	}
	lists.Wait()
	slices.SortFunc(unread, func(a, b Unlisted) int { return cmp.Compare(a.QualifiedName(), b.QualifiedName()) })
	return unread
}

// Keep says which objects of a list are wanted: those to which any of it applies. All others may be dropped as they
// pass, before they are decoded, which is most of the work of a scan.
type Keep uint8

// What objects may be kept for. The zero value keeps all.
const (
	KeepTerminating Keep = 1 << iota // deletion was requested
	KeepOwned                        // there are owner references
	KeepHeld                         // there are finalizers
	KeepAll         Keep = 0
	// KeepSlim keeps all objects without their managedFields, annotations and labels, which are most of the metadata
	// there is. If an object has neither owners nor finalizers, a Reader may keep only its names, its uid and when its
	// deletion was requested. Together with KeepTerminating, objects that are Terminating keep all that they have, and
	// together with KeepOwned the ones with owners keep their annotations and labels.
	KeepSlim Keep = 1 << 7
	// KeepSample, with KeepSlim, allows a Reader to leave one object's managedFields where they are of those of one
	// list that have the same finalizers: who set these is, as a rule, the same program.
	KeepSample Keep = 1 << 6
)

// Keeps reports whether an object is one to keep.
func (k Keep) Keeps(object *metav1.PartialObjectMetadata) bool {
	return k == KeepAll || k&KeepSlim != 0 || k.holds(object)
}

// holds reports whether any of Terminating, Owned and Held is among k and applies to an object.
func (k Keep) holds(object *metav1.PartialObjectMetadata) bool {
	return k&KeepTerminating != 0 && object.DeletionTimestamp != nil ||
		k&KeepOwned != 0 && len(object.OwnerReferences) > 0 || k&KeepHeld != 0 && len(object.Finalizers) > 0
}
