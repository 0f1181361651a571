package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const (
	// mostLines is how long the answer about several causes may become before it lists some of them: two screens.
	mostLines = 80
	// mostOfOne is how long the answer about one cause may become before it leaves out what helps least: a screen.
	mostOfOne = 40
	// mostCommanded is how many steps of a list keep their commands in an answer that is too long with all of them.
	mostCommanded = 4
	// mostDescribed is how many of many causes an answer describes at most.
	mostDescribed = 3
	// severalParts is for an answer in parts that has two screens, however few its causes are.
	severalParts = 2
)

// extent is how much an answer says about its causes.
type extent struct {
	described int    // so many have their evidence and all their steps
	steps     bool   // the others have their first step
	without   spared // what it leaves out
}

// spared is what an answer leaves out: each one leaves out what is above it, too.
type spared int

const (
	sparesNothing  spared = iota
	sparesMistake         // what a mistake may lose; the command for it stays
	sparesBesides         // the steps about what blocks nothing
	sparesPath            // the drawing
	sparesEvidence        // evidence but the first
	sparesHalf            // half of what long lists have
	sparesMost            // most of that
	sparesLate            // the commands of the steps after the first few
	sparesCommands        // and of one more
)

// extents are those of an answer about so many causes, the fullest first.
func extents(causes int) (all []extent) {
	most := causes
	if most > mostDescribed+1 {
		most = mostDescribed
	}
	for described := most; described > 0; described-- {
		if described < causes {
			all = append(all, extent{described: described, steps: true})
		}
		all = append(all, extent{described: described})
	}
	return all
}

// fullest chooses the fullest extent in which an answer about so many causes is no longer than it should be, or else
// the smallest. An answer that spares may leave out more, before it is longer than for so many causes. write writes the
// answer to a writer of the given style. Wide answers and pages say everything.
func (w *writer) fullest(causes int, spares bool, write func(to *writer, extent extent)) extent {
	all := extents(causes)
	w.without = sparesNothing
	if w.page != nil || w.style.Wide {
		return extent{described: causes}
	}
	lines := func(one extent) int {
		var text strings.Builder
		write(&writer{out: &text, style: w.style, over: w.over, without: one.without}, one)
		return strings.Count(text.String(), "\n")
	}
	chosen := extent{described: causes}
	if at := slices.IndexFunc(all, func(one extent) bool { return lines(one) <= mostLines }); at >= 0 {
		chosen = all[at]
	} else if len(all) > 0 {
		chosen = all[len(all)-1]
	}
	most := mostLines
	if causes <= 1 {
		most = mostOfOne
	}
	for spares && chosen.without < sparesCommands && lines(chosen) > most {
		chosen.without++
	}
	w.without = chosen.without
	return chosen
}

// room is how many of a list that has few at most there is room for.
func (w *writer) room(few int) int {
	switch {
	case w.without >= sparesMost:
		return min(few, max(2, few/4))
	case w.without >= sparesHalf:
		return min(few, max(2, few/2))
	}
	return few
}

// mention is a cause that is listed, and not described.
type mention struct {
	title string
	cause result.RootCause
	step  bool // has its first step
}

// moreCauses is the heading over so many causes that are listed, and moreOf the one over others.
func moreCauses(count int) string { return moreOf("CAUSE", count) }

func moreOf(noun string, count int) string {
	if count == 1 {
		return "1 MORE " + noun
	}
	return fmt.Sprintf("%d MORE %sS", count, noun)
}

// mentions lists causes under a heading: a few. command says more; without one, it is told how to get more.
func (r *renderer) mentions(causes []mention, command finding.Command) {
	them := "it"
	if len(causes) > 1 {
		them = "them"
	}
	r.briefly("CAUSE", causes, func() {
		if len(command) == 0 {
			r.w.paragraph("  ", fmt.Sprintf("For what to do about %s, use -o wide.", them), nil)
			return
		}
		r.w.paragraph("  ", fmt.Sprintf("For all that there is to do about %s:", them), nil)
		r.w.command("    ", command)
	})
}

// briefly lists a few of what there is no room to describe, under a heading with a noun. more says how to get more.
func (r *renderer) briefly(noun string, causes []mention, more func()) {
	const few = 6
	if len(causes) == 0 {
		return
	}
	r.w.section(moreOf(noun, len(causes)))
	for i, one := range causes {
		if i == few && len(causes) > few+1 {
			r.w.item(fmt.Sprintf("%d more", len(causes)-few), nil)
			break
		}
		r.w.item(one.title, nil)
		if one.step && len(one.cause.Remedies) > 0 {
			r.advice.step(stepBlock, "    First step: ", stepOf(one.cause.Remedies[0]), one.cause)
		}
	}
	more()
}
