package uninstall

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// addLeftBehind adds what is left in the operator's namespaces, if nothing else runs there: Leases, Secrets and the
// like that it has created itself.
func (p *planner) addLeftBehind() {
	var names []string
	for _, workload := range p.found.workloads() {
		if name := workload.Ref.Namespace; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		namespace := p.found.survey.find(session.Target{Resource: cluster.Namespaces(), Name: name})
		left := p.found.survey.each(func(object *session.Object) bool {
			return object.Ref.Namespace == name && !p.gone[object.Ref.UID] && !isUsual(object)
		})
		runs := func(object *session.Object) bool { return roleOf(object) == result.RoleWorkload }
		if namespace == nil || namespace.Undeletable() || p.found.parts.has(namespace) || len(left) == 0 ||
			slices.ContainsFunc(left, runs) {
			continue
		}
		refs := finding.Each(left, func(object *session.Object) finding.Ref { return object.Ref })
		p.plan.Stays = append(p.plan.Stays, result.UninstallStaying{
			Why: result.LeftInNamespace, Objects: refs, Uses: &namespace.Ref, Message: p.voice.Message(finding.Finding{
				Situation: "UninstallLeftInNamespace", Object: namespace.Ref, Details: finding.UninstallDetails{Objects: refs},
			}),
		})
	}
}

// isUsual reports whether an object is in each namespace, or follows from others by itself.
func isUsual(object *session.Object) bool {
	return session.IsInEachNamespace(object) || object.Is("", "Endpoints") ||
		object.Is("discovery.k8s.io", "EndpointSlice")
}
