package ownership

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// IsPolicy reports whether a finalizer says what becomes of an object's dependents. A DELETE with a policy sets them
// anew: one that was there before holds nothing. Only where no policy is sent, the one that is there decides (k8s v1.37
// apiserver/pkg/registry/generic/registry/store.go:deletionFinalizersForGarbageCollection).
func IsPolicy(finalizer string) bool {
	return finalizer == metav1.FinalizerOrphanDependents || finalizer == metav1.FinalizerDeleteDependents
}
