package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// The limits of a list that has much to say: so many causes in full, rows of a table, and groups of objects that wait
// for no cause.
const (
	causesTold = 10
	rowsTold   = 12
	othersTold = 6
	rowsOfAll  = 30 // of the table of causes
)

// chapter is what a list tells in one place: a root cause, or several about which nothing is known, each with a
// finalizer of its own.
type chapter struct {
	first   int   // the number of its first cause, as people count
	causes  []int // indexes among the list's
	waiting []ListItem
	objects int // that the causes are about
	frees   int
	number  map[int]int // of all causes, by index: as people count
}

// chaptersOf puts the causes in the order in which they are written: that of the list. Last come causes that differ
// only in a finalizer without a known controller, as one chapter where they are more than a few.
func chaptersOf(list []RootCause, items []ListItem) (chapters []chapter) {
	var indexes []int
	for i := range list {
		indexes = append(indexes, i)
	}
	var apart, joined [][]int
	for _, group := range groupBy(indexes, func(i int) string { return list[i].chapterKey(i) }) {
		if len(group) > fewAlike {
			joined = append(joined, group)
		} else {
			apart = slices.AppendSeq(apart, slices.Chunk(group, 1))
		}
	}
	slices.SortFunc(apart, func(a, b []int) int { return a[0] - b[0] })
	number := map[int]int{}
	for _, causes := range append(apart, joined...) {
		one := chapter{first: len(number) + 1, causes: causes, number: number}
		for _, i := range causes {
			number[i] = len(number) + 1
			one.objects += list[i].Count
			one.frees += list[i].Frees
		}
		for _, item := range items {
			if slices.ContainsFunc(item.RootCauses, func(cause ItemCause) bool { return slices.Contains(causes, cause.Index) }) {
				one.waiting = append(one.waiting, item)
			}
		}
		chapters = append(chapters, one)
	}
	return chapters
}

// chapterKey is the same for causes with the same words: nothing is known about them.
func (c RootCause) chapterKey(index int) string {
	if c.Certainty != finding.Unknown || c.Finalizer == "" {
		return fmt.Sprint(index)
	}
	return finding.KeyOf(c.Reason, c.Situation)
}

// numbers names a chapter by its causes: cause 3, causes 4 to 9.
func (c chapter) numbers() string {
	if len(c.causes) == 1 {
		return fmt.Sprintf("cause %d", c.first)
	}
	return fmt.Sprintf("causes %d to %d", c.first, c.first+len(c.causes)-1)
}

// releases says how many objects are released if only the chapter's cause is fixed, and what else blocks the others:
// other causes, as far as they have any. It is empty where that is none of them, and where the chapter is about several
// causes.
func (c chapter) releases() string {
	if c.frees >= len(c.waiting) || len(c.causes) > 1 {
		return ""
	}
	var others []int
	more := len(c.waiting) - c.frees // for which there is no other cause
	for _, item := range c.waiting {
		numbers := c.others(item)
		if len(numbers) > 0 {
			more--
		}
		others = append(others, numbers...)
	}
	slices.Sort(others)
	others = slices.Compact(others)
	text, rest := fmt.Sprintf("Fixing this releases %d of %d.", c.frees, len(c.waiting)), "the others"
	if c.frees == 0 {
		text, rest = "Fixing this alone may release none of these.", "them"
	}
	if len(others) == 0 {
		return text + fmt.Sprintf(" Something else may block %s too.", rest)
	}
	verb, also := "blocks", ""
	if len(others) > 1 {
		verb = "block"
	}
	if more > 0 {
		rest, also = fmt.Sprintf("%d", len(c.waiting)-c.frees-more), fmt.Sprintf("; something else may block %d", more)
	}
	return text + fmt.Sprintf(" C%s %s %s too%s.", causesNamed(others)[1:], verb, rest, also)
}

// otherCauses names the causes that an object waits for besides those of the chapter: causes 2, 5.
func (c chapter) otherCauses(item ListItem) string {
	if others := c.others(item); len(others) > 0 {
		return causesNamed(others)
	}
	return ""
}

// others are the numbers of the causes that an object waits for besides those of the chapter.
func (c chapter) others(item ListItem) (others []int) {
	for _, cause := range item.RootCauses {
		if !slices.Contains(c.causes, cause.Index) {
			others = append(others, c.number[cause.Index])
		}
	}
	return others
}

// causesNamed names causes by their numbers: cause 2; causes 2, 5.
func causesNamed(numbers []int) string {
	if len(numbers) == 1 {
		return fmt.Sprintf("cause %d", numbers[0])
	}
	return "causes " + finding.Few(3, finding.Each(numbers, func(number int) string { return fmt.Sprint(number) }))
}

// finalizerOf is that of the chapter for which an object waits, where the chapter is about several.
func (c chapter) finalizerOf(list *List, item ListItem) string {
	if len(c.causes) < 2 {
		return ""
	}
	var names []string
	for _, cause := range item.RootCauses {
		if slices.Contains(c.causes, cause.Index) {
			names = append(names, list.RootCauses[cause.Index].Finalizer)
		}
	}
	return finding.Some(unique(names), 1)
}

// overview is the table of what hangs, a row for each chapter; where there is one alone, it says as much itself.
func (w *writer) overview(list *List, chapters []chapter) {
	if len(chapters) < 2 {
		return
	}
	var rows [][]string
	for i, one := range chapters {
		if i == rowsOfAll && len(chapters) > rowsOfAll+1 {
			break
		}
		cause := list.RootCauses[one.causes[0]]
		number, about := fmt.Sprint(one.first), cause.Object.String()
		if cause.Count > 1 {
			about += fmt.Sprintf(" and %d more", cause.Count-1)
		}
		if last := one.first + len(one.causes) - 1; last > one.first {
			number += fmt.Sprintf("-%d", last)
			finalizer := func(index int) string { return list.RootCauses[index].Finalizer }
			about = some(unique(finding.Each(one.causes, finalizer)), strings.Clone, 2, false, "more finalizers")
		}
		oldest := ""
		if len(one.waiting) > 0 {
			oldest = since(list.GeneratedAt, one.waiting[0])
		}
		row := []string{number, w.style.causeText(string(cause.Reason)), fmt.Sprint(len(one.waiting)), oldest, about}
		rows = append(rows, row)
	}
	w.line()
	w.table("", []string{"#", "CAUSE", "HOLDS", "SINCE", "ABOUT"}, rows, w.style.width())
	w.rowsLeft("", len(chapters)-len(rows))
}
