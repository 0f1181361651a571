package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
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
	waiting []result.ListItem
	objects int                // that the causes are about
	list    []result.RootCause // all
	number  map[int]int        // of all causes, by index: as people count
	mine    map[int]bool       // by index, its causes
	ending  map[int]bool       // by index, what is fixed with them
}

// chaptersOf puts the causes in the order in which they are written: that of the list. Last come causes that differ
// only in a finalizer without a known controller, as one chapter where they are more than a few.
func chaptersOf(list []result.RootCause, items []result.ListItem) (chapters []chapter) {
	var indexes []int
	for i := range list {
		indexes = append(indexes, i)
	}
	var apart, joined [][]int
	for _, group := range groupBy(indexes, func(i int) string { return chapterKey(list[i], i) }) {
		if len(group) > fewAlike {
			joined = append(joined, group)
		} else {
			apart = slices.AppendSeq(apart, slices.Chunk(group, 1))
		}
	}
	slices.SortFunc(apart, func(a, b []int) int { return a[0] - b[0] })
	number, at := map[int]int{}, map[int]int{} // of the causes; and their chapters
	for _, causes := range append(apart, joined...) {
		one := chapter{
			first: len(number) + 1, causes: causes, list: list, number: number, mine: map[int]bool{}, ending: map[int]bool{},
			objects: objectsOf(causes, list),
		}
		for _, i := range causes {
			number[i], at[i], one.mine[i] = len(number)+1, len(chapters), true
			for _, other := range list[i].EndsWith {
				one.ending[other] = true
			}
		}
		chapters = append(chapters, one)
	}
	for i, item := range items {
		told := map[int]bool{}
		for _, cause := range item.RootCauses {
			if one := at[cause.Index]; !told[one] {
				told[one] = true
				chapters[one].waiting = append(chapters[one].waiting, items[i])
			}
		}
	}
	return chapters
}

// objectsOf counts the objects that are held by some causes: each once, though several of them may hold it.
func objectsOf(causes []int, list []result.RootCause) (count int) {
	known := map[finding.Ref]bool{}
	for _, i := range causes {
		count += list[i].Count
		for _, object := range append(slices.Clone(list[i].Others), list[i].Object) {
			if known[object] {
				count--
			}
			known[object] = true
		}
	}
	return count
}

// chapterKey is the same for causes with the same words: nothing is known about them.
func chapterKey(c result.RootCause, index int) string {
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

// numbersOf are the numbers of causes, as people count.
func (c chapter) numbersOf(causes []int) []int {
	return finding.Each(causes, func(index int) int { return c.number[index] })
}

// otherCauses names the causes that an object waits for besides those of the chapter: causes 2, 5.
func (c chapter) otherCauses(item result.ListItem) string {
	if others := c.others(item); len(others) > 0 {
		return causesNamed(others)
	}
	return ""
}

// others are the numbers of the causes that an object waits for besides those of the chapter. Left out are causes
// that are fixed with the chapter's, or the chapter's with them.
func (c chapter) others(item result.ListItem) (others []int) {
	for _, cause := range item.RootCauses {
		with := c.mine[cause.Index] || c.ending[cause.Index]
		if !with && c.list != nil {
			with = slices.ContainsFunc(c.list[cause.Index].EndsWith, func(other int) bool { return c.mine[other] })
		}
		if !with {
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
	names := finding.Each(numbers, func(number int) string { return fmt.Sprint(number) })
	if len(names) <= 3 {
		return "causes " + finding.And(names)
	}
	return "causes " + finding.Few(3, names)
}

// finalizerOf is that of the chapter for which an object waits, where the chapter is about several.
func (c chapter) finalizerOf(list *result.List, item result.ListItem) string {
	if len(c.causes) < 2 {
		return ""
	}
	var names []string
	for _, cause := range item.RootCauses {
		if c.mine[cause.Index] {
			names = append(names, list.RootCauses[cause.Index].Finalizer)
		}
	}
	return finding.Some(unique(names), 1)
}

// overview is the table of what hangs, a row for each chapter; where there is one alone, it says as much itself.
func (t *listText) overview(chapters []chapter) {
	list := t.list
	if len(chapters) < 2 {
		return
	}
	about, same := finding.Each(chapters, chapter.about), map[string]int{}
	for _, what := range about {
		same[what]++
	}
	var rows [][]string
	for i, one := range chapters {
		if i == t.extent.overview && len(chapters) > t.extent.overview+1 {
			break
		}
		cause, number, what := list.RootCauses[one.causes[0]], fmt.Sprint(one.first), about[i]
		if last := one.first + len(one.causes) - 1; last > one.first {
			number += fmt.Sprintf("-%d", last)
		}
		if cause.Finalizer != "" && same[what] > 1 {
			what += ", " + cause.Finalizer
		}
		oldest := ""
		if len(one.waiting) > 0 {
			oldest = since(list.GeneratedAt, one.waiting[0])
		}
		row := []string{number, t.w.style.causeText(string(cause.Reason)), fmt.Sprint(len(one.waiting)), oldest, what}
		rows = append(rows, row)
	}
	t.w.line()
	t.w.table("", []string{"#", "CAUSE", "OBJECTS", "FOR", "ABOUT"}, rows, t.w.style.width())
	t.rowsLeft("", len(chapters)-len(rows))
}

// together says what several causes have in common: nothing is known about them.
func (c chapter) together() string {
	finalizers, objects := len(c.finalizers()), max(len(c.waiting), c.objects)
	text := finding.Plural(finalizers, "finalizer")
	if finalizers != len(c.causes) {
		text = fmt.Sprintf("%d causes: %s", len(c.causes), text)
	}
	verb := map[bool]string{true: "blocks", false: "block"}[finalizers == 1]
	return fmt.Sprintf("%s %s %s. It is not clear why these finalizers are still there, or what removes them.",
		text, verb, finding.Plural(objects, "object"))
}

// about names what a chapter is about: the object, or what the causes have in common.
func (c chapter) about() string {
	if len(c.causes) > 1 {
		return some(c.finalizers(), strings.Clone, 2, false, "more finalizers")
	}
	cause := c.list[c.causes[0]]
	if cause.Count > 1 {
		return fmt.Sprintf("%s and %d more", cause.Object, cause.Count-1)
	}
	return cause.Object.String()
}

// finalizers are those of a chapter about several, each once.
func (c chapter) finalizers() []string {
	return unique(finding.Each(c.causes, func(index int) string { return c.list[index].Finalizer }))
}

// write says what is wrong, and of how many objects, which are written after that. About several causes, it says so
// of all, and describes one after their objects.
func (c chapter) write(to renderer, objects func()) {
	example := c.list[c.causes[0]]
	if len(c.causes) > 1 {
		to.said.causeTitle(c.numbers(), len(c.list), example, "")
		to.w.paragraph("  ", c.together(), nil)
		objects()
		to.w.paragraph("  ", "For example:", nil)
		to.said.message(example.Message, example.InShort)
		return
	}
	defer objects()
	to.said.causeHeading(c.numbers(), len(c.list), example, "")
	if c.objects > 1 {
		to.said.shareCause(example, example.Message)
	}
}
