package preview

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// summary is the sentence that answers: what comes of it.
func (p *previewer) summary() string {
	details := finding.PreviewDetails{
		Goes: len(p.deleted()), Hangs: len(p.result.Hanging), Unread: len(p.result.Unreadable) > 0,
		Loses: finding.WorstOf(p.result.Takes) == finding.DataLoss,
	}
	for _, cause := range p.result.RootCauses {
		details.Causes = append(details.Causes, cause.Message)
	}
	for _, refused := range p.result.Refusals {
		details.Refusing = append(details.Refusing, refused.By)
	}
	situation := map[report.Outcome]string{
		report.AlreadyDeleted: "AlreadyBeingDeleted", report.WouldBeRefused: "DeletionWouldBeRefused",
		report.WouldHang: "DeletionWouldHang", report.MayHang: "DeletionMayHang", report.WouldGo: "DeletionWouldPass",
	}[p.result.Outcome]
	return p.voice.Message(finding.Finding{Situation: situation, Object: p.target.Ref, Details: details})
}

func (p *previewer) deleted() []*session.Object {
	if p.cascade == nil {
		return nil
	}
	return p.cascade.deleted
}
