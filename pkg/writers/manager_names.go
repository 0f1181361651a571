package writers

import (
	"slices"
	"strings"
)

// WritesManifests reports whether a manager's name stands for a person's tool or a deployment pipeline
// (docs/deletion.md#who-set-a-finalizer).
func WritesManifests(manager string) bool {
	tools := []string{"kubectl", "helm", "argocd-controller", "kustomize-controller", "terraform", "Terraform"}
	return slices.Contains(tools, manager) || strings.HasPrefix(manager, "kubectl-")
}

// Concrete reports whether a field manager's name says who it is. Many programs use the name that their framework gives
// them (docs/deletion.md#who-set-a-finalizer).
func (s Setter) Concrete() bool {
	generic := []string{
		"manager", "main", "controller", "operator", "Go-http-client", "unknown", "ancient-changes",
		"before-first-apply", "java-client", "fabric8-kubernetes-client", "OpenAPI-Generator", "kubernetes-client",
	}
	return !s.ByHand && !s.Copied() && s.Manager != "" && !slices.Contains(generic, s.Manager)
}
