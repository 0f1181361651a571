package health

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// APIService is what of an APIService tells whether and by whom its version is served.
type APIService struct {
	Spec struct {
		Service *struct {
			Namespace string `json:"namespace"`
			Name      string `json:"name"`
			Port      int32  `json:"port"`
		} `json:"service"`
	} `json:"spec"`
	Status struct {
		Conditions []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

func (a *APIService) Backend() Service {
	return Service{Namespace: a.Spec.Service.Namespace, Name: a.Spec.Service.Name, Port: a.Spec.Service.Port}
}

// Available returns the condition Available; an empty one if kube-apiserver has not written it yet.
func (a *APIService) Available() metav1.Condition {
	for _, condition := range a.Status.Conditions {
		if condition.Type == "Available" {
			return condition
		}
	}
	return metav1.Condition{}
}
