// Package blockers finds what an object that a custom finalizer holds may wait for itself: what is being deleted below
// it, or what its controller's words name.
//
// This package may change at any time.
package blockers

import (
	"cmp"
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Search adds to the answer for a custom finalizer what the held object may wait for itself: what is Terminating below
// it (bonds.go). That is asked where nothing says why the controller has not removed the finalizer, or nothing
// but that it is at work: a controller that is missing, down, forbidden or in trouble is the cause already. If
// something could not be listed, nothing is called in progress.
func Search(
	ctx context.Context, finder *attribution.Finder, object *session.Object, hold finding.Hold, said session.Answer,
) session.Answer {
	if reported, is := trouble(said); is && object.Terminating() {
		if used, is := failsByUse(ctx, finder.Session, object, hold, said, reported); is {
			return used
		}
		return followWords(ctx, finder.Session, object, hold, said, reported)
	}
	runs, ask := leavesOpen(said)
	if !ask || !object.Terminating() || hold.Type != finding.Finalizer {
		return said
	}
	if !runs.runs && cluster.ServedByKubernetes(object.Resource.Group) {
		return said // for this kind, there is seldom anything below, and it is not known what would wait for it
	}
	if later, is := awaitsFinalizer(ctx, finder.Session, object, hold, said); is {
		return later
	}
	d := &descent{finder: finder, session: finder.Session, object: object, runs: runs.runs, seen: map[string]int{}}
	if runs.runs {
		d.account, d.known = finder.AccountOf(runs.by)
	}
	d.look(ctx)
	if len(d.waits) == 0 {
		if used, is := usedByLive(ctx, finder.Session, object, hold, said); is && len(d.kinds) == 0 {
			return used
		}
		if down, is := worksNot(ctx, finder, object, hold, said); is && len(d.kinds) == 0 {
			return down
		}
		if down, is := d.createdInVain(ctx, hold, said); is && len(d.kinds) == 0 {
			return down
		}
		return d.unread(d.falling(ctx, said, hold, runs))
	}
	note := finding.Finding{
		Situation: "WaitsBelow", Object: object.Ref, Finalizer: hold.Name,
		Details: finding.BelowDetails{Controller: runs.by},
	}
	guessed := &session.Guessed{Waits: d.waits, Note: note, Open: d.open(), Instead: d.unread(said)}
	if !runs.runs {
		guessed.Open, guessed.Note.Holds = nil, true
		for i := range d.waits { // it is the first question who that is, unless something below is stuck all the same
			d.waits[i].Bond.IfStuck = true
		}
	}
	return session.Answer{Guessed: guessed}
}

// fares is what an answer says about the controller.
type fares struct {
	runs bool         // it runs, or has just written to the object
	by   *finding.Ref // who it is, if that is known
}

// leavesOpen reports whether it is open why an object is still held, or nothing but that its controller is at work.
func leavesOpen(said session.Answer) (controller fares, open bool) {
	if len(said.Waits) > 0 || said.Guessed != nil {
		return controller, false
	}
	for _, note := range slices.Concat(said.Progress, said.Open, said.Causes) {
		switch details := note.Details.(type) {
		case finding.ControllerDetails:
			if !finding.Is(note.Situation, finding.ControllerRuns) {
				return controller, false
			}
			controller.runs, controller.by = true, cmp.Or(controller.by, details.Controller)
		case finding.KnownFinalizerDetails:
			if !finding.Is(note.Situation, finding.OfCatalogue) || details.RemovedBy == session.ControllerManager {
				return controller, false
			}
			controller.by = details.Controller
			controller.runs = details.Controller != nil && len(details.Unread) == 0
		case finding.ControllerUnknownDetails:
			controller.by = details.Controller
			controller.runs = finding.Is(note.Situation, finding.ControllerRuns)
		default:
			return controller, false
		}
		open = true
	}
	return controller, open
}

// unread is an answer with what could not be looked at, if that was anything.
func (d *descent) unread(said session.Answer) session.Answer {
	if len(d.kinds) == 0 {
		return said
	}
	if len(said.Progress) > 0 { // nothing is certainly in progress while something below may be stuck
		said.Open = slices.Concat(said.Open, d.open())
		return said
	}
	unseen := finding.Observed("what the object may wait for", "not searched in %s",
		finding.Some(d.kinds, mostKinds)).Of(d.object.Ref).Ranked(finding.Restated)
	told := func(notes []finding.Finding) []finding.Finding {
		notes = slices.Clone(notes)
		for i := range notes {
			notes[i].Evidence = append(slices.Clone(notes[i].Evidence), unseen)
		}
		return notes
	}
	said.Causes, said.Open = told(said.Causes), told(said.Open)
	return said
}

// open is the finding that not everything could be looked at.
func (d *descent) open() []finding.Finding {
	if len(d.kinds) == 0 {
		return nil
	}
	return []finding.Finding{{
		Situation: "BelowUnread", Object: d.object.Ref, Key: finding.KeyOf("BelowUnread", strings.Join(d.kinds, ",")),
		Details: finding.BelowDetails{Kinds: d.kinds, Forbidden: d.forbidden},
	}}
}

// descent is a look for what is Terminating below an object.
type descent struct {
	finder  *attribution.Finder
	session *session.Session
	object  *session.Object
	account rbac.Subject // of its controller, if that runs and is known
	known   bool
	runs    bool // its controller does, so that what a group serves that can't be discovered decides
	survey  *session.Survey
	above   map[string]bool // uids of what the object belongs to

	waits     []session.Wait
	seen      map[string]int // of the waits, by their blocker's uid
	kinds     []string       // that could not be read
	forbidden bool
}

// look finds what is Terminating below the object.
func (d *descent) look(ctx context.Context) {
	survey, err := d.session.Survey(ctx, d.object.Ref.Namespace)
	if err != nil {
		d.kinds = []string{"*"}
		return
	}
	d.survey, d.above = survey, survey.Above(d.object)
	d.owned()
	d.bearing()
	d.unlisted(ctx, d.namedBySelf(ctx))
	slices.SortStableFunc(d.waits, func(a, b session.Wait) int {
		return cmp.Or(a.Blocker.RequestedAt().Compare(b.Blocker.RequestedAt()),
			finding.Compare(a.Blocker.Ref, b.Blocker.Ref))
	})
	d.waits = d.waits[:min(len(d.waits), mostBelow)]
}

// namedBySelf adds what the object itself names, and returns the whole of it: nil where that was not read. The spec and
// status of Kubernetes' own kinds say what they use, and not in their finalizer's controller's words.
func (d *descent) namedBySelf(ctx context.Context) *unstructured.Unstructured {
	if cluster.ServedByKubernetes(d.object.Resource.Group) {
		return nil
	}
	whole, err := d.session.Whole(ctx, d.object)
	switch {
	case apierrors.IsNotFound(err):
	case err != nil:
		d.kinds = append(d.kinds, d.object.Resource.QualifiedName()+"/"+d.object.Ref.Name)
	default:
		d.named(ctx, whole)
	}
	return whole
}

// mostKinds is how many kinds are named that could not be searched.
const mostKinds = 3

// mostBelow is for how many objects one is said to wait: the ones that have waited longest.
const mostBelow = 100

// add adds a wait for something, or another bond to one that is there already: the strongest was added first.
func (d *descent) add(blocker *session.Object, bond session.Bond, relation finding.EdgeType) {
	if d.excluded(blocker, bond.Strength) {
		return
	}
	if number, known := d.seen[blocker.Ref.UID]; known {
		first := d.waits[number].Bond
		first.Evidence = append(first.Evidence, bond.Evidence...)
		first.IfStuck = first.IfStuck && bond.IfStuck
		return
	}
	d.seen[blocker.Ref.UID] = len(d.waits)
	d.waits = append(d.waits, session.Wait{Blocker: blocker, Bond: &bond, Relation: relation})
}

// excluded reports whether something can't be below the object: it is the object itself, the namespace that it is in,
// the definition of its kind, or something that it belongs to.
func (d *descent) excluded(other *session.Object, by session.Strength) bool {
	definition := other.Is("apiextensions.k8s.io", "CustomResourceDefinition") &&
		other.Ref.Name == d.object.Resource.QualifiedName()
	around := other.Is("", "Namespace") && other.Ref.Name == d.object.Ref.Namespace
	return other.Ref.UID == d.object.Ref.UID || around || definition ||
		by != session.OwnedByIt && d.above[other.Ref.UID]
}

// wholeOf returns an object of a custom kind as a whole, or nil.
func (d *descent) wholeOf(ctx context.Context, object *session.Object) *unstructured.Unstructured {
	if cluster.ServedByKubernetes(object.Resource.Group) {
		return nil
	}
	whole, err := d.session.Whole(ctx, object)
	if err != nil {
		return nil // its own answer says so
	}
	return whole
}
