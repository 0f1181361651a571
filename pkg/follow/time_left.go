package follow

import (
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// pace is how fast a count falls.
type pace struct {
	falls []fall // the last ones
	most  int    // that were ever left
}

type fall struct {
	at   time.Time
	left int
}

// How many falls an estimate rests on: at least, so that it is one, and at most, so that it follows what changes.
const (
	fewestFalls = 3
	mostFalls   = 30
)

// note takes in how many are left.
func (p *pace) note(at time.Time, left int) {
	p.most = max(p.most, left)
	switch last := len(p.falls) - 1; {
	case last >= 0 && left == p.falls[last].left:
	case last >= 0 && left > p.falls[last].left: // more have come: what was before tells nothing
		p.falls = []fall{{at, left}}
	default:
		p.falls = append(p.falls, fall{at, left})
	}
	if len(p.falls) > mostFalls {
		p.falls = slices.Delete(p.falls, 0, len(p.falls)-mostFalls)
	}
}

// progress is how far the count has come by a time. How long it will take is told while it falls: no longer, once
// nothing has happened for much longer than between two falls.
func (p *pace) progress(at time.Time) result.Progress {
	if len(p.falls) == 0 {
		return result.Progress{}
	}
	first, last := p.falls[0], p.falls[len(p.falls)-1]
	progress := result.Progress{Left: last.left, Of: p.most}
	took, fell := at.Sub(first.at), first.left-last.left
	between := last.at.Sub(first.at) / time.Duration(max(1, len(p.falls)-1))
	if len(p.falls) >= fewestFalls && fell > 0 && at.Sub(last.at) <= 3*between+5*time.Second {
		progress.Remaining = took / time.Duration(fell) * time.Duration(last.left)
	}
	return progress
}
