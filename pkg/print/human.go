package print

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// renderer is what the writers of results have: it writes parts, sentences and steps.
type renderer struct {
	w      *writer
	said   *sentences
	advice *advice
}

func newRenderer(w *writer) renderer {
	said := &sentences{w: w}
	return renderer{w: w, said: said, advice: &advice{w: w, said: said}}
}

// human writes an answer for a person, and more of it where the style is wide.
func human(answer result.Result, w *writer) {
	r := newRenderer(w)
	if len(clustersOf(answer)) > 0 {
		(&fleetText{renderer: r}).write(answer)
		return
	}
	switch one := answer.(type) {
	case *result.Diagnosis:
		(&diagnosisText{renderer: r}).write(one, nil)
	case *result.DiagnosisList:
		(&diagnosisText{renderer: r}).writeAll(one)
	case *result.List:
		(&listText{renderer: r, list: one}).write()
	case *result.Tree:
		humanTree(one, w)
	case *result.Check:
		(&checkText{renderer: r}).write(one)
	case *result.Preview:
		(&previewText{renderer: r}).write(one)
	case *result.PreviewList:
		(&previewText{renderer: r}).writeAll(one)
	case *result.UninstallPlan:
		(&uninstallText{renderer: r}).write(one)
	case *result.RescuePlan:
		(&rescueText{r}).write(one)
	case *result.Explanation:
		(&explanationText{r}).write(one)
	case *result.ProjectList:
		humanProjects(one, w)
	case *result.RemovalReport:
		(&removalText{r}).write(one)
	case result.RemovalPlan:
		(&removalText{r}).plan(one)
	case *result.Version:
		w.line(one.String())
	case *result.Nothing:
		w.paragraph("", escape.Text(one.Says), w.style.headingText)
		r.said.unread(one.Unreadable)
	}
}
