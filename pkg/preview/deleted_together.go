package preview

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// addTogether adds that the target may hang, because all objects of a circle of owners are deleted at the same time,
// with foreground deletion: whether they hang depends on how fast the garbage collector is (ownership.Opens).
func (p *previewer) addTogether(ctx context.Context) {
	members := p.circleOfTargets(ctx)
	if len(members) == 0 {
		return
	}
	const observed = "each has an owner reference to another one, with blockOwnerDeletion"
	cause := finding.Finding{
		Reason: finding.OwnershipDeadlock, Situation: "OwnersDeletedTogether", Object: p.target.Ref,
		Details: finding.DeadlockDetails{Members: members}, Certainty: finding.Likely,
		Key:      finding.KeyOf("OwnersDeletedTogether", members),
		Evidence: []finding.Evidence{finding.Observed("owner references", observed).Ranked(finding.Restated)},
		Remedies: []finding.Remedy{{
			Step: "DeleteItFirst", Details: finding.StepDetails{Object: &p.target.Ref},
			Command: p.tools.Session.Kubectl.Command(p.target, "delete", "--cascade=foreground"),
		}},
	}
	p.addTrouble(p.voice, cause, result.Undetermined)
}

// circleOfTargets are the objects that are deleted together with the target, and that own each other with it in a way
// that blocks foreground deletion.
func (p *previewer) circleOfTargets(ctx context.Context) []finding.Ref {
	if p.options.Cascade != metav1.DeletePropagationForeground {
		return nil
	}
	var asked []*session.Object
	for _, object := range p.cascade.byUID {
		itself := session.Target{Resource: object.Resource, Namespace: object.Ref.Namespace, Name: object.Ref.Name}
		if !object.Terminating() && slices.ContainsFunc(p.options.Together, itself.Same) {
			asked = append(asked, object)
		}
	}
	for _, circle := range ownership.Circles(ctx, asked, true) {
		if len(circle) > 1 && slices.Contains(circle, p.target.Ref) {
			return circle
		}
	}
	return nil
}
