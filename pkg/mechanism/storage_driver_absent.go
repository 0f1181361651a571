package mechanism

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// HeldByDriver tells whether a finalizer is one by which a storage driver holds a volume or an attachment.
func HeldByDriver(object *Object, finalizer string) bool {
	attaches := strings.HasPrefix(finalizer, attacherPrefix)
	if object.Is("storage.k8s.io", "VolumeAttachment") {
		return attaches
	}
	return object.Is("", "PersistentVolume") && (attaches || finalizer == provisionerFinalizer)
}

// Driver names the storage driver that holds an object, which was read whole, by a finalizer, or nothing.
func Driver(object *Object, finalizer string) string {
	if object.Whole == nil {
		return ""
	}
	if object.Is("storage.k8s.io", "VolumeAttachment") {
		attachment, err := session.As[storagev1.VolumeAttachment](object.Whole)
		if err != nil {
			return ""
		}
		return attachment.Spec.Attacher
	}
	volume, err := session.As[corev1.PersistentVolume](object.Whole)
	if err != nil {
		return ""
	}
	return driverOf(volume, finalizer)
}

// AbsentDriver tells of a live object whether the storage driver is there that holds it, as awaitDriver does of one
// that is being deleted.
func (t *Tools) AbsentDriver(ctx context.Context, object *Object, finalizer, driver string) attribution.Absence {
	found, what, err := t.driver(ctx, driver)
	if err != nil {
		return attribution.Absence{Unread: []finding.Unread{what.Because(err)}}
	}
	if len(found.seen) == 0 {
		return attribution.Foretell(session.Cause(finding.Finding{
			Reason: finding.ControllerMissing, Situation: "StorageDriverAbsent", Object: object.Ref, Finalizer: finalizer,
			Details: finding.StorageDriverDetails{Driver: driver}, Certainty: finding.Likely,
			Evidence: found.notSeen, Remedies: []finding.Remedy{t.bringDriverBack(driver)},
		}))
	}
	if workload, down := found.down(); down {
		return attribution.Foretell(t.driverDown(driver, workload))
	}
	return attribution.Absence{}
}
