package audit

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
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
	rights              string // or who the objects say has the duty
	objects             []*session.Object
	absence             attribution.Absence
}

// checkControllers finds finalizers that no controller can remove, on objects that are not deleted yet: these objects
// will get stuck when they are deleted.
func (c *checker) checkControllers(ctx context.Context) {
	mechanism.SeeBeside(c.tools, c.inventory.Held)
	sorts := c.heldSorts(ctx)
	asked := sorts[:min(len(sorts), mostSorts)]
	places := make(chan struct{}, sortsAtOnce)
	var asking sync.WaitGroup
	for _, sort := range asked {
		places <- struct{}{}
		asking.Go(func() {
			defer func() { <-places }()
			sort.absence = mechanism.Absent(ctx, c.tools, sort.objects[0], sort.finalizer)
		})
	}
	asking.Wait()
	told, left := divide(ctx, c, asked)
	for _, sort := range told {
		c.addAbsence(sort)
	}
	c.noteUnread(told)
	c.noteUnidentified(told)
	if left = append(left, sorts[len(asked):]...); len(left) > 0 {
		details := someSorts(left)
		details.Asked = mostSorts
		c.note(finding.Finding{Situation: "SortsNotAsked", Details: details})
	}
}

// unreadName stands for whoever has a duty where the object that names them can't be read.
const unreadName = "?"

// heldSorts sorts the live objects with finalizers, what most of them have first.
func (c *checker) heldSorts(ctx context.Context) []*heldSort {
	type key struct{ resource, finalizer, rights string }
	known := map[key]*heldSort{}
	rights := map[string]map[string]string{}
	skipped := c.readDuties(ctx)
	var sorts []*heldSort
	for _, object := range c.inventory.Held {
		if object.Terminating() {
			continue // list shows these
		}
		resource := object.Resource.QualifiedName()
		if _, read := rights[resource]; !read {
			rights[resource] = c.tools.Attribution.RightsByNamespace(ctx, object.Resource)
		}
		for _, name := range slices.Compact(slices.Sorted(slices.Values(object.Meta.Finalizers))) {
			is := key{resource, name, rights[resource][object.Ref.Namespace]}
			if duty, named := mechanism.DutyByObject(object, name); named && duty.By != nil {
				if skipped[duty.By.Ref.Place()] {
					continue
				}
				var err error
				if is.rights, err = duty.Name(ctx, c.tools); err != nil {
					is.rights = unreadName
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

func (c *checker) addAbsence(sort *heldSort) {
	cause := sort.absence.Cause
	if cause == nil {
		for _, object := range sort.objects {
			c.runs[dutyKey(object, sort.finalizer)] = len(sort.absence.Unread) == 0
		}
		return
	}
	about := cause.Object.String() // one workload or Lease, whatever waits for it
	atFault := about
	if cause.Object == sort.objects[0].Ref {
		about, atFault = finding.KeyOf(sort.resource, sort.rights), cause.Key
	}
	told := found{severity: result.Warning, Finding: *cause, cause: cause, atFault: atFault}
	told.Key, told.Finalizer = finding.KeyOf("absent", cause.Reason, sort.finalizer, about), sort.finalizer
	for _, object := range sort.objects {
		told.Object = object.Ref
		c.add(told)
	}
}

func (c *checker) noteUnread(asked []*heldSort) {
	without := map[string][]*heldSort{}
	missed := func(sort *heldSort) string { return c.voice.CouldNotRead(sort.absence.Unread) }
	for _, sort := range asked {
		without[missed(sort)] = append(without[missed(sort)], sort)
	}
	for _, sort := range asked {
		if alike := without[missed(sort)]; len(sort.absence.Unread) > 0 && alike[0] == sort {
			details := someSorts(alike)
			details.Unread = sort.absence.Unread
			c.note(finding.Finding{Situation: "SortsNotTold", Details: details})
		}
	}
}

// noteUnidentified names finalizers whose controller is not known: that is no mistake by itself, and whoever is to
// delete the objects should know before.
func (c *checker) noteUnidentified(asked []*heldSort) {
	known := func(sort *heldSort) bool { return !sort.absence.Unidentified }
	if sorts := slices.DeleteFunc(slices.Clone(asked), known); len(sorts) > 0 {
		c.note(finding.Finding{Situation: "SortsUnidentified", Details: someSorts(sorts)})
	}
}

// someSorts names a few sorts, each once: some differ by the namespaces that they are in alone.
func someSorts(sorts []*heldSort) (some finding.CheckedDetails) {
	const few = 3
	for _, sort := range sorts {
		if name := sort.finalizer + " on " + sort.resource; !slices.Contains(some.Sorts, name) {
			some.Sorts = append(some.Sorts, name)
		}
	}
	if len(some.Sorts) > few+1 {
		some.More = len(some.Sorts) - few
		some.Sorts = some.Sorts[:few]
	}
	return some
}

// mostNaming is how many objects are read whole because only they name the controller that is responsible for a
// finalizer: volumes, attachments, Jobs.
const mostNaming = 500

// readDuties reads those objects whole. It returns the ones that were too many, and says so.
func (c *checker) readDuties(ctx context.Context) (skipped map[finding.Ref]bool) {
	var naming []*session.Object
	seen := map[finding.Ref]bool{}
	for _, object := range c.inventory.Held {
		for _, name := range object.Meta.Finalizers {
			duty, named := mechanism.DutyByObject(object, name)
			if named && !object.Terminating() && duty.By != nil && !seen[duty.By.Ref.Place()] {
				seen[duty.By.Ref.Place()] = true
				naming = append(naming, duty.By)
			}
		}
	}
	few := min(len(naming), mostNaming)
	skipped = map[finding.Ref]bool{}
	for _, object := range naming[few:] {
		skipped[object.Ref.Place()] = true
	}
	if len(skipped) > 0 {
		details := finding.CheckedDetails{Asked: mostNaming, More: len(skipped)}
		c.note(finding.Finding{Situation: "NamingNotAsked", Details: details})
	}
	c.tools.Session.Wholes(ctx, naming[:few])
	return skipped
}
