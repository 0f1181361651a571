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

// accounts returns the ServiceAccounts that workloads name.
func (m *Memory) accounts() (accounts []*unstructured.Unstructured) {
	for i, object := range m.objects {
		name, _, _ := unstructured.NestedString(object.Object, "spec", "template", "spec", "serviceAccountName")
		if len(validation.IsDNS1123Subdomain(name)) == 0 && !slices.Contains(m.Lost, object.GetNamespace()+"/"+name) {
			accounts = append(accounts, implied("ServiceAccount", object.GetNamespace(), name, fmt.Sprintf("account-%d", i)))
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
