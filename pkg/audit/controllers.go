package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Bounds of a check: for how many sorts of finalizers it looks for the controller, and for how many at once.
// Each sort costs a request or two, and what is read of its controller is read once for all.
const (
	mostSorts   = 64
	sortsAtOnce = 8
)

// heldSort are the live objects of one kind with one finalizer, in namespaces in which the same rules hold
// for them: one controller is theirs.
type heldSort struct {
	resource, finalizer string
	rights              string // or the storage driver

	objects []*session.Object
	told    attribution.Absence
}

func (s *heldSort) String() string {
	return fmt.Sprintf("%s on %s", s.finalizer, s.resource)
}

// checkControllers finds finalizers on objects that nobody has deleted, which nobody is there to remove:
// such an object will get stuck when it is deleted.
func (c *checker) checkControllers(ctx context.Context) {
	sorts := c.heldSorts(ctx)
	asked := sorts[:min(len(sorts), mostSorts)]
	places := make(chan struct{}, sortsAtOnce)
	var asking sync.WaitGroup
	for _, one := range asked {
		places <- struct{}{}
		asking.Go(func() {
			defer func() { <-places }()
			one.told = c.absence(ctx, one)
		})
	}
	asking.Wait()
	for _, one := range asked {
		c.addAbsence(one)
	}
	c.noteUnread(asked)
	if left := sorts[len(asked):]; len(left) > 0 {
		c.notes = append(c.notes, fmt.Sprintf("Whether somebody is there to remove finalizers was asked for the %d sorts that most objects have, and not for %s.", mostSorts, someSorts(left)))
	}
}

// heldSorts sorts the live objects with finalizers, what most of them have first.
func (c *checker) heldSorts(ctx context.Context) []*heldSort {
	type key struct{ resource, finalizer, rights string }
	known := map[key]*heldSort{}
	rights := map[string]map[string]string{}
	skipped := c.readVolumes(ctx)
	var sorts []*heldSort
	for _, object := range c.census.Held {
		if object.Terminating() {
			continue // list tells of these
		}
		resource := object.Resource.QualifiedName()
		if _, read := rights[resource]; !read {
			rights[resource] = c.tools.Attribution.RightsByNamespace(ctx, object.Resource)
		}
		for _, name := range slices.Compact(slices.Sorted(slices.Values(object.Meta.Finalizers))) {
			is := key{resource, name, rights[resource][object.Ref.Namespace]}
			if mechanism.HeldByDriver(object, name) {
				if is.rights = mechanism.Driver(object, name); skipped[object] {
					continue
				}
			}
			if known[is] == nil {
				known[is] = &heldSort{resource: resource, finalizer: name, rights: is.rights}
				sorts = append(sorts, known[is])
			}
			known[is].objects = append(known[is].objects, object)
		}
	}
	slices.SortStableFunc(sorts, func(a, b *heldSort) int { return cmp.Compare(len(b.objects), len(a.objects)) })
	return sorts
}

func (c *checker) addAbsence(one *heldSort) {
	cause := one.told.Cause
	if cause == nil {
		return
	}
	alike := []string{"absent", string(cause.Reason), one.finalizer}
	if cause.Object == one.objects[0].Ref {
		alike = append(alike, one.resource, one.rights)
	} else {
		alike = append(alike, cause.Object.String()) // one workload or Lease, whatever waits for it
	}
	finding := report.Finding{
		Severity: report.Warning, Reason: cause.Reason, Finalizer: one.finalizer, Message: cause.Message, Certainty: cause.Certainty,
		Evidence: report.Evidence(cause.Evidence), Remedies: cause.Remedies,
	}
	key := strings.Join(alike, "\x00")
	for _, object := range one.objects {
		finding.Object = object.Ref
		c.add(key, finding)
	}
}

// noteUnread says of which finalizers it can't be told whether somebody is there, and for want of what.
func (c *checker) noteUnread(asked []*heldSort) {
	var order []string
	without := map[string][]*heldSort{}
	for _, one := range asked {
		if len(one.told.Unread) == 0 {
			continue
		}
		missed := strings.Join(one.told.Unread, "; and ")
		if without[missed] == nil {
			order = append(order, missed)
		}
		without[missed] = append(without[missed], one)
	}
	for _, missed := range order {
		c.notes = append(c.notes, fmt.Sprintf("Whether somebody is there to remove %s can't be told without reading %s.", someSorts(without[missed]), missed))
	}
}

func someSorts(sorts []*heldSort) string {
	const few = 3
	var names []string
	for i, one := range sorts {
		if i == few && len(sorts) > few+1 {
			names = append(names, fmt.Sprintf("%d more finalizers", len(sorts)-few))
			break
		}
		names = append(names, one.String())
	}
	return strings.Join(names, ", ")
}
