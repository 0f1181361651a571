package print

import (
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// betterChapter is what to try about one cause of one hold, of one object or several.
type betterChapter struct {
	result.BetterWay
	steps []step
}

// heading says what a chapter is about; nothing where it is about the whole object.
func (c betterChapter) heading() string {
	about := "About the finalizer " + entryName(c.Hold)
	switch {
	case c.Hold == finding.Hold{}:
		return ""
	case c.Hold.Type == finding.GracePeriod:
		about = "About " + entryName(c.Hold)
	}
	if c.Reason != "" {
		about += ", " + string(c.Reason)
	}
	return about + ":"
}

// betterChapters puts together what is about the same hold and the same reason. What is about whole objects comes
// first, and no step twice.
func betterChapters(items []result.Removal) (chapters []betterChapter) {
	ways := eachOf(items, func(item result.Removal) []result.BetterWay { return item.Ways })
	slices.SortStableFunc(ways, func(a, b result.BetterWay) int {
		none := map[bool]int{true: 0, false: 1}
		return none[a.Hold == finding.Hold{}] - none[b.Hold == finding.Hold{}]
	})
	sameCause := func(a, b result.BetterWay) bool { return a.Hold == b.Hold && a.Reason == b.Reason }
	var told []finding.Remedy
	for _, alike := range groupBySame(ways, sameCause) {
		chapter := betterChapter{BetterWay: alike[0]}
		fresh := slices.DeleteFunc(eachOf(alike, func(way result.BetterWay) []finding.Remedy { return way.Remedies }),
			func(remedy finding.Remedy) bool { return slices.ContainsFunc(told, remedy.Equal) })
		for _, same := range groupBySame(fresh, finding.Remedy.SameStep) {
			chapter.steps = append(chapter.steps, joined(same))
		}
		if told = append(told, fresh...); len(chapter.steps) > 0 {
			chapters = append(chapters, chapter)
		}
	}
	return chapters
}

// joined is one step with the commands of all of them.
func joined(same []finding.Remedy) step {
	one := stepOf(same[0])
	for _, other := range same[1:] {
		known := func(command finding.Command) bool { return slices.Equal(command, other.Command) }
		if len(other.Command) > 0 && !slices.ContainsFunc(one.commands, known) {
			one.commands = append(one.commands, other.Command)
		}
	}
	return one
}

// better lists what should be tried before force, each step once, with the commands of all objects that it is for.
func (t *removalText) better(items []result.Removal) {
	const few = 6
	chapters, steps, headings := betterChapters(items), 0, 0
	for _, chapter := range chapters {
		steps += len(chapter.steps)
		if chapter.heading() != "" {
			headings++
		}
	}
	if steps == 0 {
		return
	}
	t.w.section("BETTER", "  than a removal by force")
	t.advice.numbered, t.advice.retained = 0, retained{}
	t.advice.takesTold = slices.ContainsFunc(items, func(item result.Removal) bool { return len(item.Takes) > 0 })
	for _, chapter := range chapters {
		if heading := chapter.heading(); heading != "" && headings > 1 {
			t.w.paragraph("  ", heading, nil)
		}
		for _, one := range chapter.steps {
			if t.advice.numbered == few && !t.w.style.Wide && steps > few+1 {
				t.w.line(fmt.Sprintf("  and %d more; -o wide lists them all", steps-few))
				return
			}
			t.betterStep(one)
		}
	}
}

// betterStep writes one step, with the commands of a few objects.
func (t *removalText) betterStep(one step) {
	const few = 7
	left := 0
	if !t.w.style.Wide && len(one.commands) > few+1 {
		one.commands, left = one.commands[:few], len(one.commands)-few
	}
	t.advice.step(stepBlock, t.advice.number(), one, result.RootCause{})
	if left > 0 {
		t.w.line(fmt.Sprintf("     and the same for %d more objects; -o wide lists them all", left))
	}
}
