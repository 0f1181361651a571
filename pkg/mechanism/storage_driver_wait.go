package mechanism

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// driverWait is something that a storage driver has yet to do, and that nobody else can.
type driverWait struct {
	object     *Object // that is held
	driver     string
	finalizers []string // of the object, that the driver then removes
	task       finding.Phrase
	state      string // of the object, as far as it matters to the driver
	complaint  *health.Complaint
	unheard    error // of looking for complaints
	// ways are what can be done without the driver, safest first.
	ways []Remedy
}

// awaitDriver answers for a hold that only a storage driver can release (deletion-mechanics M09).
func (t *Tools) awaitDriver(ctx context.Context, wait driverWait) Answer {
	found, what, err := t.driver(ctx, wait.driver)
	if err != nil {
		return session.Unread(what, err, wait.quotes()...)
	}
	heard := wait.complaint
	speaks := heard != nil && strings.Contains(heard.By, wait.driver) &&
		t.Session.Now().Sub(heard.At) < attribution.DriverAlive
	workload, down := found.down()
	switch absent := len(found.seen) == 0 && !speaks; {
	case absent && wait.unheard != nil:
		what := finding.Unread{Aspect: finding.DriverEvents, Object: &wait.object.Ref}
		return session.Unread(what, wait.unheard, found.notSeen...)
	case absent:
		return session.Cause(t.driverMissing(wait, found))
	case down:
		return t.driverDown(ctx, wait.driver, workload)
	case heard != nil && controller.Judge(heard.Words) != controller.Conflict:
		denied, quoted := t.Attribution.Denial(ctx, heard.Words)
		switch {
		case quoted && !denied.Over:
			return session.Cause(t.driverDenied(wait, found, denied))
		case !quoted:
			return session.Cause(t.driverFailing(wait, found))
		}
		found.seen = append(append(found.seen, wait.quotes()...), denied.Evidence)
	}
	details := wait.details()
	details.Overdue = t.Session.Since(wait.object) >= session.Patience
	return going(Finding{
		Situation: "StorageDriverSilent", Object: wait.object.Ref, Details: details,
		Evidence: append(found.seen, wait.heldBy()),
	}, details.Overdue)
}

func (d driverWait) quotes() (evidence []Evidence) {
	if d.complaint != nil {
		evidence = append(evidence, d.complaint.Evidence(d.object.Ref))
	}
	return evidence
}

// driverMissing is the cause of an object of whose driver nothing is visible: one for all of the driver's finalizers.
func (t *Tools) driverMissing(wait driverWait, found storageDriver) Finding {
	return Finding{
		Reason: finding.ControllerMissing, Situation: "StorageDriverMissing", Object: wait.object.Ref,
		Finalizer: wait.finalizers[0], Also: wait.finalizers[1:], Details: wait.details(), Certainty: finding.Likely,
		Key:      finding.KeyOf("StorageDriverMissing", wait.driver, wait.object.Resource.QualifiedName()),
		Evidence: append(slices.Concat(found.notSeen, wait.quotes()), wait.heldBy()),
		Remedies: append([]Remedy{t.bringDriverBack(wait.driver)}, wait.ways...),
	}
}

func (t *Tools) bringDriverBack(driver string) Remedy {
	return Remedy{
		Step: "BringDriverBack", Details: finding.StepDetails{Name: driver},
		Command: t.Session.Kubectl.Prefix(finding.Ref{}, "get", "csidrivers.storage.k8s.io"),
	}
}

func (d driverWait) details() finding.StorageDriverDetails {
	return finding.StorageDriverDetails{Driver: d.driver, Task: &d.task}
}

func (d driverWait) heldBy() Evidence {
	return d.object.Ref.Observed("%s, held by %s", d.state, strings.Join(d.finalizers, " and "))
}

// driverDenied is the cause of an object whose driver is denied what it takes: the API server's own words are reported.
func (t *Tools) driverDenied(wait driverWait, found storageDriver, denied attribution.Denied) Finding {
	cause := denied.Cause(wait.object, wait.finalizers[0], wait.complaint.Words, wait.quotes()[0])
	cause.Also, cause.Evidence = wait.finalizers[1:], append(cause.Evidence, found.seen...)
	cause.Remedies = append(cause.Remedies, session.Overriding(wait.ways, finding.ControllerForbidden)...)
	return cause
}

func (t *Tools) driverFailing(wait driverWait, found storageDriver) Finding {
	details := wait.details()
	details.Words = wait.complaint.Words
	return Finding{
		Reason: finding.ControllerFailing, Situation: "StorageDriverFails", Object: wait.object.Ref,
		Finalizer: wait.finalizers[0], Also: wait.finalizers[1:], Details: details, Certainty: finding.Likely,
		Evidence: append(wait.quotes(), found.seen...),
		Remedies: append([]Remedy{{
			Step: "RepairDriver", Command: t.kubectl(wait.object, "describe"),
		}}, session.Overriding(wait.ways, finding.ControllerFailing)...),
	}
}

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
		attacher, _, _ := unstructured.NestedString(object.Whole.Object, "spec", "attacher")
		return attacher
	}
	volume, err := session.As[corev1.PersistentVolume](object.Whole)
	if err != nil {
		return ""
	}
	return driverOf(volume, finalizer)
}

// AbsentDriver looks for the storage driver that holds a live object, as awaitDriver does for a deleted one.
func (t *Tools) AbsentDriver(ctx context.Context, object *Object, finalizer, driver string) attribution.Absence {
	found, what, err := t.driver(ctx, driver)
	if err != nil {
		return attribution.Absence{Unread: []finding.Unread{what.Because(err)}}
	}
	if len(found.seen) == 0 {
		return attribution.Foretell(session.Cause(Finding{
			Reason: finding.ControllerMissing, Situation: "StorageDriverAbsent", Object: object.Ref, Finalizer: finalizer,
			Details: finding.StorageDriverDetails{Driver: driver}, Certainty: finding.Likely,
			Evidence: found.notSeen, Remedies: []Remedy{t.bringDriverBack(driver)},
		}))
	}
	if workload, down := found.down(); down {
		return attribution.Foretell(t.driverDown(ctx, driver, workload))
	}
	return attribution.Absence{}
}
