package rescue

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// outside is an object that may stand for something outside of the cluster, and one of its finalizers, whose controller
// deletes that.
type outside struct {
	object    *session.Object
	parent    *session.Object // whose controller deletes the object, where the object itself stays
	finalizer string
	known     plugins.Finalizer
	inBook    bool // the catalogue knows the finalizer
	presence  attribution.Presence
	keep      plugins.Setting // by which the controller leaves what is outside alone
	way       way
}

// way is how what an object stands for is kept.
type way int

// The ways, the gentlest first.
const (
	noWay     way = iota
	isKept        // the object's own policy keeps it, or nothing runs that would delete it
	bySetting     // a setting of the project
	byDrop        // the finalizer is there to have data deleted: without it, they stay
	byPause       // its controller leaves a paused object alone
	byStop        // its controller is stopped
)

// outsideSearch finds what a planner's objects stand for outside of the cluster.
type outsideSearch struct {
	p         *planner
	presences map[string]attribution.Presence // by finalizer and kind
}

// findOutside finds the objects that stand for something outside of the cluster, and how that is kept.
func (s *outsideSearch) findOutside(ctx context.Context) {
	var custom []*session.Object
	for _, object := range s.p.going.Deleted {
		if !cluster.ServedByKubernetes(object.Resource.Group) && object.Meta != nil && len(object.Meta.Finalizers) > 0 {
			custom = append(custom, object)
		}
	}
	s.p.tools.Session.Wholes(ctx, custom)
	for _, object := range custom {
		for _, hold := range object.Holds() {
			found := s.standsFor(object, hold)
			if found == nil {
				continue
			}
			if next := s.keptNext(ctx, found, hold); len(next) > 0 {
				s.p.outside = append(s.p.outside, next...)
				continue
			}
			found.presence = s.presenceOf(ctx, found)
			if found.choose(s.mayAct(ctx, found)); !s.keepsAlready(found) {
				s.p.outside = append(s.p.outside, found)
			}
		}
	}
}

// keptNext are the objects that the controller of an object deletes first, and in which a setting keeps what both stand
// for: the content of a snapshot. What is among what goes is looked at for itself.
func (s *outsideSearch) keptNext(ctx context.Context, found *outside, hold finding.Hold) (kept []*outside) {
	if !found.inBook {
		return nil
	}
	for _, next := range mechanism.DeletedNext(ctx, s.p.tools, found.object, hold, found.known) {
		if s.p.goes(next) || !s.readWhole(ctx, next) {
			continue
		}
		for _, hold := range next.Holds() {
			one := s.standsFor(next, hold)
			if one == nil {
				continue
			}
			if one.choose(true); one.keep.Patch != "" && !s.keepsAlready(one) {
				one.presence, one.parent = s.presenceOf(ctx, one), found.object
				kept = append(kept, one)
			}
		}
	}
	return kept
}

func (s *outsideSearch) readWhole(ctx context.Context, object *session.Object) bool {
	_, err := s.p.tools.Session.Whole(ctx, object)
	return err == nil // what can't be read is noted
}

// keepsAlready reports whether another finalizer of the same object is kept from acting by the same setting.
func (s *outsideSearch) keepsAlready(found *outside) bool {
	return found.keep.Patch != "" && slices.ContainsFunc(s.p.outside, func(known *outside) bool {
		return known.object == found.object && known.keep == found.keep
	})
}

// standsFor is what a finalizer of an object may stand for outside of the cluster; nil where the catalogue says that it
// stands for nothing there, or it is one of Kubernetes' own.
func (s *outsideSearch) standsFor(object *session.Object, hold finding.Hold) *outside {
	if hold.Type != finding.Finalizer || !strings.ContainsAny(hold.Name, "./") {
		return nil
	}
	known, inBook := s.p.tools.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
	of := func(guard plugins.Guard) bool { return slices.Contains(known.Guards, guard) }
	creates := known.Creates() && known.Rescue != nil
	if inBook && !of(plugins.GuardExternal) && !of(plugins.GuardOptInDeletion) && !creates {
		return nil
	}
	return &outside{object: object, finalizer: hold.Name, known: known, inBook: inBook}
}

// presenceOf is how the controller of a finalizer fares, asked once for each kind.
func (s *outsideSearch) presenceOf(ctx context.Context, found *outside) attribution.Presence {
	key := finding.KeyOf(found.finalizer, found.object.Resource.QualifiedName())
	if presence, asked := s.presences[key]; asked {
		return presence
	}
	known := &found.known
	if !found.inBook {
		known = nil
	}
	s.presences[key] = mechanism.Presence(ctx, s.p.tools, found.object.Resource, found.finalizer, known)
	return s.presences[key]
}

// mayAct reports whether the controller may delete what is outside now, or at any moment: one that has no ready pod and
// asks for some gets them as soon as a node or an image is there.
func (s *outsideSearch) mayAct(ctx context.Context, found *outside) bool {
	if found.acts() || !found.stoppable() {
		return found.acts()
	}
	wanted, known := s.p.replicas(ctx, *found.presence.Controller)
	return !known || wanted > 0
}

// choose chooses how what the object stands for is kept from a controller that may act, or may not.
func (o *outside) choose(mayAct bool) {
	fields := o.fields()
	var settings []plugins.Setting
	if o.known.Rescue != nil {
		settings = o.known.Rescue.Keep
	}
	setting, suits := plugins.Suiting(settings, fields)
	switch {
	case suits && setting.MadeIn(fields):
		o.way, o.keep = isKept, setting
	case suits:
		o.way, o.keep = bySetting, setting
	case slices.Contains(o.known.Guards, plugins.GuardOptInDeletion):
		o.way = byDrop
	case !mayAct:
		o.way = isKept
	case o.paused():
		o.way = isKept
	case o.pause() != nil:
		o.way = byPause
	case o.stoppable():
		o.way = byStop
	}
}

// acts reports whether the controller may delete what is outside now: unless it is known that it doesn't run.
func (o *outside) acts() bool {
	if o.known.MayRunOutside != "" && o.presence.State == attribution.Missing {
		return true // for all that the cluster shows
	}
	return o.presence.State != attribution.Down && o.presence.State != attribution.Missing
}

// stoppable reports whether the controller is known, and a workload that can be scaled.
func (o *outside) stoppable() bool {
	by := o.presence.Controller
	return by != nil && (by.Kind == "Deployment" || by.Kind == "StatefulSet" || by.Kind == "ReplicaSet") &&
		by.Group() == "apps"
}

// pauses are the switches of the object itself by which its controller does nothing about it.
func (o *outside) pauses() []plugins.Switch {
	return slices.DeleteFunc(slices.Clone(o.known.Switches), func(one plugins.Switch) bool {
		kind := o.object.Resource.GroupKind().String()
		return one.Protects || one.Named != "" || one.Of != "" && one.Of != kind || strings.Contains(one.Path, "[")
	})
}

// paused reports whether one of these switches is on.
func (o *outside) paused() bool {
	return len(switches.On(o.fields(), o.object.Resource.GroupKind().String(), o.pauses())) > 0
}

// pause is the change of the object that turns a switch on; nil where there is none in the
// metadata.
func (o *outside) pause() map[string]any {
	for _, pause := range o.pauses() {
		value, paths := "true", plugins.PathsIn(pause.Path)
		if len(pause.Values) > 0 {
			value = pause.Values[0]
		}
		if len(paths) == 1 && len(paths[0]) > 1 && paths[0][0] == "metadata" {
			return nested(paths[0], value)
		}
	}
	return nil
}

// nested is a structure with a value at a path.
func nested(path []string, value any) map[string]any {
	fields := map[string]any{}
	_ = unstructured.SetNestedField(fields, value, path...) // fails in what is there: nothing is
	return fields
}

func (o *outside) fields() map[string]any {
	if o.object.Whole != nil {
		return o.object.Whole.Object
	}
	return map[string]any{"metadata": map[string]any{}}
}

// rescueDetails say what the object stands for, and who deletes that.
func (o *outside) rescueDetails() finding.RescueDetails {
	details := rescueOf(o.object)
	details.Finalizer, details.Controller, details.By = o.finalizer, o.presence.Controller, o.known.RemovedBy
	details.Text, details.Likely = o.known.Loses, o.presence.Certainty != finding.Proven
	details.NotActing, details.Created = !o.acts(), o.known.Creates()
	for _, field := range o.known.ResourceFields {
		if values := field.Values(o.fields()); len(values) > 0 {
			details.Storage = append(details.Storage, finding.Named{What: field.Says, Values: values})
		}
	}
	return details
}
