package clustertest

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
)

// inhabited returns the namespaces that objects are in.
func (m *Memory) inhabited() (namespaces []*unstructured.Unstructured) {
	for _, object := range m.objects {
		if name := object.GetNamespace(); name != "" && !slices.Contains(m.Lost, name) {
			namespaces = append(namespaces, implied("Namespace", "", name, "namespace-"+name))
		}
	}
	return namespaces
}

// accounts returns the ServiceAccounts that workloads name, but not in a namespace to which some were added.
func (m *Memory) accounts() (accounts []*unstructured.Unstructured) {
	told := map[string]bool{}
	for _, object := range m.objects {
		told[object.GetNamespace()] = told[object.GetNamespace()] || object.GetKind() == "ServiceAccount"
	}
	for i, object := range m.objects {
		name, _, _ := unstructured.NestedString(object.Object, "spec", "template", "spec", "serviceAccountName")
		namespace := object.GetNamespace()
		lost := told[namespace] || slices.Contains(m.Lost, namespace+"/"+name)
		if !lost && len(validation.IsDNS1123Subdomain(name)) == 0 {
			accounts = append(accounts, implied("ServiceAccount", namespace, name, fmt.Sprintf("account-%d", i)))
		}
	}
	return accounts
}

func implied(kind, namespace, name, uid string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": kind}}
	object.SetNamespace(namespace)
	object.SetName(name)
	object.SetUID(types.UID(uid))
	return object
}
