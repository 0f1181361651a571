package uninstall

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// stayingOwners are the objects that stay and control some that the steps delete: whatever made these for them may make
// them again, as a queue makes a Workload for each Job.
func (p *planner) stayingOwners() (owners []finding.Ref) {
	for _, object := range p.instances() {
		reference := metav1.GetControllerOfNoCopy(object.Meta)
		if reference == nil || object.Terminating() {
			continue
		}
		owner := p.found.survey.byUID[string(reference.UID)]
		if owner != nil && !owner.Terminating() && !p.gone[owner.Ref.UID] && !slices.Contains(owners, owner.Ref) {
			owners = append(owners, owner.Ref)
		}
	}
	return owners
}
