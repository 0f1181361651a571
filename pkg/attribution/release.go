package attribution

import (
	"cmp"
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// releaseOfKind reads which release the held object's kind was installed with, and reports whether there is one. It
// answers false where that can't be read: what it would have decided stays open.
func (s *search) releaseOfKind(ctx context.Context) bool {
	if s.criteria.kindOfKubernetes() || s.leads.project.Kind == "" {
		return false
	}
	if s.leads.installed == (installation{}) && readDefinition(ctx, s) != nil {
		return false
	}
	return s.leads.installed.release != "" || s.leads.installed.operator != ""
}

// addRelease adds to a candidate that its workload was installed as the kind was, by the same release of Helm, or by
// the same operator of the Operator Lifecycle Manager.
func (c *candidate) addRelease(of installation) {
	if c.workload == nil || c.workload.Meta == nil {
		return
	}
	meta := c.workload.Meta
	namespace := cmp.Or(meta.Annotations["meta.helm.sh/release-namespace"], c.namespace)
	if of.release != "" && meta.Annotations["meta.helm.sh/release-name"] == of.release && namespace == of.namespace {
		c.points(signs.OfSameRelease, finding.Clue{Name: of.String()})
	}
	if _, same := meta.Labels[operatorLabel+of.operator]; of.operator != "" && same {
		c.points(signs.OfSameRelease, finding.Clue{Name: of.String()})
	}
	if c.signs.Has(signs.OfSameRelease) && c.deciding == nil {
		c.deciding = new(signs.Of(signs.OfSameRelease, finding.Clue{Name: of.String()}).Phrase())
	}
}

// operatorLabel begins the label that the Operator Lifecycle Manager puts on all parts of an operator;
// PACKAGE.NAMESPACE follows (operator-lifecycle-manager
// pkg/controller/operators/decorators/operator.go:ComponentLabelKeyPrefix).
const operatorLabel = "operators.coreos.com/"

// String names what an installer installed.
func (i installation) String() string {
	switch {
	case i.release != "" && i.chart != "":
		return "Helm release " + i.namespace + "/" + i.release + " (chart " + i.chart + ")"
	case i.release != "":
		return "Helm release " + i.namespace + "/" + i.release
	case i.operator != "":
		return "operator " + i.operator
	}
	return i.app
}
