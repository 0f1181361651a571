package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// causeHeading writes the title of a cause, and its message.
func (s *sentences) causeHeading(numbers string, of int, cause result.RootCause, beside string) {
	s.causeTitle(numbers, of, cause, beside)
	s.message(cause.Message, cause.InShort)
}

// causeTitle writes the reason of a cause with its certainty and what else is to be said beside it.
func (s *sentences) causeTitle(numbers string, of int, cause result.RootCause, beside string) {
	heading := "ROOT CAUSE  "
	switch {
	case of > 1: // of which some may be unknown
		heading = fmt.Sprintf("%s of %d  ", strings.NewReplacer("causes", "CAUSES", "cause", "CAUSE").Replace(numbers), of)
	case isUnknown(cause):
		heading = "UNKNOWN CAUSE  "
	}
	s.w.heading(heading, s.w.style.causeText(string(cause.Reason)), certainty(cause.Certainty), beside)
}

// isUnknown reports whether a cause says only that it is not known who removes a finalizer.
func isUnknown(c result.RootCause) bool { return c.Reason == finding.ControllerUnknown }

// alsoHolds names the objects about which the same is to be said as about a first one: a few, or all of them in wide
// output.
func (s *sentences) alsoHolds(others []finding.Ref) { s.more("The same applies to", others) }

// shareCause names the objects that share a cause with its first one. Where one of another kind is held by the same
// controller, that has something else to do there: not the same applies to it. Where said, which is what was written of
// the cause, leaves its first object out, that is named, too.
func (s *sentences) shareCause(cause result.RootCause, said string) {
	says, objects := "The same applies to", cause.Others
	ofAnotherKind := func(other finding.Ref) bool { return other.Kind != cause.Object.Kind }
	if cause.Finalizer != "" && slices.ContainsFunc(cause.Others, ofAnotherKind) {
		says = "This also blocks"
	} else if cause.Finalizer != "" && !strings.Contains(said, cause.Object.String()) {
		says, objects = "The finalizer is on", append([]finding.Ref{cause.Object}, cause.Others...)
	}
	s.more(says, objects)
}

func (s *sentences) more(says string, others []finding.Ref) {
	const few = 3
	names := finding.Each(others, finding.Ref.String)
	if left := len(names) - few; left > 1 && !s.w.style.Wide {
		names = append(names[:few], fmt.Sprintf("%d others", left))
	}
	s.w.paragraph("  ", says+" "+finding.And(names)+".", nil)
}
