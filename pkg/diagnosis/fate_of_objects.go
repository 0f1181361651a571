package diagnosis

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// fate is how it stands with one object of several.
type fate struct {
	verdict result.Verdict
	causes  []share
	awaited finding.Waiting // by its summary
	all     finding.Waiting // what else is open, too
	until   time.Time       // when the first of what is open or in progress should be over, or zero
	key     string          // the same for objects that are held by the same
}

func (g *grouping) fateOf(object *session.Object) (of fate) {
	node := g.found.graph.Add(object.Ref)
	to := g.carriedTo(node)
	of.until, of.causes = to.until, g.sharesAt(node, to)
	for _, cause := range of.causes {
		of.awaited.Add(finding.Awaited{Finding: *cause.first, Count: cause.count})
	}
	reason := func(one share) finding.Reason { return one.first.Reason }
	of.verdict = result.VerdictBy(finding.Each(of.causes, reason), to.besides.Unclear || to.cut)
	of.all = of.awaited
	of.all.Some = slices.Clone(of.all.Some)
	g.addNotes(&of.all, to.open, openOf)
	notes := to.open.all
	if of.all.Count() == 0 {
		g.addNotes(&of.all, to.moving, progressOf)
		notes = to.moving.all
	}
	if of.awaited.Count() == 0 {
		of.awaited = of.all
	}
	of.key = keyOf(g.keys, of.causes, notes)
	return of
}

// keyOf numbers what objects are held by, which are known by these numbers.
func keyOf(numbers map[string]int, causes []share, notes set) string {
	var key []byte
	for _, cause := range causes {
		key = fmt.Append(key, cause.whole.number, " ", cause.count, " ")
	}
	for _, word := range notes {
		key = binary.LittleEndian.AppendUint64(key, word)
	}
	if _, known := numbers[string(key)]; !known {
		numbers[string(key)] = len(numbers)
	}
	return fmt.Sprint(numbers[string(key)])
}

// settle says of an object what why says of it: its verdict and its causes, in the same order.
func (g *grouping) settle(item *result.ListItem, object *session.Object, numbers map[*group]int) {
	of, node := g.fateOf(object), g.found.graph.Add(object.Ref)
	item.Verdict, item.Until, item.Besides, item.Key = of.verdict, of.until, g.carriedTo(node).besides, of.key
	for _, one := range of.causes {
		certainty := one.certainty
		if certainty == finding.Proven && g.surely != nil && !g.surely(node).has(one.whole.number) {
			certainty = finding.Likely
		}
		item.RootCauses = append(item.RootCauses, result.ItemCause{
			Index: numbers[one.whole], Reason: one.first.Reason, Object: one.first.Object, Finalizer: one.first.Finalizer,
			Certainty: certainty, Count: one.count,
		})
	}
	slices.SortFunc(item.RootCauses, func(a, b result.ItemCause) int { return cmp.Compare(a.Index, b.Index) })
	voice := voiceOf(g.found.tools)
	item.Awaits, item.Fares = voice.WaitsFor(object.Ref, of.all), of.all.Fares(voice, object.Ref)
	item.Summary = voice.Message(sumUp(object, item.Verdict, of.awaited))
}
