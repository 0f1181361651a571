package uninstall

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// What keeps an object when its release is uninstalled (helm v4 pkg/kube/resource_policy.go, pkg/action/uninstall.go
// filterManifestsToKeep).
const (
	helmPolicy = "helm.sh/resource-policy"
	helmKeep   = "keep"
)

// unkept are the parts with some roles that no release keeps. A workload, a webhook and a definition go all the same:
// without the operator the first ones are what gets objects stuck, and nothing is lost with a definition whose objects
// are gone.
func (p *planner) unkept(roles ...result.UninstallRole) []*session.Object {
	return slices.DeleteFunc(p.found.parts.of(roles...), p.isKept)
}

// isKept reports whether an object is to stay, by what its chart says of it, or because it holds something that is: a
// namespace is deleted with all that is in it.
func (p *planner) isKept(object *session.Object) bool {
	if keepsByPolicy(object) {
		return true
	}
	return roleOf(object) == result.RoleNamespace && slices.ContainsFunc(p.kept(), func(kept *session.Object) bool {
		return kept.Ref.Namespace == object.Ref.Name
	})
}

func keepsByPolicy(object *session.Object) bool {
	if object.Meta == nil {
		return false
	}
	return strings.EqualFold(strings.TrimSpace(object.Meta.Annotations[helmPolicy]), helmKeep)
}

// kept are the parts that their release keeps.
func (p *planner) kept() (kept []*session.Object) {
	for _, part := range p.found.parts.of(
		result.RoleOther, result.RoleInstance, result.RoleClass, result.RoleNamespace) {
		if keepsByPolicy(part) {
			kept = append(kept, part)
		}
	}
	return kept
}

// addKept adds what stays because its release keeps it.
func (p *planner) addKept() {
	kept := slices.DeleteFunc(p.kept(), func(object *session.Object) bool { return p.gone[object.Ref.UID] })
	if len(kept) == 0 {
		return
	}
	refs := finding.Each(kept, func(object *session.Object) finding.Ref { return object.Ref })
	p.plan.Stays = append(p.plan.Stays, result.UninstallStaying{
		Why: result.KeptByRelease, Objects: refs, Message: p.voice.Message(finding.Finding{
			Situation: "UninstallHelmKeeps", Object: refs[0], Details: finding.UninstallDetails{Objects: refs},
		}),
	})
}
