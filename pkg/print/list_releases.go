package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// fates are the objects of a chapter by what becomes of them when only its cause is fixed.
type fates struct {
	freed, blocked, unclear, moving, later []finding.Ref
	others                                 []int // the causes that block others, as people count
}

func (c chapter) fates() (f fates) {
	for _, item := range c.waiting {
		numbers, into := c.others(item), &f.freed
		switch {
		case len(numbers) > 0:
			f.others, into = append(f.others, numbers...), &f.blocked
		case item.Besides.Unclear:
			into = &f.unclear
		case item.Besides.Moving:
			into = &f.moving
		case item.Besides.Later:
			into = &f.later
		}
		*into = append(*into, item.Target)
	}
	slices.Sort(f.others)
	f.others = slices.Compact(f.others)
	return f
}

// releases says what is released if only the chapter's cause is fixed, and what else blocks the others. It is empty
// where that is none of them, and where the chapter is about several causes.
func (c chapter) releases() string {
	if len(c.causes) > 1 {
		return ""
	}
	var parts []string
	if ends := c.numbersOf(c.list[c.causes[0]].EndsWith); len(ends) > 0 {
		parts = append(parts, fmt.Sprintf("Fixing %s fixes this too.", causesNamed(ends)))
	}
	f, of := c.fates(), len(c.waiting)
	whom := func(refs []finding.Ref) string {
		switch count := len(refs); count {
		case 1:
			return refs[0].String()
		case of:
			return "them"
		case of - len(f.freed):
			return fmt.Sprintf("the other %d", count)
		default:
			return fmt.Sprintf("%d of them", count)
		}
	}
	switch freed := len(f.freed); {
	case freed == of || freed == 0:
	case freed == 1:
		parts = append(parts, fmt.Sprintf("Fixing this releases %s.", whom(f.freed)))
	default:
		parts = append(parts, fmt.Sprintf("Fixing this releases %d of these %d objects.", freed, of))
	}
	if len(f.blocked) > 0 {
		verb := map[bool]string{true: "blocks", false: "block"}[len(f.others) == 1]
		parts = append(parts, fmt.Sprintf("C%s also %s %s.", causesNamed(f.others)[1:], verb, whom(f.blocked)))
	}
	if len(f.unclear) > 0 {
		parts = append(parts, fmt.Sprintf("It is not clear whether anything else blocks %s.", whom(f.unclear)))
	}
	if len(f.moving) > 0 {
		parts = append(parts, fmt.Sprintf("Something that is in progress also blocks %s.", whom(f.moving)))
	}
	if len(f.later) > 0 {
		parts = append(parts, fmt.Sprintf(
			"When this is fixed, something else may still block %s. To see what, run why on %s.",
			whom(f.later), map[bool]string{true: "it", false: "them"}[len(f.later) == 1],
		))
	}
	return strings.Join(parts, " ")
}
