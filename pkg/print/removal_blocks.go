package print

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// removalBlock is objects about which a plan says the same but for their names: at least one.
type removalBlock []result.Removal

func removalBlocks(items []result.Removal) []removalBlock {
	same := groupBySame(items, func(a, b result.Removal) bool { return a.Alike != "" && a.Alike == b.Alike })
	return finding.Each(same, func(items []result.Removal) removalBlock { return items })
}

// groupBySame puts together what is the same, in the order in which it first appears.
func groupBySame[T any](all []T, same func(a, b T) bool) (groups [][]T) {
	for _, one := range all {
		at := slices.IndexFunc(groups, func(group []T) bool { return same(group[0], one) })
		if at < 0 {
			at = len(groups)
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], one)
	}
	return groups
}

// name is the object of a block, or their number and kind.
func (b removalBlock) name() string {
	if len(b) == 1 {
		return b[0].Target.String()
	}
	return fmt.Sprintf("%d × %s", len(b), b[0].Target.Kind)
}

// names are those of all objects of a block, as each is consented to; empty for one alone.
func (b removalBlock) names() string {
	if len(b) == 1 {
		return ""
	}
	return strings.Join(finding.Each(b, func(item result.Removal) string { return item.Target.Path() }), ", ")
}

// state is the verdict, and for how long the oldest object of the block has been Terminating, after a separator.
func (b removalBlock) state(now time.Time) string {
	oldest, most := b[0].RequestedAt, ""
	for _, item := range b[1:] {
		most = "up to "
		if item.RequestedAt.Before(oldest) {
			oldest = item.RequestedAt
		}
	}
	state := " (" + string(b[0].Verdict)
	if !oldest.IsZero() {
		state += ", Terminating for " + most + finding.Voice{Now: now}.Ago(oldest)
	}
	return state + ")"
}

// others are the objects of a block but the first, with a verb.
func (b removalBlock) others(is, are string) string {
	if len(b) == 2 {
		return strings.TrimSpace("the other one " + is)
	}
	return strings.TrimSpace(fmt.Sprintf("the other %d %s", len(b)-1, are))
}

func (b removalBlock) dependents() (all []finding.Ref) {
	return eachOf(b, func(item result.Removal) []finding.Ref { return item.Dependents })
}

// isExplained reports whether the entries say what the one sentence of the diagnosis would.
func isExplained(r result.Removal) bool {
	for _, entry := range r.Entries {
		if len(entry.Why)+len(entry.Objected) > 0 {
			return true
		}
	}
	return false
}

// takenWith writes what is deleted with the objects of a block: for many, what is lost in one line, unless all is asked
// for.
func (t *removalText) takenWith(indent string, block removalBlock) {
	taken := eachOf(block, func(item result.Removal) []finding.Taken { return item.Takes })
	loses := finding.LosesOf(finding.Voice{}, "", taken)
	if len(block) > 1 && loses != "" && !t.w.style.Wide {
		t.w.paragraph(indent+"Deleted with them: ", loses+".", t.w.style.causeText)
		return
	}
	labels := map[bool]string{false: "Deleted with it: ", true: "Left behind: "}
	for _, leaves := range []bool{false, true} {
		part := finding.TakenBy(taken, leaves)
		t.advice.taken(part, func(text string, paint func(string) string) {
			t.w.paragraph(indent+labels[leaves], text, paint)
		})
	}
}

// refusals lists the guards that refused, each reason once, without the one, or the objections, that were told before,
// and what to do next.
func (t *removalText) refusals(guards []result.Guard, before *result.Guard, objectionsTold bool) {
	var refused []result.Guard
	for _, guard := range guards {
		if !guard.Passed {
			refused = append(refused, guard)
		}
	}
	if len(refused) == 0 {
		return
	}
	why := func(guard result.Guard) string {
		switch {
		case before != nil && before.Key == guard.Key:
			return ""
		case objectionsTold:
			return guard.Brief
		}
		return guard.Why
	}
	same := func(a, b result.Guard) bool {
		alike := a.Name == b.Name && a.Satisfy == b.Satisfy && why(a) == why(b) &&
			a.Command.String() == b.Command.String()
		return a.Key == b.Key || alike
	}
	t.w.section("REFUSED")
	for _, alike := range groupBySame(refused, same) {
		guard := alike[0]
		text := fmt.Sprintf("%s by guard %d (%s).", refusedOf(alike), guard.Number, guard.Rule)
		if says := why(guard); says != "" {
			text += " " + says
		}
		t.w.paragraph("  - ", text, t.w.style.causeText)
		t.w.paragraph("    Next: ", guard.Satisfy, nil)
		if len(guard.Command) > 0 {
			t.w.command("       ", guard.Command)
		}
	}
}

// refusedOf says what some guards refused: one object, several, or the whole plan.
func refusedOf(guards []result.Guard) string {
	targets := map[finding.Ref]bool{}
	for _, guard := range guards {
		if guard.Target != nil {
			targets[*guard.Target] = true
		}
	}
	switch len(targets) {
	case 0:
		return "The plan was refused"
	case 1:
		return guards[0].Target.String() + ": refused"
	}
	return fmt.Sprintf("%d objects: refused", len(targets))
}
