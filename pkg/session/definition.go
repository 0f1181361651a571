package session

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Definition is what of a CustomResourceDefinition tells how to read its instances.
type Definition struct {
	Spec struct {
		Group string `json:"group"`
		Scope string `json:"scope"`
		Names struct {
			Plural string `json:"plural"`
			Kind   string `json:"kind"`
		} `json:"names"`
		Versions []struct {
			Name    string `json:"name"`
			Storage bool   `json:"storage"`
			Served  bool   `json:"served"`
		} `json:"versions"`
		Conversion struct {
			Strategy string `json:"strategy"`
			Webhook  *struct {
				ClientConfig struct {
					URL     string `json:"url"`
					Service *struct {
						Namespace string `json:"namespace"`
						Name      string `json:"name"`
						Port      int32  `json:"port"`
					} `json:"service"`
				} `json:"clientConfig"`
			} `json:"webhook"`
		} `json:"conversion"`
	} `json:"spec"`
	Status struct {
		StoredVersions []string           `json:"storedVersions"`
		Conditions     []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

// Resource is the instances' resource in the storage version, which needs no conversion, or in a
// served one if the storage version isn't.
func (d *Definition) Resource() cluster.Resource {
	version := ""
	for _, candidate := range d.Spec.Versions {
		if candidate.Served && (version == "" || candidate.Storage) {
			version = candidate.Name
		}
	}
	return cluster.Resource{
		GroupVersionResource: schema.GroupVersionResource{Group: d.Spec.Group, Version: version, Resource: d.Spec.Names.Plural},
		Kind:                 d.Spec.Names.Kind, Namespaced: d.Spec.Scope == "Namespaced",
	}
}

// StoredIn returns the one served version that all instances are stored in, if there is one.
func (d *Definition) StoredIn() (string, bool) {
	for _, version := range d.Spec.Versions {
		if version.Storage && version.Served && slices.Equal(d.Status.StoredVersions, []string{version.Name}) {
			return version.Name, true
		}
	}
	return "", false
}
