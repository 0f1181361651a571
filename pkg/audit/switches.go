package audit

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostSwitched is how many objects of each need are looked at for what pauses or protects them.
const mostSwitched = 500

// switchable is a live object with a finalizer for which there may be switches.
type switchable struct {
	object    *session.Object
	finalizer string
}

// checkSwitches finds live objects with finalizers whose controller was told not to act on them, or not to delete them.
// Where only annotations and labels can say so, a list of the kind's metadata is enough.
func checkSwitches(ctx context.Context, c *checker) {
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
	left += readLabels(ctx, c, asked[mechanism.SwitchInMetadata])
	whole := slices.Concat(asked[mechanism.SwitchInFields], asked[mechanism.SwitchByName])
	c.tools.Session.Wholes(ctx, objectsOf(whole))
	left += readLabels(ctx, c, whole)
	for _, one := range append(asked[mechanism.SwitchInMetadata], whole...) {
		if cause, on := mechanism.Switched(ctx, c.tools, one.object, one.finalizer); on {
			addSwitch(c, one, cause)
		}
	}
	if left > 0 {
		c.note(finding.Finding{Situation: "SwitchesNotAsked", Details: finding.CheckedDetails{More: left}})
		c.doubtful = true
	}
}

// readLabels reads annotations and labels of objects that were not read whole, in a list of each kind, and keeps those
// alone. It returns how many it left out, because they are of too many kinds.
func readLabels(ctx context.Context, c *checker, asked []switchable) (left int) {
	wanted := map[types.UID][]*switchable{}
	var kinds []cluster.Resource
	for i := range asked {
		one := &asked[i]
		if one.object.Whole != nil {
			continue
		}
		same := func(kind cluster.Resource) bool { return kind.GroupResource() == one.object.Resource.GroupResource() }
		if !slices.ContainsFunc(kinds, same) {
			if len(kinds) == mostListed {
				left++
				continue
			}
			kinds = append(kinds, one.object.Resource)
		}
		wanted[one.object.Meta.UID] = append(wanted[one.object.Meta.UID], one)
	}
	for _, kind := range kinds {
		recent := cluster.Selector{Recent: true}
		_ = c.tools.Session.EachListed(ctx, kind, c.namespace, recent, func(meta *metav1.PartialObjectMetadata) {
			for _, one := range wanted[meta.UID] {
				one.object = session.FromMetadata(kind, meta)
			}
		}) // a failure is noted
	}
	return left
}

func objectsOf(asked []switchable) (objects []*session.Object) {
	for _, one := range asked {
		objects = append(objects, one.object)
	}
	return objects
}

// addSwitch says that an object will get stuck. That someone protects it is meant to be so.
func addSwitch(c *checker, one switchable, cause finding.Finding) {
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
