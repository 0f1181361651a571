package attribution

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// onlySets reports whether a webhook does nothing but change new objects, those of the held kind among them, while no
// one is seen to have set the finalizer, as what admission adds is no one's. Who sets a finalizer in this way need not
// be who removes it.
func onlySets(of criteria, hook session.RegisteredHook) bool {
	if of.setByHand || of.setByProgram ||
		!hook.Configuration.Is(admissionregistrationv1.GroupName, "MutatingWebhookConfiguration") {
		return false
	}
	create := []admissionregistrationv1.OperationType{admissionregistrationv1.Create}
	ofKind := false
	for _, rule := range hook.Hook.Rules {
		if !slices.Equal(rule.Operations, create) {
			return false
		}
		ofKind = ofKind || matchesKind(rule, of.resource)
	}
	return ofKind
}

// matchesKind reports whether a rule is about objects of a kind themselves, in any version: it names them, or all.
func matchesKind(rule admissionregistrationv1.RuleWithOperations, resource cluster.Resource) bool {
	const all = "*"
	ofGroup := func(group string) bool { return group == all || group == resource.Group }
	itself := func(text string) bool {
		name, subresource, of := strings.Cut(text, "/")
		return (name == all || name == resource.Resource) && (!of || name == all && subresource == all)
	}
	return slices.ContainsFunc(rule.APIGroups, ofGroup) && slices.ContainsFunc(rule.Resources, itself)
}
