package rescue

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// tellSafe says what stays without a step.
func (p *planner) tellSafe() {
	(&setSearch{p}).tellKeptClaims()
	for _, found := range p.volumes {
		if !found.retained() {
			continue
		}
		note := finding.Finding{Situation: "VolumeIsRetained", Object: found.object.Ref, Details: p.volumeDetails(found)}
		p.safe(note)
	}
	for _, group := range p.outsideAlike() {
		first := group[0]
		note := finding.Finding{Situation: "OutsideIsKept", Object: first.object.Ref, Details: ofGroup(group)}
		switch {
		case first.way != isKept:
			continue
		case first.keep.Patch != "": // whether its controller runs or not
		case !first.acts():
			note.Situation = "NothingActsOutside"
		case first.paused():
			note.Situation = "OutsideIsPaused"
		}
		p.safe(note)
	}
}
