package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Severity says how bad a finding is.
type Severity string

// The severities.
const (
	Error   Severity = "Error"   // never honoured, or acted on wrongly
	Warning Severity = "Warning" // should not be so for long, or will matter
	Info    Severity = "Info"    // harmless as it is
)

// The reasons of findings that are no root causes of anything yet. They join those of pkg/finding.
const (
	InvalidFinalizer     finding.Reason = "InvalidFinalizer"     // the API server's rules for names don't allow it
	UnqualifiedFinalizer finding.Reason = "UnqualifiedFinalizer" // no domain: whose it is can't be told
	DuplicateFinalizer   finding.Reason = "DuplicateFinalizer"   // twice on one object
	OwnerMissing         finding.Reason = "OwnerMissing"         // the owner doesn't exist, or is another object by now
	OwnerCycle           finding.Reason = "OwnerCycle"           // in the end, it owns itself
	DependentUnwatched   finding.Reason = "DependentUnwatched"   // of a kind that the garbage collector doesn't watch
)

// Check is what will go wrong, or does already, without a question about it. Its kind is CheckReport.
type Check struct {
	APIVersion  string    `json:"apiVersion"`
	Kind        string    `json:"kind"`
	GeneratedAt time.Time `json:"generatedAt"`
	Owned       int       `json:"owned"` // objects with owners that were looked at
	Held        int       `json:"held"`  // objects with finalizers that were looked at
	Findings    []Finding `json:"findings"`
	Notes       []string  `json:"notes,omitempty"` // what the findings rest on, and what their absence doesn't prove
	// Ask is the command that lists what is Terminating already, with what blocks it.
	Ask        finding.Command `json:"ask,omitempty"`
	Unreadable []Unreadable    `json:"unreadable"`
	Doubtful   bool            `json:"-"` // the notes have something that is wrong, if it matters
}

// Finding is something that is wrong with one object, or with several that are alike.
type Finding struct {
	Severity  Severity           `json:"severity"`
	Reason    finding.Reason     `json:"reason"`
	Reference finding.Ownership  `json:"reference,omitempty"` // what is wrong with the owner reference
	Object    finding.Ref        `json:"object"`
	Owner     *finding.Ref       `json:"owner,omitempty"` // that the reference names
	Finalizer string             `json:"finalizer,omitempty"`
	Message   string             `json:"message"`
	InShort   finding.InShort    `json:"-"`                   // the message, as the default output has it
	Situation string             `json:"situation,omitempty"` // in one word, with the parameters in Details
	Details   any                `json:"details,omitempty"`
	Certainty finding.Certainty  `json:"certainty,omitempty"` // empty where the finding is what was read
	Count     int                `json:"count"`               // objects with this finding, Object included
	Others    []finding.Ref      `json:"others,omitempty"`
	Evidence  []finding.Evidence `json:"evidence"`
	Remedies  []finding.Remedy   `json:"remedies"`
}

// noun is a severity as people read it.
func (s Severity) noun() string {
	if s == Info {
		return "remark"
	}
	return strings.ToLower(string(s))
}

func (f Finding) objects() []finding.Ref { return append([]finding.Ref{f.Object}, f.Others...) }

// unnamed are the other objects with this finding that its message doesn't name.
func (f Finding) unnamed() []finding.Ref {
	var named []finding.Ref
	if naming, is := f.Details.(finding.Naming); is {
		named = naming.Names()
	}
	return slices.DeleteFunc(slices.Clone(f.Others), func(ref finding.Ref) bool { return slices.Contains(named, ref) })
}

// human writes what was found, the worst first; in wide output, a row for each object, or that there is none.
func (c *Check) human(w *writer) {
	if w.style.Wide && len(c.Findings) > 0 {
		w.table("", []string{"SEVERITY", "REASON", "NAMESPACE", "NAME", "OWNER OR FINALIZER"}, c.rows(), w.style.Width)
	} else {
		w.headline(c.headline())
		for _, reported := range c.Findings {
			w.line()
			w.finding(reported)
		}
	}
	w.notes(c.Notes, len(c.Findings) > 0)
	if len(c.Ask) > 0 {
		w.line()
		w.paragraph("", "To see what blocks the objects that are already Terminating:", nil)
		w.command("  ", c.Ask)
	}
	w.unread(c.Unreadable)
}

// notes writes remarks on the whole, under a heading where findings are above them.
func (w *writer) notes(notes []string, below bool) {
	switch {
	case len(notes) == 0:
		return
	case below || len(notes) > 1:
		w.section("NOTES")
	default:
		w.line()
	}
	for _, note := range notes {
		if below || len(notes) > 1 {
			w.item(note, nil)
		} else {
			w.paragraph("", note, nil)
		}
	}
}

func (c *Check) headline() string {
	counts := map[Severity]int{}
	for _, reported := range c.Findings {
		counts[reported.Severity]++
	}
	var parts []string
	for _, severity := range []Severity{Error, Warning, Info} {
		if counts[severity] > 0 {
			parts = append(parts, finding.Plural(counts[severity], severity.noun()))
		}
	}
	part := inPart(c.Unreadable)
	text := "No problems found."
	switch {
	case len(parts) > 0:
		text = "Found " + finding.And(parts) + "."
	case c.Doubtful:
		text = "Found no certain problems, but see below."
	case part != "":
		text, part = "No problems found in what could be read.", ""
	}
	return text + " " + c.checked() + part
}

// checked says among how many objects that was found.
func (c *Check) checked() string {
	var parts []string
	if c.Owned > 0 {
		parts = append(parts, finding.Plural(c.Owned, "object")+" with owners")
	}
	switch {
	case c.Held > 0 && c.Owned > 0:
		parts = append(parts, fmt.Sprintf("%d with finalizers", c.Held))
	case c.Held > 0:
		parts = append(parts, finding.Plural(c.Held, "object")+" with finalizers")
	case c.Owned == 0:
		return "No objects with owners or finalizers were found."
	}
	return "Checked " + finding.And(parts) + "."
}

func (w *writer) finding(reported Finding) {
	paint := w.style.waitingText
	if reported.Severity == Error {
		paint = w.style.causeText
	}
	severity := strings.ToUpper(reported.Severity.noun()) + "  "
	w.heading(severity, paint(string(reported.Reason)), certainty(reported.Certainty))
	w.message(reported.Message, reported.InShort)
	if others := reported.unnamed(); len(others) > 0 {
		w.alsoHolds(others)
	}
	w.evidenced = nil
	w.evidence(reported.Evidence, mostEvidence)
	w.steps(reported.Remedies, RootCause{Count: reported.Count, Object: reported.Object})
}

func (c *Check) rows() (rows [][]string) {
	for _, reported := range c.Findings {
		about := reported.Finalizer
		if reported.Owner != nil {
			about = reported.Owner.String()
		}
		if reported.Reference != finding.Honoured {
			about = strings.TrimSpace(about + " " + string(reported.Reference))
		}
		for _, ref := range reported.objects() {
			row := []string{string(reported.Severity), string(reported.Reason), ref.Namespace, qualifiedName(ref), about}
			rows = append(rows, row)
		}
	}
	return rows
}
