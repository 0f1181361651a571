package mechanism

import (
	"context"
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// driverWait is something that a storage driver has yet to do, and that nobody else can.
type driverWait struct {
	object     *session.Object // that is held
	driver     string
	finalizers []string // of the object, that the driver then removes
	what       string   // in words that complete "… has yet to …"
	state      string   // of the object, as far as it matters to the driver
	complaint  *health.Complaint
	unheard    error // of looking for complaints
	// ways are what can be done without the driver, safest first.
	ways []finding.Remedy
}

// awaitDriver answers for a hold that only a storage driver can release (deletion-mechanics M09).
func (t *Tools) awaitDriver(ctx context.Context, wait driverWait) session.Answer {
	found, what, err := t.driver(ctx, wait.driver)
	if err != nil {
		return session.Unread(what, err, wait.quotes()...)
	}
	speaks := wait.complaint != nil && strings.Contains(wait.complaint.By, wait.driver) && t.Session.Now().Sub(wait.complaint.At) < attribution.DriverAlive
	if len(found.seen) == 0 && !speaks && wait.unheard != nil {
		return session.Unread("events about "+wait.object.Ref.String()+", by which its driver would show that it runs elsewhere", wait.unheard, found.notSeen...)
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
// holds the object by is one cause: one thing mends it.
func (t *Tools) driverMissing(wait driverWait, found storageDriver) finding.Finding {
	ref, driver := wait.object.Ref, wait.driver
	resource := wait.object.Resource.QualifiedName()
	ways := append([]finding.Remedy{{
		Action:  fmt.Sprintf("Bring the storage driver %s back and let it finish. See which drivers there are.", driver),
		Command: append(t.Session.Kubectl.Prefix(finding.Ref{}), "get", "csidrivers.storage.k8s.io"),
		Risk:    finding.NoRisk,
	}}, wait.ways...)
	return finding.Finding{
		Reason: finding.ControllerMissing, Object: ref, Finalizer: wait.finalizers[0], Also: wait.finalizers[1:], Certainty: finding.Likely,
		Message: fmt.Sprintf("%s waits for the storage driver %s to %s and to remove %s. Nothing of that driver is visible in this cluster; it may run elsewhere.",
			ref, driver, strings.ReplaceAll(wait.what, ref.String(), "it"), strings.Join(wait.finalizers, " and ")),
		Awaited:  fmt.Sprintf("the storage driver %s, of which nothing is visible in this cluster, to %s", driver, wait.what),
		Evidence: append(append(found.notSeen, wait.quotes()...), t.heldBy(wait)...),
		Remedies: ways,
		Alike:    fmt.Sprintf("missing storage driver %s of %s", driver, resource),
		Several: func(count int) string {
			return fmt.Sprintf("the storage driver %s, of which nothing is visible in this cluster, to release %d objects of kind %s", driver, count, ref.Kind)
		},
	}
}

func (t *Tools) heldBy(wait driverWait) []finding.Evidence {
	observed := "held by " + strings.Join(wait.finalizers, " and ")
	if wait.state != "" {
		observed = wait.state + ", " + observed
	}
	return []finding.Evidence{{Source: wait.object.Ref.String(), Observed: observed, Object: &wait.object.Ref}}
}

// driverFailing is the cause of an object about which its driver, or who acts for it, complains.
func (t *Tools) driverFailing(wait driverWait, found storageDriver) finding.Finding {
	ref := wait.object.Ref
	words := health.Quoted(wait.complaint.Words)
	return finding.Finding{
		Reason: finding.ControllerFailing, Object: ref, Finalizer: wait.finalizers[0], Also: wait.finalizers[1:], Certainty: finding.Likely,
		Message:  fmt.Sprintf("The storage driver %s has yet to %s, and this is reported: %s.", wait.driver, wait.what, words),
		Awaited:  fmt.Sprintf("the storage driver %s to %s, of which this is reported: %s", wait.driver, wait.what, words),
		Evidence: append(wait.quotes(), found.seen...),
		Remedies: append([]finding.Remedy{{
			Action:  "Mend what is reported. The driver tries again by itself, and its logs say more.",
			Command: t.Session.Kubectl.Command(wait.object, "describe"),
			Risk:    finding.NoRisk,
		}}, session.Overriding(wait.ways, finding.ControllerFailing)...),
	}
}

// driverSilent answers for a driver of which something is visible, and which says nothing.
func (t *Tools) driverSilent(wait driverWait, found storageDriver) session.Answer {
	note := finding.Finding{
		Message:  fmt.Sprintf("The storage driver %s has yet to %s. It is known in this cluster and reports no error; its controller's logs would tell.", wait.driver, wait.what),
		Awaited:  fmt.Sprintf("the storage driver %s to %s", wait.driver, wait.what),
		Evidence: append(found.seen, t.heldBy(wait)...),
	}
	if t.Session.Since(wait.object) < session.Patience {
		return session.Progress(note)
	}
	note.Awaited += ", and nothing tells why it has not"
	return session.Open(note)
}
