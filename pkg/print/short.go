package print

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// brief is an answer for a chat or an alert: the sentence that answers the question, and what to do first.
type brief struct {
	verdict  string // may be empty
	sentence string
	paint    func(Style) func(string) string // of the verdict
	further  string                          // what the sentence leaves out, and the step is about
	step     *finding.Remedy
	about    result.RootCause // what the step is about
}

// briefsOf returns an answer in short, one for each target, or each meaning of a finalizer. Not every result answers a
// question.
func briefsOf(answer result.Result) (briefs []brief, has bool) {
	if len(clustersOf(answer)) > 0 {
		return briefsOfFleet(answer), true
	}
	switch one := answer.(type) {
	case *result.Diagnosis:
		return []brief{briefDiagnosis(one)}, true
	case *result.DiagnosisList:
		for i := range one.Items {
			briefs = append(briefs, briefDiagnosis(&one.Items[i]))
		}
		return briefs, true
	case *result.List:
		return []brief{briefCauses(Headline(one), one.RootCauses)}, true
	case *result.Tree:
		return []brief{briefCauses(treeHeadline(one), one.RootCauses)}, true
	case *result.Check:
		return []brief{briefCheck(one)}, true
	case *result.Preview:
		return []brief{briefPreview(one)}, true
	case *result.PreviewList:
		if len(one.Items) > 1 {
			briefs = append(briefs, brief{
				verdict: outcomeWord(one.Outcome), sentence: outcomesInWords(one.Items),
				paint: func(style Style) func(string) string { return style.outcomeText(one.Outcome) },
			})
		}
		for i := range one.Items {
			briefs = append(briefs, briefPreview(&one.Items[i]))
		}
		return briefs, true
	case *result.UninstallPlan:
		return []brief{briefUninstall(one)}, true
	case *result.RescuePlan:
		return []brief{briefRescue(one)}, true
	case *result.Explanation:
		return briefExplanation(one), true
	case *result.ProjectList:
		return []brief{{sentence: projectsHeadline(one)}}, true
	}
	return nil, false
}

// briefExplanation is what a finalizer is and what to do instead of its removal, and whether its controller is there.
func briefExplanation(e *result.Explanation) (briefs []brief) {
	if len(e.Known) >= fewAlike {
		return []brief{{sentence: kindsHeadline(e)}}
	}
	for _, known := range e.Known {
		short := brief{sentence: knownSummary(e.Finalizer, known)}
		if way := known.SafeWay(); way != "" {
			short.step = &finding.Remedy{Action: way}
		}
		briefs = append(briefs, short)
	}
	if len(e.Known) == 0 {
		briefs = append(briefs, brief{sentence: e.Finalizer + " is not in the catalogue."})
	}
	if e.Cluster != nil {
		for _, presence := range e.Cluster.Controllers {
			briefs = append(briefs, brief{sentence: presence.Message})
		}
	}
	return briefs
}

func briefDiagnosis(d *result.Diagnosis) brief {
	short := brief{
		verdict: string(d.Verdict), sentence: d.Summary, step: d.Keep,
		paint: func(style Style) func(string) string { return style.verdictText(d.Verdict) },
	}
	for _, observation := range d.Observations {
		if short.step == nil && placeOf(observation) == finding.PlacedBeside && len(observation.Remedies) > 0 {
			short.step = &observation.Remedies[0]
		}
	}
	return short.firstOf(d.RootCauses)
}

// briefCauses is a headline with the first cause, which is the one whose repair releases most.
func briefCauses(headline string, causes []result.RootCause) brief {
	short := brief{sentence: headline}
	if len(causes) > 0 {
		short.further = causes[0].Message
	}
	return short.firstOf(causes)
}

func briefCheck(c *result.Check) brief {
	short := brief{sentence: checkHeadline(c, foremostFindings(alikeFindings(c.Findings)))}
	if len(c.Findings) == 0 {
		return short
	}
	first := c.Findings[0]
	short.further, short.about = first.Message, result.RootCause{Count: first.Count, Object: first.Object}
	if len(first.Remedies) > 0 {
		short.step = &first.Remedies[0]
	}
	return short
}

func briefPreview(p *result.Preview) brief {
	short := brief{
		verdict: outcomeWord(p.Outcome), sentence: p.Summary,
		paint: func(style Style) func(string) string { return style.outcomeText(p.Outcome) },
	}
	return short.firstOf(p.RootCauses)
}

// firstOf adds the first step about the first cause, which is the safest one.
func (b brief) firstOf(causes []result.RootCause) brief {
	if len(causes) > 0 && len(causes[0].Remedies) > 0 {
		b.step, b.about = &causes[0].Remedies[0], causes[0]
	}
	return b
}

// renderShort writes answers in short, with an empty line between two.
func renderShort(briefs []brief, w *writer) {
	r := newRenderer(w)
	for i, one := range briefs {
		if i > 0 {
			w.line()
		}
		if one.verdict == "" {
			w.headline(one.sentence)
		} else {
			w.verdict(one.verdict, one.sentence, one.paint(w.style))
		}
		if one.further != "" {
			w.paragraph("", one.further, nil)
		}
		if one.step != nil {
			r.advice.step(stepBlock, "  -> ", stepOf(*one.step), one.about)
		}
	}
}
