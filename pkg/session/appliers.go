package session

import (
	"cmp"
	"strings"
)

// AppliersOf are the objects of GitOps tools that apply an object again and again, as KIND NAME, by its labels and
// annotations. It is empty if only the object's name is known.
func AppliersOf(object *Object) (found []string) {
	if object.Meta == nil {
		return nil
	}
	application, _, _ := strings.Cut(object.Meta.Annotations["argocd.argoproj.io/tracking-id"], ":")
	for _, applier := range [][2]string{
		{"Application ", cmp.Or(application, object.Meta.Labels["argocd.argoproj.io/instance"])},
		{"Kustomization ", object.Meta.Labels["kustomize.toolkit.fluxcd.io/name"]},
		{"HelmRelease ", object.Meta.Labels["helm.toolkit.fluxcd.io/name"]},
	} {
		if applier[1] != "" {
			found = append(found, applier[0]+applier[1])
		}
	}
	return found
}
