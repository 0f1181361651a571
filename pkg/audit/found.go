package audit

import (
	"cmp"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// found is a finding about one object, or about several with one key.
type found struct {
	finding.Finding
	severity  report.Severity
	reference finding.Ownership // what is wrong with an owner reference
	owner     *finding.Ref      // that it names
	others    []finding.Ref
	cause     *finding.Finding // that is there already, of what will become of the object; else nil
}

// add keeps a finding, or counts its object where one with its key is known.
func (c *checker) add(one found) {
	if known := c.found[one.Key]; known != nil {
		known.others = append(known.others, one.Object)
		return
	}
	c.found[one.Key] = &one
	c.order = append(c.order, one.Key)
}

// note keeps what is to be said beside the findings.
func (c *checker) note(note finding.Finding) { c.notes = append(c.notes, note) }

// findings returns what was found as a result has it: errors first, then what concerns most objects.
func (c *checker) findings(voice finding.Voice) []report.Finding {
	rank := map[report.Severity]int{report.Error: 0, report.Warning: 1, report.Info: 2}
	findings := []report.Finding{}
	for _, key := range c.order {
		findings = append(findings, c.found[key].result(voice))
	}
	slices.SortStableFunc(findings, func(a, b report.Finding) int {
		return cmp.Or(
			cmp.Compare(rank[a.Severity], rank[b.Severity]), cmp.Compare(a.Reason, b.Reason), cmp.Compare(b.Count, a.Count),
			finding.Compare(a.Object, b.Object),
		)
	})
	return findings
}

// result is the finding as a result has it.
func (f *found) result(voice finding.Voice) report.Finding {
	message := voice.Message(f.Finding)
	if f.cause != nil {
		message = voice.GetsStuck(f.Object, f.Finalizer, *f.cause)
	}
	return report.Finding{
		Severity: f.severity, Reason: f.Reason, Situation: f.Situation, Details: f.Details, Certainty: f.Certainty,
		Object: f.Object, Others: f.others, Count: 1 + len(f.others),
		Reference: f.reference, Owner: f.owner, Finalizer: f.Finalizer, Message: message,
		Evidence: report.Evidence(f.Evidence), Remedies: append([]finding.Remedy{}, voice.Remedies(f.Remedies)...),
	}
}
