package preview

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// summary is the sentence that answers: what comes of it. It names what would hang of itself, not what waits for that.
func (p *previewer) summary() string {
	details := finding.PreviewDetails{
		Goes: p.goes(), Unread: len(p.result.Unreadable) > 0, Causes: len(p.result.RootCauses),
		Likely: p.released(),
	}
	details.Loses, details.MayLose = finding.Loses(p.result.Takes)
	for _, one := range p.result.Takes {
		if one.Situation == "VolumeLeft" {
			details.Left = append(details.Left, *one.Details.Volume)
		}
	}
	details.Open = !slices.ContainsFunc(p.result.Hanging, stuck)
	known := map[finding.Ref]bool{}
	hangs := func(object finding.Ref) {
		switch {
		case known[object]:
		case (!details.Open || p.result.Outcome == result.WouldHang) && !p.surely(object):
			details.May = append(details.May, object)
		default:
			details.Hangs = append(details.Hangs, object)
		}
		known[object] = true
	}
	for number, cause := range p.result.RootCauses {
		if _, itself := p.hanging[cause.Object.UID]; itself {
			for _, object := range append([]finding.Ref{cause.Object}, cause.Others...) {
				hangs(object)
			}
		} else {
			for _, object := range p.on(number) {
				hangs(object)
			}
		}
	}
	for _, one := range p.result.Hanging {
		open := len(one.RootCauses) == 0 && (p.result.Outcome == result.MayHang || !stuck(one))
		if len(details.Hangs) == 0 || open {
			hangs(one.Object)
		}
	}
	for _, refused := range p.result.Refusals {
		if !slices.Contains(details.Refusing, refused.By) {
			details.Refusing = append(details.Refusing, refused.By)
		}
	}
	details.Asked = p.unsettledBy()
	details.Before, details.HangNow = p.before(details.Hangs, details.May)
	for _, later := range p.result.Later {
		objects := &details.Later
		if later.State == string(attribution.Down) {
			objects = &details.Idle
		}
		for _, object := range slices.Concat(later.Waiting, later.Objects) {
			if !slices.Contains(*objects, object) {
				*objects = append(*objects, object)
			}
		}
	}
	if at, itself := p.hanging[p.target.Ref.UID]; itself && len(details.Hangs) == 1 && known[p.target.Ref] {
		details.Awaits = p.result.Hanging[at].Awaits
		p.result.Hanging[at].Summed = p.result.Outcome == result.WouldHang || p.result.Outcome == result.MayHang
	}
	answer := finding.Finding{Object: p.target.Ref, Details: details}
	switch p.result.Outcome {
	case result.AlreadyDeleted:
		answer.Situation = "AlreadyBeingDeleted"
	case result.WouldBeRefused:
		if p.target.Undeletable() {
			answer.Situation = "NeverDeleted"
			break
		}
		answer.Situation = "DeletionWouldBeRefused"
	case result.WouldHang:
		answer.Situation = "DeletionWouldHang"
	case result.MayHang:
		answer.Situation = "DeletionMayHang"
	default:
		answer.Situation = "DeletionWouldPass"
	}
	return p.voice.Message(answer)
}

// note keeps a sentence about what was left out.
func (p *previewer) note(situation finding.Finding) {
	p.result.Notes = append(p.result.Notes, p.voice.Message(situation))
}

// surely reports whether an object would hang, as far as anything is known of that.
func (p *previewer) surely(object finding.Ref) bool {
	at, itself := p.hanging[object.UID]
	return !itself || stuck(p.result.Hanging[at])
}

// released are finalizers on the way that probably are removed, but by no known controller.
func (p *previewer) released() (finalizers []string) {
	for _, hold := range p.result.Holds {
		if hold.Hang == 0 && hold.RemovedBy == "" && !slices.Contains(finalizers, hold.Finalizer) {
			finalizers = append(finalizers, hold.Finalizer)
		}
	}
	return finalizers
}

// unsettledBy is what may refuse, as far as can be read, and is not certain.
func (p *previewer) unsettledBy() (asked []finding.Ref) {
	keep := func(by finding.Ref) {
		if !slices.Contains(asked, by) {
			asked = append(asked, by)
		}
	}
	for _, one := range p.result.Asked {
		if one.Unjudged {
			keep(one.By)
		}
	}
	for _, doubt := range p.result.Unsure {
		if doubt.Object != nil {
			keep(*doubt.Object)
		}
	}
	return asked
}

// on is what hangs on a root cause: all that waits for its object itself, or else one of the others.
func (p *previewer) on(number int) (objects []finding.Ref) {
	cause := p.graph.Add(p.result.RootCauses[number].Object)
	waits := func(edge graph.Edge) bool { return edge.To == cause }
	for _, one := range p.result.Hanging {
		if slices.Contains(one.RootCauses, number) && one.Object != p.target.Ref &&
			slices.ContainsFunc(p.graph.WaitsOf(p.graph.Add(one.Object)), waits) {
			objects = append(objects, one.Object)
		}
	}
	if first, is := p.firstOn(number); is && len(objects) == 0 {
		return []finding.Ref{first}
	}
	return objects
}

// firstOn is what hangs on a root cause, and not only because of what it contains, where there is such.
func (p *previewer) firstOn(number int) (first finding.Ref, found bool) {
	for _, one := range p.result.Hanging {
		better := !found || first == p.target.Ref || !p.surely(first) && stuck(one)
		if better && slices.Contains(one.RootCauses, number) {
			first, found = one.Object, true
		}
	}
	return first, found
}

// before is what of that which goes is being deleted already, and not named as hanging; now is whether all is that
// hangs.
func (p *previewer) before(hangs, may []finding.Ref) (others []finding.Ref, now bool) {
	count := 0
	for _, before := range p.result.Terminating {
		for _, object := range before.Objects {
			switch {
			case slices.Contains(hangs, object):
				count++
			case !slices.Contains(may, object):
				others = append(others, object)
			}
		}
	}
	return others, count > 0 && count == len(hangs)
}

// goes counts what is deleted, except what is only mentioned.
func (p *previewer) goes() (count int) {
	for _, one := range p.result.Goes {
		if !one.Tells() {
			count += one.Count
		}
	}
	return count
}
