package print

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// mostLines is how long the answer about several causes may become before those of the whole cluster are cut short:
// two screens.
const mostLines = 80

// ofCluster reports whether a cause concerns the whole cluster, and not only the namespace that waits for it.
func ofCluster(cause result.RootCause) bool {
	return cause.Reason == finding.APIServiceUnavailable || cause.Reason == finding.ControlPlaneDown
}

// inPrintedOrder is a diagnosis with its causes in the order in which an answer describes them, by which it numbers
// them: behind a namespace's own those of the whole cluster.
func inPrintedOrder(d *result.Diagnosis) *result.Diagnosis {
	if d.Target.Kind != "Namespace" {
		return d
	}
	ordered := *d
	own := func(cause result.RootCause) bool { return !ofCluster(cause) }
	ordered.RootCauses = slices.Concat(slices.DeleteFunc(slices.Clone(d.RootCauses), ofCluster),
		slices.DeleteFunc(slices.Clone(d.RootCauses), own))
	return &ordered
}

// hasRoom reports whether an answer stays within its length if it describes the causes of the whole cluster, too.
func (t *diagnosisText) hasRoom(d *result.Diagnosis, others []finding.Ref) bool {
	if t.w.page != nil || t.w.style.Wide || d.Target.Kind != "Namespace" || len(alikes(d.RootCauses)) > mostDescribed+1 ||
		!slices.ContainsFunc(d.RootCauses, ofCluster) {
		return false
	}
	var text strings.Builder
	whole := diagnosisText{renderer: newRenderer(&writer{out: &text, style: t.w.style, over: t.w.over}), whole: true}
	whole.writeParts(d, others)
	return strings.Count(text.String(), "\n") <= mostLines
}

// firstStep writes the first step about a cause that is not described.
func (t *diagnosisText) firstStep(cause result.RootCause) {
	if len(cause.Remedies) > 0 {
		t.advice.step(stepBlock, "    First step: ", stepOf(cause.Remedies[0]), cause)
	}
}
