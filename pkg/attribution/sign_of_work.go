package attribution

import (
	"context"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// signOfWork reports whether a controller that runs may be at work on the object, by what shows it. No first moment is
// given to a controller if there is an objection to it, or if nothing binds it to the finalizer. It is counted from the
// deletion, or from when its pod was ready to see it.
func (h *held) signOfWork(ctx context.Context, c *candidate) (finding.Evidence, bool) {
	if last := h.lastWrite(); !last.At.IsZero() && h.search.session.Now().Sub(last.At) < freshWrite {
		return h.writtenEvidence(last), true
	}
	fits := !anotherIsMeant(h.search.finder, h.search.criteria, c) && bound(h.search.criteria, h.search.byDomain, c)
	if h.search.session.Since(h.object) < session.Patience && fits {
		return session.ObservedOf(h.object, h.search.session.Deleted(h.object.RequestedAt())), true
	}
	pod, started := c.since()
	young := started.After(h.object.RequestedAt()) && h.search.session.Now().Sub(started) < session.Patience
	if young && fits && len(sayings(h.search, h.object)) == 0 { // else it has spoken already
		named := session.Named(cluster.Pods(), c.namespace, pod)
		return session.ObservedOf(named, "its pod started "+h.search.session.Ago(started)+" ago").When(started), true
	}
	who, moved := h.movedMeanwhile(ctx)
	observed := who + " wrote to it within the last two seconds"
	return finding.Evidence{Source: "a second look", Observed: observed, Object: &h.object.Ref}, moved
}

// movedMeanwhile takes a second look: whether a program has written to the object since.
func (h *held) movedMeanwhile(ctx context.Context) (string, bool) {
	if !h.search.session.Rest(ctx) {
		return "", false
	}
	ref := h.object.Ref
	now, err := h.search.session.Reader.Fresh().Metadata(ctx, h.object.Resource, ref.Namespace, ref.Name)
	h.search.session.Reader.Failed(h.object.Resource, ref.Namespace, ref.Name, err)
	if err != nil || now.UID != h.object.Meta.UID || now.ResourceVersion == h.object.Meta.ResourceVersion {
		return "", false
	}
	for _, entry := range unobserved(h.search.finder.Plugins, h.search.criteria.resource, now.ManagedFields) {
		manual := writers.WritesManifests(entry.Manager)
		wrote := entry.Time != nil && entry.Time.After(session.LastWrite(h.object.Meta, entry.Manager))
		if wrote && !manual && !h.bystander(entry.Manager) {
			return entry.Manager, mayBeController(h.search, h.setters, entry.Manager)
		}
	}
	return "", false
}

// DriverAlive is how fresh a driver's own complaint must be to show that it runs: sidecars try again every few minutes.
const DriverAlive = 15 * time.Minute
