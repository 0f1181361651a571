package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
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
	absence attribution.Absence
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
			one.absence = c.absence(ctx, one)
		})
	}
	asking.Wait()
	for _, one := range asked {
		c.addAbsence(one)
	}
	c.noteUnread(asked)
	if left := sorts[len(asked):]; len(left) > 0 {
		details := someSorts(left)
		details.Asked = mostSorts
		c.note(finding.Finding{Situation: "SortsNotAsked", Details: details})
	}
}

// heldSorts sorts the live objects with finalizers, what most of them have first.
func (c *checker) heldSorts(ctx context.Context) []*heldSort {
	type key struct{ resource, finalizer, rights string }
	known := map[key]*heldSort{}
	rights := map[string]map[string]string{}
	skipped := c.readVolumes(ctx)
	var sorts []*heldSort
	for _, object := range c.inventory.Held {
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
	cause := one.absence.Cause
	if cause == nil {
		return
	}
	about := cause.Object.String() // one workload or Lease, whatever waits for it
	if cause.Object == one.objects[0].Ref {
		about = finding.KeyOf(one.resource, one.rights)
	}
	told := found{severity: report.Warning, Finding: *cause, cause: cause}
	told.Key, told.Finalizer = finding.KeyOf("absent", cause.Reason, one.finalizer, about), one.finalizer
	for _, object := range one.objects {
		told.Object = object.Ref
		c.add(told)
	}
}

// noteUnread says of which finalizers it can't be told whether somebody is there, and for want of what.
func (c *checker) noteUnread(asked []*heldSort) {
	var order []string
	without := map[string][]*heldSort{}
	for _, one := range asked {
		if len(one.absence.Unread) == 0 {
			continue
		}
		missed := finding.Voice{}.AllUnread(one.absence.Unread)
		if without[missed] == nil {
			order = append(order, missed)
		}
		without[missed] = append(without[missed], one)
	}
	for _, missed := range order {
		details := someSorts(without[missed])
		details.Unread = without[missed][0].absence.Unread
		c.note(finding.Finding{Situation: "SortsNotTold", Details: details})
	}
}

// someSorts names the first few of some sorts, and counts the others.
func someSorts(sorts []*heldSort) (some finding.CheckedDetails) {
	const few = 3
	if len(sorts) > few+1 {
		some.More = len(sorts) - few
		sorts = sorts[:few]
	}
	for _, one := range sorts {
		some.Sorts = append(some.Sorts, one.String())
	}
	return some
}
