package audit

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// flaw is an owner reference of an object that the garbage collector doesn't honour.
type flaw struct {
	object *session.Object
	ownership.Judged
}

// passing reports whether the garbage collector may still get to the object: its owner may have been deleted a moment
// ago.

// passing reports whether the garbage collector may still get to the object: its owner may have been deleted a moment
// ago.
func (f flaw) passing() bool {
	return (f.State == finding.OwnerAbsent || f.State == finding.OwnerReplaced) && !f.object.Terminating()
}

// mostLookedAgain is how many objects are looked at once more.

// mostLookedAgain is how many objects are looked at once more.
const mostLookedAgain = 200

// lasting gives the garbage collector a moment, and returns the flaws that are still there. Those of objects that are
// as young themselves are noted: it need not watch their owners' kind yet (k8s v1.37
// pkg/controller/garbagecollector/garbagecollector.go:Sync, each 30 s).
func (c *checker) lasting(ctx context.Context, flaws []flaw) []flaw {
	flaws = c.lookAgain(ctx, flaws)
	young := 0
	lasting := slices.DeleteFunc(flaws, func(one flaw) bool {
		soon := one.passing() && c.voice.Now.Sub(one.object.Meta.CreationTimestamp.Time) < session.Patience
		if soon {
			young++
		}
		return soon
	})
	if young > 0 {
		c.note(finding.Finding{Situation: "OwnersJustGone", Details: finding.CheckedDetails{More: young}})
	}
	return lasting
}

// lookAgain returns the flaws that are there a moment later. Where more name one owner than are looked at, and one of
// those has gone, the garbage collector is at work on the others.

// lookAgain returns the flaws that are there a moment later. Where more name one owner than are looked at, and one of
// those has gone, the garbage collector is at work on the others.
func (c *checker) lookAgain(ctx context.Context, flaws []flaw) []flaw {
	var passing []int
	for i, one := range flaws {
		if one.passing() {
			passing = append(passing, i)
		}
	}
	if len(passing) == 0 || !c.tools.Session.LookAgain(ctx) {
		return flaws
	}
	gone := make([]bool, len(flaws))
	looks := make([]func(), min(len(passing), mostLookedAgain))
	for at := range looks {
		i := passing[at]
		looks[at] = func() {
			gone[i] = !session.StillOwned(ctx, c.tools.Session.Reader, flaws[i].object, string(flaws[i].Reference.UID))
		}
	}
	session.SideBySide(looks)
	collected := map[types.UID]bool{}
	for _, i := range passing[:len(looks)] {
		uid := flaws[i].Reference.UID
		collected[uid] = collected[uid] || gone[i]
	}
	for _, i := range passing[len(looks):] {
		gone[i] = collected[flaws[i].Reference.UID]
	}
	var left []flaw
	for i, one := range flaws {
		if !gone[i] {
			left = append(left, one)
		}
	}
	return left
}

// judge says what the garbage collector makes of each owner reference: from the inventory, or if the owner isn't part
// of that, by reading it.
