package preview

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// summing puts the sentence together that answers, from all that was found.
type summing struct {
	result  *result.Preview
	target  *session.Object
	graph   *graph.Graph
	hanging map[string]int // what would hang, by uid: its place in the result

	details *finding.PreviewDetails
	known   map[finding.Ref]bool // what hangs, or may hang, and is named
}

// summary is the sentence that answers: what comes of it. It names what would hang of itself, not what waits for that.
func (p *previewer) summary() string {
	s := &summing{
		result: p.result, target: p.target, graph: &p.graph, hanging: p.hanging, known: map[finding.Ref]bool{},
	}
	details := finding.PreviewDetails{
		Goes: s.goes(), Unread: len(p.result.Unreadable) > 0, Causes: len(p.result.RootCauses),
		Likely: s.released(), Open: !slices.ContainsFunc(p.result.Hanging, stuck),
	}
	details.Loses, details.MayLose = finding.Loses(p.result.Takes)
	s.details = &details
	s.addLeft()
	s.addHanging()
	s.addRefusing()
	s.addLater()
	at, itself := p.hanging[p.target.Ref.UID]
	if itself && len(details.Hangs) == 1 && s.known[p.target.Ref] {
		details.Awaits = p.result.Hanging[at].Awaits
		p.result.Hanging[at].Summed = p.result.Outcome == result.WouldHang || p.result.Outcome == result.MayHang
	}
	details.Outlived = !itself && len(p.result.Refusals) == 0
	answer := finding.Finding{Object: p.target.Ref, Details: details}
	switch {
	case p.result.Outcome == result.AlreadyDeleted:
		answer.Situation = "AlreadyBeingDeleted"
	case p.result.Outcome == result.WouldBeRefused && p.target.Undeletable():
		answer.Situation = "NeverDeleted"
	case p.result.Outcome == result.WouldBeRefused:
		answer.Situation = "DeletionWouldBeRefused"
	case p.result.Outcome == result.WouldHang:
		answer.Situation = "DeletionWouldHang"
	case p.result.Outcome == result.MayHang:
		answer.Situation = "DeletionMayHang"
	default:
		answer.Situation = "DeletionWouldPass"
	}
	return p.voice.Message(answer)
}

// addLeft adds the volumes that stay behind.
func (s *summing) addLeft() {
	for _, taken := range s.result.Takes {
		if finding.Is(taken.Situation, finding.VolumeStays) {
			s.details.Left = append(s.details.Left, *taken.Details.Volume)
		}
	}
}

// addHanging adds what would hang, or may: the objects of root causes that are among it, else what waits for those.
func (s *summing) addHanging() {
	for number, cause := range s.result.RootCauses {
		objects := append([]finding.Ref{cause.Object}, cause.Others...)
		if _, itself := s.hanging[cause.Object.UID]; !itself {
			objects = s.on(number)
		}
		for _, object := range objects {
			s.hangs(object)
		}
	}
	for _, hanging := range s.result.Hanging {
		open := len(hanging.RootCauses) == 0 && (s.result.Outcome == result.MayHang || !stuck(hanging))
		if len(s.details.Hangs) == 0 || open {
			s.hangs(hanging.Object)
		}
	}
	s.details.Before, s.details.HangNow = s.before(s.details.Hangs, s.details.May)
}

func (s *summing) hangs(object finding.Ref) {
	switch {
	case s.known[object]:
	case (!s.details.Open || s.result.Outcome == result.WouldHang) && !s.surely(object):
		s.details.May = append(s.details.May, object)
	default:
		s.details.Hangs = append(s.details.Hangs, object)
	}
	s.known[object] = true
}

// addRefusing adds what refuses, and what may refuse.
func (s *summing) addRefusing() {
	for _, refused := range s.result.Refusals {
		if !slices.Contains(s.details.Refusing, refused.By) {
			s.details.Refusing = append(s.details.Refusing, refused.By)
		}
	}
	s.details.Asked = s.unsettledBy()
}

// addLater adds the objects that lose their controller.
func (s *summing) addLater() {
	for _, later := range s.result.Later {
		objects := &s.details.Later
		if later.State == string(attribution.Down) {
			objects = &s.details.Idle
		}
		for _, object := range slices.Concat(later.Waiting, later.Objects) {
			if !slices.Contains(*objects, object) {
				*objects = append(*objects, object)
			}
		}
	}
}

// surely reports whether an object would hang, as far as anything is known of that.
func (s *summing) surely(object finding.Ref) bool {
	at, itself := s.hanging[object.UID]
	return !itself || stuck(s.result.Hanging[at])
}

// released are finalizers on the way that probably are removed, but by no known controller.
func (s *summing) released() (finalizers []string) {
	for _, hold := range s.result.Holds {
		if hold.Hang == 0 && hold.RemovedBy == "" && !slices.Contains(finalizers, hold.Finalizer) {
			finalizers = append(finalizers, hold.Finalizer)
		}
	}
	return finalizers
}

// unsettledBy is what may refuse, as far as can be read, and is not certain.
func (s *summing) unsettledBy() (asked []finding.Ref) {
	keep := func(by finding.Ref) {
		if !slices.Contains(asked, by) {
			asked = append(asked, by)
		}
	}
	for _, askedWebhook := range s.result.Asked {
		if askedWebhook.Unjudged {
			keep(askedWebhook.By)
		}
	}
	for _, doubt := range s.result.Unsure {
		if doubt.Object != nil {
			keep(*doubt.Object)
		}
	}
	return asked
}

// on is what hangs on a root cause: all that waits for its object itself, or else one of the others.
func (s *summing) on(number int) (objects []finding.Ref) {
	cause := s.graph.Add(s.result.RootCauses[number].Object)
	waits := func(edge graph.Edge) bool { return edge.To == cause }
	for _, hanging := range s.result.Hanging {
		if slices.Contains(hanging.RootCauses, number) && hanging.Object != s.target.Ref &&
			slices.ContainsFunc(s.graph.WaitsOf(s.graph.Add(hanging.Object)), waits) {
			objects = append(objects, hanging.Object)
		}
	}
	if first, is := s.firstOn(number); is && len(objects) == 0 {
		return []finding.Ref{first}
	}
	return objects
}

// firstOn is what hangs on a root cause, and not only because of what it contains, where there is such.
func (s *summing) firstOn(number int) (first finding.Ref, found bool) {
	for _, hanging := range s.result.Hanging {
		better := !found || first == s.target.Ref || !s.surely(first) && stuck(hanging)
		if better && slices.Contains(hanging.RootCauses, number) {
			first, found = hanging.Object, true
		}
	}
	return first, found
}

// before is what of that which goes is being deleted already, and not named as hanging; now is whether all is that
// hangs.
func (s *summing) before(hangs, may []finding.Ref) (others []finding.Ref, now bool) {
	count := 0
	for _, before := range s.result.Terminating {
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
func (s *summing) goes() (count int) {
	for _, goe := range s.result.Goes {
		if !goe.Tells() {
			count += goe.Count
		}
	}
	return count
}
