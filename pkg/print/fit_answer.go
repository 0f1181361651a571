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
	// mostDescribed is how many of many causes an answer describes at most.
	mostDescribed = 3
)

// extent is how much an answer says about its causes.
type extent struct {
	described int  // so many have their evidence and all their steps
	steps     bool // the others have their first step
}

// extents are those of an answer about so many causes, the fullest first.
func extents(causes int) (all []extent) {
	most := causes
	if most > mostDescribed+1 {
		most = mostDescribed
	}
	for described := most; described > 0; described-- {
		if described < causes {
			all = append(all, extent{described, true})
		}
		all = append(all, extent{described, false})
	}
	return all
}

// fullest chooses the fullest extent in which an answer about so many causes is no longer than it should be, or else
// the smallest. write writes the answer to a writer of the given style. Wide answers and pages say everything.
func (w *writer) fullest(causes int, write func(to *writer, extent extent)) extent {
	all := extents(causes)
	if len(all) == 0 || w.page != nil || w.style.Wide {
		return extent{described: causes}
	}
	at := slices.IndexFunc(all, func(one extent) bool {
		var text strings.Builder
		write(&writer{out: &text, style: w.style, over: w.over}, one)
		return strings.Count(text.String(), "\n") <= mostLines
	})
	if at < 0 {
		at = len(all) - 1
	}
	return all[at]
}

// mention is a cause that is listed, and not described.
type mention struct {
	title string
	cause result.RootCause
	step  bool // has its first step
}

// moreCauses is the heading over so many causes that are listed.
func moreCauses(count int) string {
	if count == 1 {
		return "1 MORE CAUSE"
	}
	return fmt.Sprintf("%d MORE CAUSES", count)
}

// mentions lists causes under a heading: a few. command says more; without one, it is told how to get more.
func (r *renderer) mentions(causes []mention, command finding.Command) {
	const few = 6
	if len(causes) == 0 {
		return
	}
	them := "it"
	if len(causes) > 1 {
		them = "them"
	}
	r.w.section(moreCauses(len(causes)))
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
	if len(command) == 0 {
		r.w.paragraph("  ", fmt.Sprintf("For what to do about %s, use -o wide.", them), nil)
		return
	}
	r.w.paragraph("  ", fmt.Sprintf("For all that there is to do about %s:", them), nil)
	r.w.command("    ", command)
}
