package mechanism

import (
	"fmt"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// maySend asks whether one of Kubernetes' own controllers has the right to send its request: their roles
// are mended only when the API server starts (deletion-mechanics M24).
func (w *World) maySend(needed write) graph.Remedy {
	words := append(w.Kubectl.prefix(needed.object.Ref), "auth", "can-i", verbOf(needed), needed.object.Resource.QualifiedName()+"/"+needed.object.Ref.Name)
	if needed.subresource != "" {
		words = append(words, "--subresource="+needed.subresource)
	}
	controller := needed.by[strings.LastIndex(needed.by, ":")+1:]
	return graph.Remedy{
		Action:  fmt.Sprintf("See whether the controller whose work it is, %s, has the right to do it. If not, its ClusterRole system:controller:%s was changed; kube-apiserver restores that when it starts.", controller, controller),
		Command: quote(append(words, "--as="+needed.by)),
		Risk:    graph.NoRisk,
	}
}

// verbOf is the verb that a controller of Kubernetes needs for a write: the garbage collector and those that
// write to pods send patches, the others whole objects (k8s v1.37
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go).
func verbOf(needed write) string {
	switch {
	case needed.operation == admissionregistrationv1.Delete:
		return "delete"
	case needed.object.is("", "Pod"), needed.by == systemAccount(garbageCollector):
		return "patch"
	}
	return "update"
}
