package attribution

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// hasKubeconfig reports whether the template of a candidate gives it a kubeconfig: an argument or a variable names one.
// Agents of a managed cluster get to their hub by one, as a user of the hub, and the roles of their ServiceAccounts say
// nothing about what they may do there.
func hasKubeconfig(c *candidate) bool {
	template, known := c.template()
	return known && slices.ContainsFunc(template.Spec.Containers, func(container corev1.Container) bool {
		return slices.ContainsFunc(slices.Concat(container.Command, container.Args), naming.NamesKubeconfig) ||
			slices.ContainsFunc(container.Env, func(one corev1.EnvVar) bool { return naming.NamesKubeconfig(one.Name) })
	})
}

// unknownLogin remembers of a candidate, whose account has no role about the held object's kind, that it may act as
// someone else, whose rights are not known.
func (c *candidate) unknownLogin() bool {
	if !c.otherLogin && hasKubeconfig(c) {
		c.otherLogin = true // the value may hold a credential
		c.evidence = append(c.evidence, finding.Observed(c.String(),
			"its template names a kubeconfig, so it may act as another user than its ServiceAccount"))
	}
	return c.otherLogin
}
