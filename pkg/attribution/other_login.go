package attribution

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// logsInOtherwise reports whether the template of a candidate gives it a kubeconfig: an argument or a variable names
// one. Agents of a managed cluster get to their hub by one, as a user of the hub, and the roles of their
// ServiceAccounts say nothing about what they may do there.
func logsInOtherwise(c *candidate) (setting string, is bool) {
	template, known := c.template()
	if !known {
		return "", false
	}
	for _, container := range template.Spec.Containers {
		words := slices.Concat(container.Command, container.Args)
		if at := slices.IndexFunc(words, naming.NamesKubeconfig); at >= 0 {
			return words[at], true
		}
		ofFile := func(one corev1.EnvVar) bool { return one.Value != "" && naming.NamesKubeconfig(one.Name) }
		if at := slices.IndexFunc(container.Env, ofFile); at >= 0 {
			return container.Env[at].Name + "=" + container.Env[at].Value, true
		}
	}
	return "", false
}

// unknownLogin remembers of a candidate, whose account has no role about the held object's kind, that it may act as
// someone else, whose rights are not known.
func (c *candidate) unknownLogin() bool {
	setting, is := logsInOtherwise(c)
	if is && !c.otherLogin {
		c.otherLogin = true
		c.evidence = append(c.evidence, finding.Observed(c.String(),
			"its template has %s, so it may act as another user than its ServiceAccount", setting))
	}
	return is
}
