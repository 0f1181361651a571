package diagnosis

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// causePasses looks for causes that end with something that is being deleted, as a policy's refusals end with its
// binding: if nothing is known to be in the way of that deletion, they are no causes. It reports whether it has found
// one.
func (x *expansion) causePasses() (passes bool) {
	for _, cause := range x.causes {
		if cause.Ends == nil || x.passing[*cause.Ends] {
			continue
		}
		node := x.graph.Add(*cause.Ends)
		held := slices.ContainsFunc(x.graph.Reach(node), func(reached int) bool {
			return len(x.at(reached).causes) > 0
		})
		if x.at(node).expanded && !held {
			x.passing[*cause.Ends], passes = true, true
		}
	}
	return passes
}

// lasting returns the waits that do not end with something that is being deleted and has nothing in its way.
func (x *expansion) lasting(waits []session.Wait) []session.Wait {
	if len(x.passing) == 0 {
		return waits
	}
	passes := func(cause finding.Finding) bool { return cause.Ends != nil && x.passing[*cause.Ends] }
	return slices.DeleteFunc(slices.Clone(waits), func(wait session.Wait) bool {
		return wait.ForAnswer && slices.ContainsFunc(wait.Otherwise.Causes, passes)
	})
}
