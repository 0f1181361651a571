package cluster

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Keep says which objects of a list somebody wants: those to which any of it applies. All others may
// be dropped as they pass, before they are decoded, which is most of the work of a scan.
type Keep uint8

// What objects may be kept for. The zero value keeps all.
const (
	KeepTerminating Keep = 1 << iota // deletion was requested
	KeepOwned                        // there are owner references
	KeepHeld                         // there are finalizers
	KeepAll         Keep = 0
)

// KeepSlim keeps all objects without their managedFields, annotations and labels, which are most of the metadata
// there is. Of one with neither owners nor finalizers, a Reader may keep no more than its names and its uid.
const KeepSlim Keep = 1 << 7

// KeepSample, with KeepSlim, allows a Reader to leave one object's managedFields where they are of those of one
// list that have the same finalizers: who set these is, as a rule, the same program.
const KeepSample Keep = 1 << 6

// Keeps tells whether an object is one to keep.
func (k Keep) Keeps(object *metav1.PartialObjectMetadata) bool {
	return k == KeepAll || k&KeepSlim != 0 ||
		k&KeepTerminating != 0 && object.DeletionTimestamp != nil ||
		k&KeepOwned != 0 && len(object.OwnerReferences) > 0 ||
		k&KeepHeld != 0 && len(object.Finalizers) > 0
}
