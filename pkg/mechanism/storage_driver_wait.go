package mechanism

import (
	"context"
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// driverWait is something that a storage driver has yet to do, and that nobody else can.
type driverWait struct {
	object     *facts.Object // that is held
	driver     string
	finalizers []string // of the object, that the driver then removes
	what       string   // in words that complete "… has yet to …"
	state      string   // of the object, as far as it matters to the driver
	complaint  *facts.Complaint
	unheard    error // of looking for complaints
	// ways are what can be done without the driver, safest first.
	ways []graph.Remedy
}

// awaitDriver answers for a hold that only a storage driver can release (deletion-mechanics M09).
func (w *World) awaitDriver(ctx context.Context, wait driverWait) facts.Answer {
	found, what, err := w.driver(ctx, wait.driver)
	if err != nil {
		return facts.Unread(what, err, wait.quotes()...)
	}
	speaks := wait.complaint != nil && strings.Contains(wait.complaint.By, wait.driver) && w.Now().Sub(wait.complaint.At) < attribution.DriverAlive
	if len(found.seen) == 0 && !speaks && wait.unheard != nil {
		return facts.Unread("events about "+wait.object.Ref.String()+", by which its driver would show that it runs elsewhere", wait.unheard, found.notSeen...)
	}
	if len(found.seen) == 0 && !speaks {
		return facts.Cause(w.driverMissing(wait, found))
	}
	if workload, down := found.down(); down {
		return w.driverDown(wait.driver, workload)
	}
	if wait.complaint != nil {
		return facts.Cause(w.driverFailing(wait, found))
	}
	return w.driverSilent(wait, found)
}

// quotes are what was reported about the object.
func (d driverWait) quotes() []graph.Evidence {
	if d.complaint == nil {
		return nil
	}
	return []graph.Evidence{d.complaint.Evidence(d.object.Ref)}
}

// driverMissing is the cause of an object of whose driver nothing is visible. All that the driver
// holds the object by is one cause: one thing mends it.
func (w *World) driverMissing(wait driverWait, found storageDriver) graph.Cause {
	ref, driver := wait.object.Ref, wait.driver
	resource := wait.object.Resource.QualifiedName()
	ways := append([]graph.Remedy{{
		Action:  fmt.Sprintf("Bring the storage driver %s back and let it finish. See which drivers there are.", driver),
		Command: append(w.Kubectl.Prefix(graph.Ref{}), "get", "csidrivers.storage.k8s.io"),
		Risk:    graph.NoRisk,
	}}, wait.ways...)
	return graph.Cause{
		Reason: graph.ControllerMissing, Object: ref, Finalizer: wait.finalizers[0], Also: wait.finalizers[1:], Certainty: graph.Likely,
		Message: fmt.Sprintf("%s waits for the storage driver %s to %s and to remove %s. Nothing of that driver is visible in this cluster; it may run elsewhere.",
			ref, driver, strings.ReplaceAll(wait.what, ref.String(), "it"), strings.Join(wait.finalizers, " and ")),
		Awaited:  fmt.Sprintf("the storage driver %s, of which nothing is visible in this cluster, to %s", driver, wait.what),
		Evidence: append(append(found.notSeen, wait.quotes()...), w.heldBy(wait)...),
		Remedies: ways,
		Alike:    fmt.Sprintf("missing storage driver %s of %s", driver, resource),
		Several: func(count int) string {
			return fmt.Sprintf("the storage driver %s, of which nothing is visible in this cluster, to release %d objects of kind %s", driver, count, ref.Kind)
		},
	}
}

func (w *World) heldBy(wait driverWait) []graph.Evidence {
	observed := "held by " + strings.Join(wait.finalizers, " and ")
	if wait.state != "" {
		observed = wait.state + ", " + observed
	}
	return []graph.Evidence{{Source: wait.object.Ref.String(), Observed: observed, Object: &wait.object.Ref}}
}

// driverFailing is the cause of an object about which its driver, or who acts for it, complains.
func (w *World) driverFailing(wait driverWait, found storageDriver) graph.Cause {
	ref := wait.object.Ref
	words := facts.Quoted(wait.complaint.Words)
	return graph.Cause{
		Reason: graph.ControllerFailing, Object: ref, Finalizer: wait.finalizers[0], Also: wait.finalizers[1:], Certainty: graph.Likely,
		Message:  fmt.Sprintf("The storage driver %s has yet to %s, and this is reported: %s.", wait.driver, wait.what, words),
		Awaited:  fmt.Sprintf("the storage driver %s to %s, of which this is reported: %s", wait.driver, wait.what, words),
		Evidence: append(wait.quotes(), found.seen...),
		Remedies: append([]graph.Remedy{{
			Action:  "Mend what is reported. The driver tries again by itself, and its logs say more.",
			Command: w.Kubectl.Command(wait.object, "describe"),
			Risk:    graph.NoRisk,
		}}, facts.Overriding(wait.ways, graph.ControllerFailing)...),
	}
}

// driverSilent answers for a driver of which something is visible, and which says nothing.
func (w *World) driverSilent(wait driverWait, found storageDriver) facts.Answer {
	note := facts.Note{
		Message:  fmt.Sprintf("The storage driver %s has yet to %s. It is known in this cluster and reports no error; its controller's logs would tell.", wait.driver, wait.what),
		Awaited:  fmt.Sprintf("the storage driver %s to %s", wait.driver, wait.what),
		Evidence: append(found.seen, w.heldBy(wait)...),
	}
	if w.Since(wait.object) < facts.Patience {
		return facts.Progress(note)
	}
	note.Awaited += ", and nothing tells why it has not"
	return facts.Open(note)
}
