package session

import (
	"cmp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// AppliersOf are the objects of GitOps tools that apply an object again and again, as KIND NAME, by its labels and
// annotations, if their names are valid. It is empty if only the object's name is known.
// Argo CD writes APPLICATION:GROUP/KIND:NAMESPACE/NAME, where the application may be NAMESPACE_NAME (argo-cd v3.1
// util/argo/resource_tracking.go:BuildAppInstanceValue).
func AppliersOf(object *Object) (found []string) {
	if object.Meta == nil {
		return nil
	}
	application, _, _ := strings.Cut(object.Meta.Annotations["argocd.argoproj.io/tracking-id"], ":")
	if namespace, name, qualified := strings.Cut(application, "_"); qualified && isName(namespace) {
		application = name
	}
	for _, applier := range [][2]string{
		{"Application ", cmp.Or(application, object.Meta.Labels["argocd.argoproj.io/instance"])},
		{"Kustomization ", object.Meta.Labels["kustomize.toolkit.fluxcd.io/name"]},
		{"HelmRelease ", object.Meta.Labels["helm.toolkit.fluxcd.io/name"]},
	} {
		if isName(applier[1]) {
			found = append(found, applier[0]+applier[1])
		}
	}
	return found
}

func isName(text string) bool { return len(validation.IsDNS1123Subdomain(text)) == 0 }
