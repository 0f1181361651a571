package attribution

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// signOfWork reports how far a controller that runs may be at work on the object, and what shows it. A second look is
// taken where the first minute is over, or doubtful.
func (h *held) signOfWork(ctx context.Context, c *candidate, heard bool) (finding.Evidence, progress) {
	now := h.search.session.Now()
	last := h.writes().lastWrite()
	m := movement{
		graced: h.object.Is("", "Pod") && h.object.GraceSeconds() > 0 && now.Before(h.object.Meta.DeletionTimestamp.Time),
		doubt:  heard || doubtful(h),
		writes: !last.At.IsZero() && now.Sub(last.At) < signs.FreshWrite,
	}
	first, young := firstMinute(h, c)
	m.first = young
	change, fresh := freshChange(h)
	changed := session.ObservedOf(h.object, change.Where+" since "+h.search.session.Ago(change.At)+" ago").When(change.At)
	switch {
	case m.graced:
		grace := fmt.Sprintf("its grace period of %d s runs", h.object.GraceSeconds())
		return session.ObservedOf(h.object, grace), judgeProgress(m)
	case m.first && !m.doubt && fresh:
		m.changed = true
		return changed, judgeProgress(m)
	case m.first && !m.doubt:
		return first, judgeProgress(m)
	}
	seen := lookTwice(ctx, h)
	m.gone, m.counts, m.writes = seen.gone, seen.moved != "" && !seen.gone, m.writes || seen.writer != ""
	m.changed = fresh && !slices.Contains(seen.stamped, change.Of)
	twice := finding.Evidence{Source: "a second look", Observed: seen.moved, Object: &h.object.Ref}
	switch {
	case seen.moved != "":
		return twice, judgeProgress(m)
	case m.changed && !m.doubt:
		return changed, judgeProgress(m)
	case !last.At.IsZero() && now.Sub(last.At) < signs.FreshWrite:
		return h.writes().writtenEvidence(last), judgeProgress(m)
	case seen.writer != "":
		twice.Observed = seen.writer + " wrote to it within the last two seconds, but nothing in it has moved"
		return twice, judgeProgress(m)
	}
	return finding.Evidence{}, judgeProgress(m)
}

// mereManager reports whether a candidate only manages the kind, where the finalizer is another project's and no
// program is known to have set it, as with a mutating policy.
func mereManager(search search, c *candidate) bool {
	return search.criteria.foreign() && !search.criteria.setByProgram && !c.boundTo(search.leads.domain)
}

// firstMinute reports whether a controller has had less than a minute for the object, since the deletion or since its
// pod was ready to see it. None is given to one if there is an objection to it, or if nothing binds it to the
// finalizer.
func firstMinute(h *held, c *candidate) (finding.Evidence, bool) {
	if mereManager(h.search, c) || anotherIsMeant(h.search.finder, h.search.criteria, c) ||
		!bound(h.search.criteria, h.search.byDomain, c) {
		return finding.Evidence{}, false
	}
	if h.search.session.Since(h.object) < session.Patience {
		return session.ObservedOf(h.object, h.search.session.Deleted(h.object.RequestedAt())), true
	}
	pod, started := c.since()
	young := started.After(h.object.RequestedAt()) && h.search.session.Now().Sub(started) < session.Patience
	if !young || len(sayings(h.search, h.object)) > 0 { // it has spoken already
		return finding.Evidence{}, false
	}
	named := session.Named(cluster.Pods(), c.namespace, pod)
	return session.ObservedOf(named, "its pod started "+h.search.session.Ago(started)+" ago").When(started), true
}

// outpaced reports whether words sound ill, and what they count moves all the same: "killed 226 of 9000 replicas". That
// needs a second look. Types, reasons and fields for errors are no mere words.
func outpaced(ctx context.Context, h *held, report statuses.Report) (finding.Evidence, bool) {
	if !report.Loose || !strings.ContainsAny(report.Words, "0123456789") {
		return finding.Evidence{}, false
	}
	if _, quoted := h.search.finder.Denial(ctx, report.Words); quoted {
		return finding.Evidence{}, false
	}
	seen := lookTwice(ctx, h)
	return finding.Evidence{Source: "a second look", Observed: seen.moved, Object: &h.object.Ref}, seen.moved != ""
}

// doubtful reports whether the status says something since the deletion that may mean that it doesn't continue: in the
// controller's voice, and not clear, or trouble in that of others.
func doubtful(h *held) bool {
	if h.search.criteria.kindOfKubernetes() {
		return false
	}
	voices := h.voices()
	var names []string
	if h.object.Whole != nil {
		names = statuses.Names(h.object.Whole)
	}
	stops := func(report statuses.Report) bool {
		tells := statuses.IsStatement(report.Words) || statuses.HoldsBack(report.Words)
		doubts := report.Halts || report.Seen && !report.Well && tells && !statuses.Continues(report.Words, names...)
		return doubts && !voices.byOthers(report)
	}
	return len(voices.saidByOthers()) > 0 || slices.ContainsFunc(sayings(h.search, h.object), stops)
}

// lastWords are what the controller last said of the object since its deletion; empty where that is nothing.
func lastWords(h *held) string {
	for _, said := range sayings(h.search, h.object) {
		if said.Seen && !h.voices().byOthers(said) {
			return said.Words
		}
	}
	return ""
}

// freshChange is the last condition that is sure to have changed since the deletion, in the controller's voice, and
// whether that was lately. One that may have been stamped anew with the last write is none: its controller may stamp it
// for hours.
func freshChange(h *held) (statuses.Report, bool) {
	if h.object.Whole == nil || h.search.criteria.kindOfKubernetes() {
		return statuses.Report{}, false
	}
	for _, change := range statuses.Changes(h.object.Whole) {
		if change.Settled && !h.voices().byOthers(change) {
			return change, h.search.session.Now().Sub(change.At) < signs.FreshWrite
		}
	}
	return statuses.Report{}, false
}
