package audit

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
)

// checkAPIServices finds API groups that can't be discovered: while there is one, no namespace is finished.
func (c *checker) checkAPIServices(ctx context.Context) {
	answer := mechanism.Undiscovered(ctx, c.tools.Session, c.tools.Health, nil, nil)
	versions := finding.Each(c.servedKinds.FailedVersions(), schema.GroupVersion.String)
	for i, open := range answer.Open {
		if unread, is := open.Details.(finding.Unread); is {
			details := fewOf(versions)
			details.Unread = []finding.Unread{unread}
			answer.Open[i] = finding.Finding{Situation: "UndiscoveredUnexplained", Details: details}
		}
	}
	c.addAnswer(answer)
}
