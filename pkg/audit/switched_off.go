package audit

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostSwitched is for how many objects of each need it is looked whether they, or their owners, are paused or protected.
const mostSwitched = 500

// switchable is a live object with a finalizer for which there may be switches.
type switchable struct {
	object    *session.Object
	finalizer string
}

// checkSwitches finds live objects with finalizers whose controller was told not to act on them, or not to delete them.
// Where only annotations and labels can say so, a list of the kind's metadata is enough.
func (c *checker) checkSwitches(ctx context.Context) {
	asked := map[mechanism.SwitchNeed][]switchable{}
	left := 0
	for _, object := range c.inventory.Held {
		if object.Terminating() {
			continue
		}
		for _, name := range object.Meta.Finalizers {
			need := mechanism.NeedOfSwitches(c.tools, object.Resource, name)
			switch {
			case need == mechanism.NoSwitch, need == mechanism.SwitchByName && !c.runs[dutyKey(object, name)]:
			case len(asked[need]) == mostSwitched:
				left++
			default:
				asked[need] = append(asked[need], switchable{object, name})
			}
		}
	}
	c.readLabels(ctx, asked[mechanism.SwitchInMetadata])
	whole := slices.Concat(asked[mechanism.SwitchInFields], asked[mechanism.SwitchByName])
	c.tools.Session.Wholes(ctx, objectsOf(whole))
	c.readLabels(ctx, whole)
	for _, one := range append(asked[mechanism.SwitchInMetadata], whole...) {
		if cause, on := mechanism.Switched(ctx, c.tools, one.object, one.finalizer); on {
			c.addSwitch(one, cause)
		}
	}
	if left > 0 {
		c.note(finding.Finding{Situation: "SwitchesNotAsked", Details: finding.CheckedDetails{Asked: mostSwitched, More: left}})
		c.doubtful = true
	}
}

// readLabels replaces objects that were not read whole by those of a list of their kind, with annotations and labels.
func (c *checker) readLabels(ctx context.Context, asked []switchable) {
	lists := &kindLists{checker: c}
	known := map[string]*session.Object{}
	for _, one := range asked {
		if one.object.Whole != nil {
			continue
		}
		for _, object := range lists.of(ctx, one.object.Resource).objects {
			known[object.Ref.UID] = object
		}
	}
	for i := range asked {
		if object := known[asked[i].object.Ref.UID]; object != nil && asked[i].object.Whole == nil {
			asked[i].object = object
		}
	}
}

func objectsOf(asked []switchable) (objects []*session.Object) {
	for _, one := range asked {
		objects = append(objects, one.object)
	}
	return objects
}

// addSwitch says that an object will get stuck. That someone protects it is meant to be so.
func (c *checker) addSwitch(one switchable, cause finding.Finding) {
	told := found{severity: result.Warning, Finding: cause, cause: &cause}
	if cause.Reason == finding.DeletionProtected {
		told.severity = result.Info
	}
	told.Key, told.Object = finding.KeyOf("switched", cause.Key, one.finalizer), one.object.Ref
	c.add(told)
}

// dutyKey is a finalizer of an object.
func dutyKey(object *session.Object, finalizer string) string {
	return finding.KeyOf(object.Ref.UID, finalizer)
}
