package follow

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// story makes of answers, and of what watches see between them, what has happened. It reads no clock and no cluster.
type story struct {
	things  map[finding.Ref]*thing // by place: what the last answer speaks of
	gone    map[string]bool        // by uid: what isn't there any more, for good
	targets map[finding.Ref]Item   // by place
	items   map[finding.Ref]string // the keys of what the last answer says, by target
	causes  []cause                // of the last answer
	unread  map[gap]bool           // by the last answer that has accounted for everything
	kept    bool                   // the last answer has not: things are kept that it could not look for
	told    bool                   // that there was an answer
	pending []result.Change        // that was not reported yet
	pace    pace
}

// thing is one object of the last answer.
type thing struct {
	ref         finding.Ref
	version     string // that was read, or that a watch has seen; empty if neither is known
	finalizers  []string
	terminating bool
	unread      bool // the last answer could not read it, which was told
}

func newStory() *story {
	return &story{
		things: map[finding.Ref]*thing{}, gone: map[string]bool{}, targets: map[finding.Ref]Item{},
		items: map[finding.Ref]string{},
	}
}

// difference is what one object's change means for the next look.
type difference int

const (
	nothing difference = iota
	written            // something of it that may matter or not
	holds              // what holds it, or that it is there
	decides            // the same, of a target, or of the last object that one waits for
)

// saw takes in what a watch has seen, and returns what kind of change that is, of each object, or of those of one kind
// together where what holds them has changed.
func (s *story) saw(at time.Time, sighting cluster.Sighting) map[string]difference {
	changed := map[string]difference{}
	note := func(place finding.Ref, is difference) {
		what := place.String()
		switch _, target := s.targets[place]; {
		case is == nothing:
			return
		case is == holds && (target || !s.waits()):
			is = decides
		case is == holds:
			what = "holds of " + place.Kind
		}
		changed[what] = max(changed[what], is)
	}
	seen := map[finding.Ref]bool{}
	for _, meta := range sighting.Objects {
		ref := refOf(sighting.Scope.Resource, meta)
		seen[ref.Place()] = true
		if sighting.Deleted {
			note(ref.Place(), s.vanished(at, ref))
		} else {
			note(ref.Place(), s.appeared(at, thing{
				ref: ref, version: meta.ResourceVersion, finalizers: meta.Finalizers,
				terminating: meta.DeletionTimestamp != nil,
			}))
		}
	}
	for place, known := range s.things {
		switch {
		case !sighting.All || !covers(sighting.Scope, known.ref) || seen[place] || known.ref.UID == "":
		case s.isTarget(known.ref):
			note(place, holds) // a look shows whether it has gone: with that everything would end
		default:
			note(place, s.vanished(at, known.ref))
		}
	}
	return changed
}

func refOf(resource cluster.Resource, object metav1.Object) finding.Ref {
	return finding.Ref{
		APIVersion: resource.APIVersion(), Kind: resource.Kind, Namespace: object.GetNamespace(),
		Name: object.GetName(),
		UID:  string(object.GetUID()),
	}
}

func covers(scope cluster.Scope, ref finding.Ref) bool {
	return scope.Resource.Kind == ref.Kind && scope.Resource.Group == ref.Group() &&
		(scope.Namespace == "" || scope.Namespace == ref.Namespace) && (scope.Name == "" || scope.Name == ref.Name)
}

func (s *story) vanished(at time.Time, ref finding.Ref) difference {
	known := s.things[ref.Place()]
	if known == nil || known.ref.UID == "" || ref.UID != known.ref.UID || s.gone[ref.UID] {
		return nothing // an object that never was can't go
	}
	s.gone[ref.UID] = true
	delete(s.things, ref.Place())
	s.tell(result.Change{
		At: at, What: result.IsGone, Objects: []finding.Ref{known.ref}, Since: s.targets[ref.Place()].Requested,
	})
	return holds
}

func (s *story) appeared(at time.Time, now thing) difference {
	known := s.things[now.ref.Place()]
	switch {
	case known == nil && now.terminating:
		return written // one that has come to be deleted since the last look
	case known == nil:
		return nothing
	case known.ref.UID != now.ref.UID:
		is := s.vanished(at, known.ref)
		s.things[now.ref.Place()] = &now
		return max(is, written)
	}
	return s.update(at, known, now)
}

// update puts what is known of an object now in the place of what was, unless it is older.
func (s *story) update(at time.Time, known *thing, now thing) difference {
	is := written
	switch order, err := resourceversion.CompareResourceVersion(now.version, known.version); {
	case known.version == "" || now.version == "":
		is = nothing // nothing shows that it was written in between
	case now.version == known.version || err == nil && order < 0:
		return nothing
	}
	for _, finalizer := range known.finalizers {
		if known.terminating && !slices.Contains(now.finalizers, finalizer) {
			is = holds
			s.tell(result.Change{
				At: at, What: result.WasReleased, Objects: []finding.Ref{now.ref}, Finalizer: finalizer,
			})
		}
	}
	if now.terminating != known.terminating {
		is = holds
	}
	now.unread = known.unread // until an answer has it again
	*known = now
	return is
}

// waits reports whether anything Terminating is there besides the targets.
func (s *story) waits() bool {
	for _, known := range s.things {
		if known.terminating && !s.isTarget(known.ref) {
			return true
		}
	}
	return false
}

// left counts the Terminating objects that are there besides the targets.
func (s *story) left() (count int) {
	for _, known := range s.things {
		if known.terminating && !s.isTarget(known.ref) {
			count++
		}
	}
	return count
}

func (s *story) isTarget(ref finding.Ref) bool {
	_, is := s.targets[ref.Place()]
	return is
}

// targetsGone reports whether all targets were seen to go.
func (s *story) targetsGone() bool {
	for _, target := range s.targets {
		if uid := target.Target.UID; uid == "" || !s.gone[uid] {
			return false
		}
	}
	return len(s.targets) > 0
}
