package print

import (
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

// fit chooses the fullest extent in which the answer is no longer than it should be, or else the shortest.
func (t *diagnosisText) fit(d *result.Diagnosis, others []finding.Ref) extent {
	all := extents(len(alikes(d.RootCauses)))
	if len(all) == 0 || t.w.page != nil || t.w.style.Wide {
		return extent{described: len(d.RootCauses)}
	}
	at := slices.IndexFunc(all, func(one extent) bool {
		var text strings.Builder
		tried := diagnosisText{renderer: newRenderer(&writer{out: &text, style: t.w.style, over: t.w.over}), extent: one}
		tried.writeParts(d, others)
		return strings.Count(text.String(), "\n") <= mostLines
	})
	if at < 0 {
		at = len(all) - 1
	}
	return all[at]
}

// firstStep writes the first step about a cause that is not described.
func (t *diagnosisText) firstStep(cause result.RootCause) {
	if len(cause.Remedies) > 0 {
		t.advice.step(stepBlock, "    First step: ", stepOf(cause.Remedies[0]), cause)
	}
}
