package mechanism

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
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
	ways []finding.Remedy
}

// awaitDriver answers for a hold that only a storage driver can release (deletion-mechanics M09).
func (t *Tools) awaitDriver(ctx context.Context, wait driverWait) Answer {
	found, what, err := t.driver(ctx, wait.driver)
	if err != nil {
		return session.Unread(what, err, wait.quotes()...)
	}
	speaks := false
	if heard := wait.complaint; heard != nil && strings.Contains(heard.By, wait.driver) {
		speaks = t.Session.Now().Sub(heard.At) < attribution.DriverAlive
	}
	if len(found.seen) == 0 && !speaks && wait.unheard != nil {
		what := finding.Unread{Aspect: finding.DriverEvents, Object: &wait.object.Ref}
		return session.Unread(what, wait.unheard, found.notSeen...)
	}
	if len(found.seen) == 0 && !speaks {
		return session.Cause(t.driverMissing(wait, found))
	}
	if workload, down := found.down(); down {
		return t.driverDown(wait.driver, workload)
	}
	if wait.complaint != nil {
		return session.Cause(t.driverFailing(wait, found))
	}
	return t.driverSilent(wait, found)
}

// quotes are what was reported about the object.
func (d driverWait) quotes() []finding.Evidence {
	if d.complaint == nil {
		return nil
	}
	return []finding.Evidence{d.complaint.Evidence(d.object.Ref)}
}

// driverMissing is the cause of an object of whose driver nothing is visible. All that the driver
// holds the object by is one cause: one thing repairs it.
func (t *Tools) driverMissing(wait driverWait, found storageDriver) finding.Finding {
	return finding.Finding{
		Reason: finding.ControllerMissing, Situation: "StorageDriverMissing", Object: wait.object.Ref,
		Finalizer: wait.finalizers[0], Also: wait.finalizers[1:], Details: wait.details(), Certainty: finding.Likely,
		Key:      finding.KeyOf("StorageDriverMissing", wait.driver, wait.object.Resource.QualifiedName()),
		Evidence: slices.Concat(found.notSeen, wait.quotes(), wait.heldBy()),
		Remedies: append([]finding.Remedy{t.bringDriverBack(wait.driver)}, wait.ways...),
	}
}

func (t *Tools) bringDriverBack(driver string) finding.Remedy {
	return finding.Remedy{
		Step: "BringDriverBack", Details: finding.StepDetails{Name: driver},
		Command: t.Session.Kubectl.Prefix(finding.Ref{}, "get", "csidrivers.storage.k8s.io"),
	}
}

func (d driverWait) details() finding.StorageDriverDetails {
	return finding.StorageDriverDetails{Driver: d.driver, Task: &d.task}
}

func (d driverWait) heldBy() []finding.Evidence {
	observed := "held by " + strings.Join(d.finalizers, " and ")
	if d.state != "" {
		observed = d.state + ", " + observed
	}
	return []finding.Evidence{d.object.Ref.Observed("%s", observed)}
}

// driverFailing is the cause of an object about which its driver, or who acts for it, complains.
func (t *Tools) driverFailing(wait driverWait, found storageDriver) finding.Finding {
	details := wait.details()
	details.Words = wait.complaint.Words
	return finding.Finding{
		Reason: finding.ControllerFailing, Situation: "StorageDriverFails", Object: wait.object.Ref,
		Finalizer: wait.finalizers[0], Also: wait.finalizers[1:], Details: details, Certainty: finding.Likely,
		Evidence: append(wait.quotes(), found.seen...),
		Remedies: append([]finding.Remedy{{
			Step: "RepairDriver", Command: t.kubectl(wait.object, "describe"),
		}}, session.Overriding(wait.ways, finding.ControllerFailing)...),
	}
}

// driverSilent answers for a driver of which something is visible, and which says nothing.
func (t *Tools) driverSilent(wait driverWait, found storageDriver) Answer {
	details := wait.details()
	details.Overdue = t.Session.Since(wait.object) >= session.Patience
	note := finding.Finding{
		Situation: "StorageDriverSilent", Object: wait.object.Ref, Details: details,
		Evidence: append(found.seen, wait.heldBy()...),
	}
	if details.Overdue {
		return session.Open(note)
	}
	return session.Progress(note)
}
