package audit

import (
	"context"
	"errors"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// divide splits the sorts whose objects several programs have divided among them, by namespaces, labels, shards or
// classes: each part has a controller of its own, which is asked about by one of its objects. left are the parts and
// the objects that were too many. Where it can't be read which part objects are in, all has a sort that says so.
func divide(ctx context.Context, c *checker, asked []*heldSort) (all, left []*heldSort) {
	d := division{checker: c, lists: &kindLists{checker: c}}
	for _, sort := range asked {
		if by := sort.absence.Divides(); by == attribution.Undivided {
			all = append(all, sort)
		} else {
			d.split(ctx, sort, by)
		}
	}
	few := min(len(d.parts), mostSorts)
	var asking sync.WaitGroup
	places := make(chan struct{}, sortsAtOnce)
	for _, part := range d.parts[:few] {
		places <- struct{}{}
		asking.Go(func() {
			defer func() { <-places }()
			part.absence = attribution.AbsentOf(ctx, c.tools.Attribution, part.objects[0], part.finalizer)
		})
	}
	asking.Wait()
	all = append(append(all, d.parts[:few]...), d.unread...)
	return all, append(d.left, d.parts[few:]...)
}

// division is how sorts are divided.
type division struct {
	checker             *checker
	lists               *kindLists
	parts, unread, left []*heldSort
}

// split divides one sort.
func (d *division) split(ctx context.Context, sort *heldSort, by attribution.Division) {
	objects := sort.objects
	if by != attribution.ByNamespace {
		objects = d.withLabels(ctx, sort)
	}
	if by == attribution.ByClass {
		few := min(len(objects), mostNaming)
		if few < len(objects) {
			d.left = append(d.left, sort.only(objects[few:], ""))
		}
		objects = objects[:few]
		d.checker.tools.Session.Wholes(ctx, objects)
	}
	known := map[string]*heldSort{}
	for _, object := range objects {
		part, unread := attribution.PartOf(ctx, d.checker.tools.Attribution, sort.absence, object)
		switch {
		case unread != nil:
			d.couldNotRead(sort.only([]*session.Object{object}, ""), *unread)
			continue
		case known[part] == nil:
			known[part] = sort.only(nil, part)
			d.parts = append(d.parts, known[part])
		}
		known[part].objects = append(known[part].objects, object)
	}
}

// only is a part of a sort.
func (s *heldSort) only(objects []*session.Object, part string) *heldSort {
	return &heldSort{
		resource: s.resource, finalizer: s.finalizer, rights: finding.KeyOf(s.rights, part), objects: objects,
	}
}

func (d *division) couldNotRead(part *heldSort, what finding.Unread) {
	part.absence.Unread = []finding.Unread{what}
	d.unread = append(d.unread, part)
}

// withLabels are the objects of a sort with their labels and annotations, which the inventory leaves out.
func (d *division) withLabels(ctx context.Context, sort *heldSort) (known []*session.Object) {
	listed := d.lists.of(ctx, sort.objects[0].Resource)
	labelled := map[string]*session.Object{}
	for _, object := range listed.objects {
		labelled[object.Ref.UID] = object
	}
	var rest []*session.Object
	for _, object := range sort.objects {
		if seen := labelled[object.Ref.UID]; seen != nil {
			known = append(known, seen)
		} else {
			rest = append(rest, object)
		}
	}
	switch tooMany := (errTooMany{}); {
	case len(rest) == 0, listed.err == nil: // they were deleted meanwhile
	case errors.As(listed.err, &tooMany):
		d.left = append(d.left, sort.only(rest, ""))
	default:
		d.couldNotRead(sort.only(rest, ""), finding.Unread{Kinds: []string{sort.resource}}.Because(listed.err))
	}
	return known
}
