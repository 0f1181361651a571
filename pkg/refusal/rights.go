package refusal

import (
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// MaySend asks whether one of Kubernetes' own controllers has the right to send its request: their roles
// are mended only when the API server starts (deletion-mechanics M24).
func (c *Checker) MaySend(needed Write) finding.Remedy {
	what := needed.Object.Resource.QualifiedName() + "/" + needed.Object.Ref.Name
	words := append(c.Session.Kubectl.Prefix(needed.Object.Ref), "auth", "can-i", verbOf(needed), what)
	if needed.Subresource != "" {
		words = append(words, "--subresource="+needed.Subresource)
	}
	controller := needed.By[strings.LastIndex(needed.By, ":")+1:]
	return finding.Remedy{
		Step:    "SeeControllerRights",
		Details: finding.DutyDetails{Controller: controller},
		Command: append(words, "--as="+needed.By),
		Risk:    finding.NoRisk,
	}
}

// verbOf is the verb that a controller of Kubernetes needs for a write: the garbage collector and those that
// write to pods send patches, the others whole objects (k8s v1.37
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go).
func verbOf(needed Write) string {
	switch {
	case needed.Operation == admissionregistrationv1.Delete:
		return "delete"
	case needed.Object.Is("", "Pod"), needed.By == SystemAccount(session.GarbageCollector):
		return "patch"
	}
	return "update"
}
