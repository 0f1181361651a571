package uninstall

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// operatorsOwn are by uid the objects that the operator needs as long as it has others to clean up: one that controls a
// workload of the operator, which goes with it, and one by which the operator is configured.
func (p *planner) operatorsOwn(objects []*session.Object) map[string]bool {
	own, workloads := map[string]bool{}, p.found.workloads()
	count := map[string]int{}
	for _, object := range objects {
		count[object.Resource.QualifiedName()]++
	}
	runs := p.controllers()
	for _, object := range objects {
		alone := count[object.Resource.QualifiedName()] == 1
		own[object.Ref.UID] = slices.Contains(runs, object) || alone && configures(object, workloads)
	}
	return own
}

// configures reports whether the only object of its kind is probably read by the operator for itself: its kind says so,
// and it is in no namespace, or in the one in which the operator runs.
func configures(object *session.Object, workloads []*session.Object) bool {
	named := func(word string) bool { return statuses.KindEndsWith(object.Resource.Kind, word) }
	if !slices.ContainsFunc([]string{"Config", "Configuration", "Settings"}, named) {
		return false
	}
	return object.Ref.Namespace == "" || slices.ContainsFunc(workloads, func(workload *session.Object) bool {
		return workload.Ref.Namespace == object.Ref.Namespace
	})
}
