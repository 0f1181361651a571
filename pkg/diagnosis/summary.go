package diagnosis

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// voice composes sentences about an object; about none, sentences that stand alone.
func (r *run) voice(subject finding.Ref) finding.Voice {
	return finding.Voice{Now: r.tools.Session.Now(), Subject: subject}
}

// summary answers the question in one sentence.
func (r *run) summary(object *session.Object, verdict report.Verdict, groups []*group) finding.Finding {
	var awaited []finding.Awaited
	for _, joined := range groups {
		awaited = append(awaited, finding.Awaited{Finding: joined.causes[0], Count: len(joined.causes)})
	}
	every := r.graph.Numbers()
	switch {
	case verdict == report.NotTerminating:
		return r.liveSummary(object)
	case verdict == report.Progressing:
		awaited = each(r.findingsAt(every, func(p *place) []finding.Finding { return p.progress }))
	case len(awaited) == 0:
		awaited = each(r.findingsAt(every, func(p *place) []finding.Finding { return p.open }))
	}
	return sumUp(object, verdict, awaited)
}

// sumUp says since when an object has waited, and for what.
func sumUp(object *session.Object, verdict report.Verdict, awaited []finding.Awaited) finding.Finding {
	if object.Meta == nil {
		return finding.Finding{
			Situation: "NotReadable", Object: object.Ref, Details: finding.SummaryDetails{Awaits: awaited},
		}
	}
	summary := finding.Finding{
		Situation: "HeldBack", Object: object.Ref,
		Details: finding.SummaryDetails{RequestedAt: object.RequestedAt(), Awaits: awaited},
	}
	if verdict == report.Progressing {
		summary.Situation = "OnItsWay"
	}
	return summary
}

// findingsAt collects the findings of one sort at some nodes, each once.
func (r *run) findingsAt(nodes []int, of func(*place) []finding.Finding) (found []finding.Finding) {
	known := map[string]bool{}
	for _, node := range nodes {
		for _, one := range of(r.at(node)) {
			if !known[one.Identity()] {
				found = append(found, one)
			}
			known[one.Identity()] = true
		}
	}
	return found
}

// each takes findings one by one.
func each(found []finding.Finding) []finding.Awaited {
	awaited := make([]finding.Awaited, len(found))
	for i, one := range found {
		awaited[i] = finding.Awaited{Finding: one, Count: 1}
	}
	return awaited
}

// joined takes findings of one key together.
func joined(found []finding.Finding) (awaited []finding.Awaited) {
	numbers := map[string]int{}
	for _, one := range found {
		key := one.Identity()
		number, known := numbers[key]
		if !known {
			number = len(awaited)
			numbers[key] = number
			awaited = append(awaited, finding.Awaited{Finding: one})
		}
		awaited[number].Count++
	}
	return awaited
}
