package diagnosis

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// voice composes sentences that stand alone.
func (r *run) voice() finding.Voice { return finding.Voice{Now: r.tools.Session.Now()} }

// summary answers the question in one sentence.
func (r *run) summary(object *session.Object, verdict report.Verdict) finding.Finding {
	var awaited []finding.Awaited
	for _, joined := range r.groups {
		awaited = append(awaited, finding.Awaited{Finding: joined.causes[0], Count: len(joined.causes)})
	}
	every := r.graph.Numbers()
	switch {
	case verdict == report.NotTerminating:
		return r.liveSummary(object)
	case verdict == report.Progressing:
		awaited = joined(r.progressAt(every))
	case len(awaited) == 0:
		awaited = joined(r.openAt(every))
	}
	return sumUp(object, verdict, awaited)
}

// sumUp says since when an object has waited, and for what.
func sumUp(object *session.Object, verdict report.Verdict, awaited []finding.Awaited) finding.Finding {
	if object.Meta == nil {
		details := finding.SummaryDetails{Awaits: awaited}
		return finding.Finding{Situation: "NotReadable", Object: object.Ref, Details: details}
	}
	details := finding.SummaryDetails{RequestedAt: object.RequestedAt(), Awaits: awaited}
	summary := finding.Finding{Situation: "HeldBack", Object: object.Ref, Details: details}
	if verdict == report.Progressing {
		summary.Situation = "OnItsWay"
	}
	return summary
}

func (r *run) progressAt(nodes []int) []finding.Finding {
	return r.findingsAt(nodes, func(p *place) []finding.Finding { return p.progress })
}

func (r *run) openAt(nodes []int) []finding.Finding {
	return r.findingsAt(nodes, func(p *place) []finding.Finding { return p.open })
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
