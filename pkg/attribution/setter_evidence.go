package attribution

import (
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// WhoSet returns what managedFields say about a finalizer, as evidence that restates data which a message says, and as
// that data; none if they say nothing.
func (f *Finder) WhoSet(object *session.Object, hold finding.Hold) ([]finding.Evidence, *finding.SetBy) {
	h := f.heldBy(object, hold, nil)
	switch hold.Type {
	case finding.Finalizer:
	case finding.SpecFinalizer:
		return []finding.Evidence{h.writes().specEvidence()}, nil
	default:
		return nil, nil
	}
	if known, found := f.Plugins.Find(hold.Name, object.Resource.GroupKind().String()); found {
		h.search.criteria.known = &known
	}
	return restated(h.writes().setterEvidence()), h.writes().setBy()
}

// restated is evidence beside a message that says the same, and not why.
func restated(evidence []finding.Evidence) []finding.Evidence {
	return finding.Each(evidence, func(one finding.Evidence) finding.Evidence {
		if one.Rank == finding.Main || one.Rank == finding.Second {
			one.Rank = finding.Restated
		}
		return one
	})
}

// writes are what managedFields say about who wrote a held object, and its finalizer.
type writes struct {
	search   *search
	object   *session.Object
	hold     finding.Hold
	setters  []writers.Setter
	status   writers.Written
	template *template
}

func (h *held) writes() writes {
	return writes{&h.search, h.object, h.hold, h.setters, h.status, h.template}
}

// setBy is who put the finalizer there, as far as managedFields or a template tell.
func (w writes) setBy() *finding.SetBy {
	switch {
	case w.template != nil:
		return &finding.SetBy{Template: &w.template.of.Ref, Path: w.template.path}
	case len(w.setters) == 0:
		return nil
	}
	newest := w.setters[0]
	return &finding.SetBy{
		Manager: newest.Manager, At: newest.At, ByHand: newest.ByHand,
		Copied: newest.Copied() && w.search.criteria.known == nil,
	}
}

// setterProgram is the program that set the finalizer, by its name as a field manager; empty where that names no
// program, or the finalizer comes from a template.
func setterProgram(setters []writers.Setter, template *template) string {
	if template != nil || len(setters) == 0 || !setters[0].Concrete() {
		return ""
	}
	return setters[0].Manager
}

// setterEvidence is where setBy is read.
func (w writes) setterEvidence() (evidence []finding.Evidence) {
	if w.template != nil {
		copied, _ := w.search.finder.WhoSet(w.object, w.hold)
		ranked := func(one finding.Evidence) finding.Evidence { return one.Ranked(max(one.Rank, finding.Restated)) }
		return append(finding.Each(copied, ranked), session.ObservedOf(w.template.of,
			w.template.path+" has the finalizer, which is copied into each object that is made from it"))
	}
	for _, setter := range w.setters {
		observed := fmt.Sprintf("%q set the finalizer at least %s ago", setter.Manager, w.search.session.Ago(setter.At))
		if setter.ByHand {
			observed += "; people and pipelines write under that name"
		}
		rank := finding.Second
		if setter.Copied() && w.search.criteria.known == nil { // the message says that it did, and when
			observed = setter.Manager + " sets such finalizers only when it creates an object from a template that has them"
			rank = finding.Told
		}
		evidence = append(evidence, w.managed(setter.At, observed).Ranked(rank))
	}
	if len(w.setters) > 0 {
		return evidence
	}
	observed := "no field manager owns the finalizer"
	if w.search.session.Reader.Source().Manifests() && len(w.object.Meta.ManagedFields) == 0 {
		observed = "not in the files; kubectl get --show-managed-fields shows them"
	}
	return []finding.Evidence{w.managed(time.Time{}, observed).Ranked(finding.Aside)}
}

// unexplained returns the last program that wrote the finalizer or the status if RBAC doesn't explain how it could: no
// account may write the kind, or only others. Its rights may be gone, or it runs outside the cluster with an
// administrator's credentials, which no role shows. So it proves nothing if none is found.
func (w writes) unexplained() (writers.Written, bool) {
	last, since := w.lastProgram(), w.object.RequestedAt()
	if since.IsZero() { // it was not deleted, so a write of long ago says no more than one before a deletion
		since = w.search.session.Now().Add(-signs.RecentWrite)
	}
	switch {
	case last.At.IsZero(), w.search.byDomain: // many may write that kind
		return last, false
	case len(w.search.gone) == 0:
		return last, true
	case last.At.Before(since) || !(writers.Setter{Manager: last.Manager}).Concrete():
		return last, false
	}
	return last, !slices.ContainsFunc(w.search.gone, func(c *candidate) bool {
		return naming.Mentions(last.Manager, c.account.Name) || naming.Mentions(c.account.Name, last.Manager)
	})
}

// lastProgram is the last write to the finalizer or the status by neither people's tools nor the control plane.
func (w writes) lastProgram() (last writers.Written) {
	consider := func(written writers.Written) {
		manual := writers.WritesManifests(written.Manager)
		if written.At.After(last.At) && !manual && !strings.HasPrefix(written.Manager, "kube-") {
			last = written
		}
	}
	for _, setter := range w.setters {
		consider(writers.Written{Manager: setter.Manager, At: setter.At})
	}
	if mayBeController(*w.search, w.setters, w.status.Manager) {
		consider(w.status)
	}
	return last
}

func (w writes) unexplainedEvidence() []finding.Evidence {
	last, found := w.unexplained()
	if !found || instanceNamed(w.search, last.Manager) != nil { // whose account is known, and acts on other objects
		return nil
	}
	return []finding.Evidence{w.managed(last.At, fmt.Sprintf(
		"%q last wrote to the object, %s ago. RBAC shows no account for that program: it may have lost its"+
			" rights, or act as an administrator", last.Manager, w.search.session.Ago(last.At)))}
}

// managed is what managedFields tell.
func (w writes) managed(when time.Time, observed string) finding.Evidence {
	return finding.Evidence{Source: "managedFields", Observed: observed, Object: &w.object.Ref, At: at(when)}
}

// lastWrite is the last write to the held object by anything but people's tools and the control plane, since it was
// deleted if it was, and by no bystander.
func (w writes) lastWrite() writers.Written { return w.lastWriteBut(w.bystander) }

// lastWriteBut is lastWrite by other rules of who is left out.
func (w writes) lastWriteBut(leftOut func(manager string) bool) (last writers.Written) {
	for _, entry := range unobserved(w.search, w.search.criteria.resource, w.object.Meta.ManagedFields) {
		manual := writers.WritesManifests(entry.Manager) || strings.HasPrefix(entry.Manager, "kube-")
		if entry.Time == nil || manual || !mayBeController(
			*w.search, w.setters, entry.Manager,
		) || !entry.Time.After(last.At) ||
			leftOut(entry.Manager) || !sinceDeletion(w.object, entry) {
			continue
		}
		last = writers.Written{Manager: entry.Manager, At: entry.Time.Time}
	}
	return last
}

// sinceDeletion reports whether a write is one since the held object's deletion, if it was deleted. Times are in whole
// seconds: one in the same second counts as later, unless it can't be. No finalizer is added any more (k8s v1.37
// apimachinery/pkg/api/validation/objectmeta.go:ValidateObjectMetaAccessorUpdate), and a status that has seen an
// earlier generation was written before.
func sinceDeletion(object *session.Object, entry metav1.ManagedFieldsEntry) bool {
	requested := object.RequestedAt()
	if !entry.Time.Time.Equal(requested) {
		return entry.Time.After(requested)
	}
	if writers.Finalizes(entry) {
		return false
	}
	return entry.Subresource != "status" || object.Whole == nil || !statuses.SawEarlier(object.Whole)
}

// bystander reports whether a field manager is a program of this cluster that writes to the held object for another
// reason than the finalizer: not who may be its controller, or, where none is found, one that may write everything
// while a program of another name is known to have set the finalizer.
func (w writes) bystander(manager string) bool {
	if w.search.found.candidate != nil {
		return voices{w.search, w.object, w.hold}.others(manager)
	}
	setter := func(text string) bool { return alike(text, manager) }
	return w.search.criteria.known == nil && len(w.search.criteria.managers) > 0 && !slices.ContainsFunc(
		w.search.criteria.managers, setter,
	) && mayStillWrite(*w.search, manager)
}

func (w writes) writtenEvidence(last writers.Written) finding.Evidence {
	object := "the object"
	if w.object.Terminating() && !w.search.session.Foresees { // else there is no deletion yet
		object = "the Terminating object"
	}
	return w.managed(last.At, fmt.Sprintf("%q wrote to %s %s ago", last.Manager, object, w.search.session.Ago(last.At)))
}

// idle reports whether no controller has written to the held object since its deletion, although a candidate that runs
// has had the time: since then, or since its pod has been ready.
func (w writes) idle(c *candidate) bool {
	told := w.object.Terminating() && len(w.object.Meta.ManagedFields) > 0
	_, started := c.since()
	waits := min(w.search.session.Since(w.object), w.search.session.Now().Sub(started))
	return told && waits >= session.Patience && w.lastWrite().At.IsZero()
}

func (w writes) idleEvidence(c *candidate) []finding.Evidence {
	if !w.idle(c) {
		return nil
	}
	at := w.object.RequestedAt()
	observed := "no controller has written to it since the deletion, " + w.search.session.Ago(at) + " ago"
	if pod, started := c.since(); started.After(at) {
		observed += "; Pod " + c.namespace + "/" + pod + " has been ready for " + w.search.session.Ago(started)
	}
	return []finding.Evidence{w.managed(at, observed)}
}
