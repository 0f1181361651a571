package report

import (
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// message writes a sentence in short, or in wide output as a whole.
func (w *writer) message(lead, full string, short finding.InShort, paint func(string) string) {
	text := full
	if !w.style.Wide {
		text = short.Of(full)
	}
	w.paragraph(lead, w.once(text, short.Quotes...), paint)
}

// once is a text without the long quotations in it that were written above already.
func (w *writer) once(text string, quotes ...string) string {
	for _, words := range quotes {
		switch {
		case len(words) < finding.LongQuote || !strings.Contains(text, words):
		case w.said[words]:
			text = strings.ReplaceAll(strings.ReplaceAll(text, finding.Quoted(words), words), words, "(above)")
		default:
			if w.said == nil {
				w.said = map[string]bool{}
			}
			w.said[words] = true
		}
	}
	return text
}

// How much of what a message rests on is shown beside it, and nothing beside a remark on what comes later; -o wide has
// all of it.
const (
	mostEvidence = 4
	ofRemark     = 0
)

// evidence lists what a message rests on: the first of the best rank that there is, or all of it in wide output.
func (w *writer) evidence(evidence []finding.Evidence, most int) {
	defer w.aside("Evidence")()
	for _, one := range evidence {
		w.quoted = append(w.quoted, one.Quotes)
	}
	for _, one := range w.shown(evidence, most) {
		text := w.once(one.Observed, one.Quotes)
		if text == "(above)" { // and nothing else
			continue
		}
		text = one.Source + ": " + text
		if w.style.Wide && one.Object != nil && one.Object.UID != "" {
			text += " (uid " + one.Object.UID + ")"
		}
		w.item(text, nil)
	}
}

// shown is the evidence to show: some of the best rank, and what was asked for, which are a log's lines.
func (w *writer) shown(evidence []finding.Evidence, most int) (shown []finding.Evidence) {
	if w.style.Wide || w.page != nil { // where it is folded, there is room
		return evidence
	}
	best := finding.Aside
	for _, one := range evidence {
		best = min(best, one.Rank)
	}
	if best > finding.Main {
		most = 1
	}
	for i, one := range evidence {
		again := i > 0 && one.Source == evidence[i-1].Source && one.Observed == evidence[i-1].Observed
		if one.Log != nil || one.Rank == best && most > 0 && !again {
			shown = append(shown, one)
			most--
		}
	}
	return shown
}
