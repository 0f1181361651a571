package attribution

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// DriverDuty is what a storage driver has yet to do for an object, and what was heard of that.
type DriverDuty struct {
	Object *session.Object
	Hold   finding.Hold
	Driver string // its name, as the object has it
	// Heard is what was reported about the object, or nil; Unheard, why this could not be read.
	Heard   *health.Complaint
	Unheard error
}

// DriverStanding is how it stands with the controller of a storage driver.
type DriverStanding struct {
	// Answer is there where the controller is down, starting or may not write the object, and where something could not
	// be read. Else one of these holds, or nothing is known.
	Answer                   session.Answer
	Missing, Failing, AtWork bool

	Controller *finding.Ref       // that runs; nil if none is known
	Unread     []finding.Unread   // without which nothing shows
	Candidates []finding.Ref      // who may be the controller, where nothing says which of them is
	Evidence   []finding.Evidence // of all that was looked at
	Signs      []finding.ProgramSigns
	Logs       []finding.Remedy // how to read the controller's
}

// Driver says what the controller of a storage driver does with an object: the sidecar that the catalogue names for the
// finalizer, in the driver's own workload. It is judged as any other controller (judge_standing.go). If the object was
// not deleted, nothing is asked of the controller yet: if it runs, it is neither at work nor failing.
func (f *Finder) Driver(ctx context.Context, duty DriverDuty) DriverStanding {
	known, _ := f.Plugins.Find(duty.Hold.Name, duty.Object.Resource.GroupKind().String())
	h := f.heldBy(duty.Object, duty.Hold, ofDriver(known, duty.Driver))
	h.search.criteria.driver = duty.Driver
	h.search = f.searched(ctx, h.search.criteria)
	found := h.reviewed(ctx, h.search.found)
	k := h.standingOfDriver(ctx, found, duty)
	if duty.Heard != nil {
		h.search.evidence = slices.Insert(slices.Clone(h.search.evidence), 0, duty.Heard.Evidence(h.object.Ref))
	}
	standing := h.driverStanding(ctx, found.candidate, k)
	standing.Signs = considered(h.search, found)
	standing.Answer = withSigns(standing.Answer, standing.Signs)
	return standing
}

// ofDriver is what the catalogue says of a sidecar, for one driver.
func ofDriver(known plugins.Finalizer, driver string) *plugins.Finalizer {
	known.Leases = slices.Clone(known.Leases)
	for i, lease := range known.Leases {
		known.Leases[i] = strings.ReplaceAll(lease, "{driver}", dashed(driver))
	}
	return &known
}

// dashed is a driver's name in the name of a Lease (kubernetes-csi/csi-lib-utils leaderelection/leader_election.go:
// sanitizeName).
func dashed(driver string) string {
	return strings.Map(func(letter rune) rune {
		if letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z' || letter >= '0' && letter <= '9' {
			return letter
		}
		return '-'
	}, driver)
}

// standingOfDriver is look for a storage driver: what it says is heard by the mechanism, which knows where. A program
// that lately reported under the driver's name lives, wherever that is; what is in the object's status was said by
// whoever acts for a driver that is known here. A registration alone doesn't tell where the controller runs.
func (h *held) standingOfDriver(ctx context.Context, found decision, duty DriverDuty) known {
	k := known{standing: standingOf(found)}
	unread := len(h.search.failed) > 0 || duty.Unheard != nil
	heard := duty.Heard
	if heard != nil && statuses.Judge(heard.Words) == statuses.Conflict {
		heard = nil // a lost race for a write is tried again
	}
	switch {
	case found.state == Running && h.object.Terminating():
		k.reports, k.unread = heard != nil, heard == nil && unread
		if !k.reports && !k.unread {
			k.sign, k.progress = h.signOfWork(ctx, found.candidate, false)
			k.moves = k.waits()
		}
	case found.state == Missing, found.state == nobody:
		speaks := heard != nil && strings.Contains(heard.By, h.search.criteria.driver) && livesOn(
			h.search.session, h.search.leads, heard.At,
		)
		k.leads, k.outside = h.search.leads.liveLease, found.state == nobody
		k.reports, k.wrote = heard != nil, !h.search.leads.untold && (speaks || heard != nil && k.outside)
		k.unread = !k.wrote && unread
	}
	if duty.Unheard != nil && k.unread {
		h.search.cannot(finding.Unread{Aspect: finding.DriverEvents, Object: &h.object.Ref}, duty.Unheard)
	}
	return k
}

// driverStanding is what follows.
func (h *held) driverStanding(ctx context.Context, c *candidate, k known) DriverStanding {
	result := DriverStanding{Evidence: slices.Concat(h.search.evidence, h.search.leads.seen)}
	if c != nil {
		result.Evidence = append(result.Evidence, c.evidence...)
	}
	for _, one := range h.search.gone {
		result.Evidence = append(result.Evidence, one.evidence...)
	}
	switch judge(k.standing) {
	case isDown, isStarting, mayReturn:
		result.Answer = h.down(c)
	case isForbidden:
		result.Answer = h.forbidden(ctx, c)
	case isMissing:
		result.Missing = true
	case isFailing:
		result.Failing = true
	case isAtWork:
		result.AtWork = true
		result.Evidence = append(result.Evidence, k.sign)
	default:
		if len(h.search.failed) > 0 {
			open := finding.Finding{Situation: "NotRead", Details: h.search.failed[0], Evidence: result.Evidence}
			result.Answer = session.Open(open)
			result.Answer.Removal = session.RemovalUnsure
		}
		result.Candidates, result.Unread = h.search.possible, h.search.failed
	}
	if c != nil {
		result.Controller, result.Logs = c.ref(), readLogsOf(h.search, c)
	}
	return result
}
