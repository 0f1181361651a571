package print

import "github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"

// human writes an answer for a person, and more of it where the style is wide.
func human(answer result.Result, w *writer) {
	switch one := answer.(type) {
	case *result.Diagnosis:
		w.diagnosis(one, nil)
	case *result.DiagnosisList:
		humanDiagnosisList(one, w)
	case *result.List:
		humanList(one, w)
	case *result.Tree:
		humanTree(one, w)
	case *result.Check:
		humanCheck(one, w)
	case *result.Preview:
		humanPreview(one, w)
	case *result.PreviewList:
		humanPreviewList(one, w)
	case *result.Explanation:
		humanExplanation(one, w)
	case *result.ProjectList:
		humanProjects(one, w)
	case *result.RemovalReport:
		humanRemoval(one, w)
	case result.RemovalPlan:
		humanPlan(one, w)
	case *result.Version:
		w.line(one.String())
	case *result.Nothing:
		humanNothing(one, w)
	}
}

// humanPreviewList writes what comes of all deletions together, and then of each.
func humanPreviewList(l *result.PreviewList, w *writer) {
	if len(l.Items) > 1 {
		w.verdict(outcomeWord(l.Outcome), outcomesInWords(l.Items), w.style.outcomeText(l.Outcome))
	}
	for i := range l.Items {
		if i > 0 || len(l.Items) > 1 {
			w.line()
		}
		humanPreview(&l.Items[i], w)
	}
}
