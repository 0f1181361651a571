package mechanism

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// driverWait is something that a storage driver has yet to do, and that only the driver can do.
type driverWait struct {
	object     *Object // that is held
	driver     string
	hold       finding.Hold // that is asked about
	finalizers []string     // of the object, that the driver then removes
	task       finding.Phrase
	state      string // of the object, as far as it matters to the driver
	complaint  *health.Complaint
	unheard    error // of looking for complaints
	// behind answers for what the driver itself waits for, if there is such: what it says of the object is about that.
	behind func() Answer
	// ways are what can be done without the driver, safest first.
	ways []Remedy
}

// awaitDriver answers for a hold that only a storage driver can release (docs/deletion.md#volume-reclaim).
func awaitDriver(ctx context.Context, reads *session.Session, finder *attribution.Finder, wait driverWait) Answer {
	found := finder.Driver(ctx, attribution.DriverDuty{
		Object: wait.object, Hold: wait.hold, Driver: wait.driver, Heard: wait.complaint, Unheard: wait.unheard,
	})
	acts := found.Failing || found.AtWork || found.Answer.Empty()
	if acts && wait.behind != nil && !found.Missing {
		if answer := wait.behind(); !answer.Empty() {
			return answer
		}
	}
	switch {
	case found.Missing:
		attached := wait.attachments()
		for _, await := range attached.Waits {
			wait.named(await.Blocker.Ref)
		}
		attached.Add(session.Cause(driverMissing(reads, wait, found)))
		return attached
	case found.Failing:
		denied, quoted := finder.Denial(ctx, wait.complaint.Words)
		switch {
		case quoted && denied.Unread != nil:
			return session.Unread(finding.Unread{Aspect: finding.Rights}, denied.Unread, found.Evidence...)
		case quoted && !denied.Over:
			return session.Cause(driverDenied(wait, found, denied))
		case !quoted:
			return session.Cause(driverFailing(reads, wait, found))
		}
		found.Evidence = append(found.Evidence, denied.Evidence)
		return session.Open(driverSilent(reads, wait, found))
	case found.AtWork:
		return session.Progress(driverSilent(reads, wait, found))
	case found.Answer.Empty():
		return session.Open(driverSilent(reads, wait, found))
	}
	return wait.withOwnWays(found.Answer)
}

// withOwnWays puts what is known of the volume in the place of the last resort, which doesn't say where the data are.
func (d driverWait) withOwnWays(answer Answer) Answer {
	for cause := range answer.AllCauses() {
		d.replaceLast(cause)
	}
	return answer
}

func (d driverWait) replaceLast(cause *Finding) {
	if last := len(cause.Remedies) - 1; last >= 0 && len(d.ways) > 0 && cause.Remedies[last].Forces() {
		own := session.OverridingCause(d.ways[len(d.ways)-1:], cause.Reason)
		cause.Remedies = append(cause.Remedies[:last:last], own...)
	}
}

// attachments are what the driver would wait for itself. What could not be read is noted, and adds nothing.
func (d driverWait) attachments() (answer Answer) {
	if d.behind != nil {
		answer.Waits = d.behind().Waits
	}
	return answer
}

// named has the last resort name an attachment of the volume.
func (d driverWait) named(attachment finding.Ref) {
	if last := len(d.ways) - 1; last >= 0 {
		if details, is := d.ways[last].Details.(finding.VolumeDetails); is {
			details.Attachments = append(slices.Clone(details.Attachments), attachment)
			d.ways[last].Details = details
		}
	}
}

// driverMissing is the cause of an object of whose driver nothing is visible: one for all that it should release.
func driverMissing(reads *session.Session, wait driverWait, found attribution.DriverStanding) Finding {
	return Finding{
		Reason: finding.ControllerMissing, Situation: "StorageDriverMissing", Object: wait.object.Ref,
		Finalizer: wait.finalizers[0], Also: wait.finalizers[1:], Details: wait.details(), Certainty: finding.Likely,
		Key:      finding.KeyOf("StorageDriverMissing", wait.driver),
		Evidence: append(found.Evidence, wait.heldBy()), Signs: found.Signs,
		Remedies: append([]Remedy{bringDriverBack(reads, wait.driver)}, wait.ways...),
	}
}

func bringDriverBack(reads *session.Session, driver string) Remedy {
	return Remedy{
		Step: "BringDriverBack", Details: finding.StepDetails{Name: driver},
		Command: reads.Kubectl.Prefix(finding.Ref{}, "get", "csidrivers.storage.k8s.io"),
	}
}

// driverSilent is about a driver that has yet to act and reports no error.
func driverSilent(reads *session.Session, wait driverWait, found attribution.DriverStanding) Finding {
	details := wait.details()
	details.Overdue = reads.Since(wait.object) >= session.Patience
	details.Controller, details.Candidates = found.Controller, found.Candidates
	silent := Finding{
		Situation: "StorageDriverSilent", Object: wait.object.Ref, Details: details,
		Evidence: append(found.Evidence, wait.heldBy()), Signs: found.Signs,
	}
	if !found.AtWork {
		silent.Remedies = found.Logs
	}
	return silent
}

func (d driverWait) details() finding.StorageDriverDetails {
	return finding.StorageDriverDetails{Driver: d.driver, Task: &d.task}
}

func (d driverWait) heldBy() Evidence {
	return d.object.Ref.Observed("%s, held by %s", d.state, strings.Join(d.finalizers, " and ")).Ranked(finding.Second)
}

// driverDenied is the cause of an object whose driver is denied what it takes: the API server's own words are reported.
func driverDenied(wait driverWait, found attribution.DriverStanding, denied attribution.Denied) Finding {
	cause := denied.Cause(wait.object, wait.finalizers[0], wait.complaint.Words,
		wait.complaint.Evidence(wait.object.Ref))
	cause.Also, cause.Evidence = wait.finalizers[1:], append(cause.Evidence, found.Evidence...)
	cause.Remedies = append(cause.Remedies, session.OverridingCause(wait.ways, finding.ControllerForbidden)...)
	return cause
}

func driverFailing(reads *session.Session, wait driverWait, found attribution.DriverStanding) Finding {
	details := wait.details()
	details.Words, details.Controller = wait.complaint.Words, found.Controller
	remedies := append(
		[]Remedy{{Step: "RepairDriver", Command: reads.Kubectl.Command(wait.object, "describe")}}, found.Logs...,
	)
	return Finding{
		Reason: finding.ControllerFailing, Situation: "StorageDriverFails", Object: wait.object.Ref,
		Finalizer: wait.finalizers[0], Also: wait.finalizers[1:], Details: details, Certainty: finding.Likely,
		Evidence: found.Evidence,
		Remedies: append(remedies, session.OverridingCause(wait.ways, finding.ControllerFailing)...),
	}
}

// driverDuty is the duty of the driver that a volume or an attachment names.
func driverDuty() *bearer {
	return &bearer{
		namedBy: func(object *Object) *Object { return object }, alone: true, fares: driverFares,
		name: func(held Held, _ *Object) string { return driverNamed(held.Object, held.Hold.Name) },
	}
}

// driverNamed names the storage driver that holds an object, which was read whole, by a finalizer, or nothing.
func driverNamed(object *Object, finalizer string) string {
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

// driverFares looks for the storage driver that holds an object, as awaitDriver does for what it has yet to do.
func driverFares(ctx context.Context, t *Tools, held Held, _ *Object) attribution.Presence {
	driver := driverNamed(held.Object, held.Hold.Name)
	found := t.Attribution.Driver(ctx, attribution.DriverDuty{Object: held.Object, Hold: held.Hold, Driver: driver})
	details := finding.StorageDriverDetails{Driver: driver, Controller: found.Controller}
	fares := attribution.PresenceBy(found.Answer)
	switch {
	case found.Missing:
		fares = attribution.PresenceBy(session.Cause(Finding{
			Reason: finding.ControllerMissing, Situation: "StorageDriverAbsent", Object: held.Ref,
			Finalizer: held.Hold.Name,
			Details:   details, Certainty: finding.Likely, Evidence: found.Evidence,
			Remedies: []Remedy{bringDriverBack(t.Session, driver)},
		}))
	case !found.Answer.Empty():
	case found.Controller != nil:
		fares.Controller = found.Controller
		fares.Finding = Finding{
			Situation: "StorageDriverRuns", Details: details, Certainty: finding.Likely, Evidence: found.Evidence,
		}
	default:
		details.Candidates = found.Candidates
		fares = attribution.Presence{State: attribution.Unsettled, Finding: Finding{
			Situation: "StorageDriverUnsettled", Details: details, Certainty: finding.Unknown, Evidence: found.Evidence,
		}}
	}
	fares.Unread = found.Unread
	return fares
}
