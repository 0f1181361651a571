package print

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// sentences writes sentences and what they rest on, and remembers what was written above.
type sentences struct {
	w         *writer
	said      map[string]bool // long quotations
	quoted    []string        // by evidence
	evidenced []string        // by what evidence the answer has shown so far
}

// heard remembers which quotations of some sentences a text above them has in full.
func (s *sentences) heard(text string, sentences ...finding.InShort) {
	for _, part := range slices.Concat(sentences...) {
		if part.Quoted && strings.Contains(text, finding.Quoted(part.Text)) {
			s.isAbove(part.Text)
		}
	}
}

// message writes a sentence in short, or in wide output as a whole.
func (s *sentences) message(full string, short finding.InShort) {
	s.w.paragraph("  ", s.inShort(full, short), nil)
}

// rest writes a message, or, where the sentence that sums up says it, what that leaves to say: it may be nothing. It
// returns which.
func (s *sentences) rest(full string, short finding.InShort, rest *finding.InShort) (said string) {
	switch {
	case rest == nil || s.w.style.Wide:
		s.message(full, short)
		return full
	case len(*rest) > 0:
		s.message(full, *rest)
	}
	return rest.String()
}

// inShort is a sentence in short, where long quotations that were written above are not repeated, or in wide output the
// whole one.
func (s *sentences) inShort(full string, short finding.InShort) string {
	if s.w.style.Wide || len(short) == 0 {
		return full
	}
	inShort := slices.Clone(short)
	for i, part := range short {
		if part.Quoted && s.isAbove(part.Text) {
			inShort[i] = finding.Part{Text: theMessage}
			switch {
			case part.Told:
				inShort[i].Text = " " + theMessage
			case inParentheses(short, i):
				inShort[i].Text = "above"
			}
		}
	}
	return inShort.String()
}

// inParentheses reports whether a part is all that some parentheses contain.
func inParentheses(short finding.InShort, at int) bool {
	return at > 0 && at+1 < len(short) && strings.HasSuffix(short[at-1].Text, "(") &&
		strings.HasPrefix(short[at+1].Text, ")")
}

// shortQuote is up to which length a quotation is written again, and says nothing about where it comes from.
const shortQuote = finding.LongQuote / 2

// above stands for a quotation in an observation that was written above, in whole or in part, and theMessage for one
// that is a part of a sentence.
const (
	above      = "(quoted above)"
	theMessage = "the message above"
)

// isAbove reports whether a quotation of some length was written above. From now on it is.
func (s *sentences) isAbove(words string) bool {
	if len(words) < shortQuote {
		return false
	}
	before := s.said[words]
	if s.said == nil {
		s.said = map[string]bool{}
	}
	s.said[words] = true
	return before
}

// observed is what an observation says, without a long quotation in it that was written above, in whole or in part.
func (s *sentences) observed(evidence finding.Evidence) string {
	if s.w.style.Wide {
		return evidence.Observed
	}
	part := s.partAbove(evidence.Observed)
	if strings.Contains(evidence.Observed, evidence.Quotes) && s.isAbove(evidence.Quotes) {
		part = evidence.Quotes
	}
	if part == "" {
		return evidence.Observed
	}
	quoted := finding.Quoted(part)
	return strings.NewReplacer("("+quoted+")", above, quoted, theMessage, part, above).Replace(evidence.Observed)
}

// partAbove is the longest quotation in a text that was written above, or nothing.
func (s *sentences) partAbove(text string) (part string) {
	for words := range s.said {
		longer := len(words) > len(part) || len(words) == len(part) && words < part
		if longer && strings.Contains(text, words) {
			part = words
		}
	}
	return part
}

// How much of what a message rests on is shown beside it, and nothing beside a remark on what comes later; -o wide has
// all of it.
const (
	mostEvidence = 4
	ofRemark     = 0
)

// evidence lists what a message rests on: the first of the best rank that there is, or all of it in wide output.
func (s *sentences) evidence(evidence []finding.Evidence, most int) {
	defer s.w.aside("Evidence")()
	for _, sign := range evidence {
		s.quoted = append(s.quoted, sign.Quotes)
	}
	for _, sign := range s.shown(evidence, most) {
		text := s.observed(sign)
		if text == above || text == theMessage { // and nothing else
			continue
		}
		text = sign.Source + ": " + text
		if s.w.style.Wide && sign.Object != nil && sign.Object.UID != "" {
			text += " (uid " + sign.Object.UID + ")"
		}
		if !s.w.style.Wide && s.w.page == nil && slices.Contains(s.evidenced, text) {
			continue
		}
		s.evidenced = append(s.evidenced, text)
		s.w.item(text, nil)
	}
}

// shown is the evidence to show: some of the best rank, and what was asked for, which are a log's lines.
func (s *sentences) shown(evidence []finding.Evidence, most int) (shown []finding.Evidence) {
	if s.w.style.Wide || s.w.page != nil { // where it is folded, there is room
		return evidence
	}
	logged := func(sign finding.Evidence) bool { return sign.Log != nil } // which --logs asks for
	if s.w.without >= sparesEvidence && !slices.ContainsFunc(evidence, logged) {
		most = min(most, 1)
	}
	best, last := finding.Aside, 0
	for i, sign := range evidence {
		if sign.Rank <= best {
			best, last = sign.Rank, i
		}
	}
	if best > finding.Main {
		most = min(most, 1)
	}
	for i, sign := range evidence {
		again := i > 0 && sign.Source == evidence[i-1].Source && sign.Observed == evidence[i-1].Observed
		behind := best == finding.Told && i < last // the last is nearest to the cause
		if sign.Log != nil || sign.Rank == best && best != finding.Restated && most > 0 && !again && !behind {
			shown = append(shown, sign)
			most--
		}
	}
	return shown
}
