package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/util/cert"
)

// certified returns the Secret that cert-manager would make of a Certificate, signed by itself. Programs that serve
// webhooks need it to start, because nothing signs certificates on the test control plane. It returns nil for other
// objects.
func certified(object unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if object.GetKind() != "Certificate" || object.GroupVersionKind().Group != "cert-manager.io" {
		return nil, nil
	}
	name, _, err := unstructured.NestedString(object.Object, "spec", "secretName")
	if err != nil {
		return nil, err
	}
	names, _, err := unstructured.NestedStringSlice(object.Object, "spec", "dnsNames")
	if err != nil || name == "" || len(names) == 0 {
		return nil, fmt.Errorf("certificate %s names no Secret, or no hosts (%w)", object.GetName(), err)
	}
	public, private, err := cert.GenerateSelfSignedCertKey(names[0], nil, names[1:])
	if err != nil {
		return nil, err
	}
	secret := &unstructured.Unstructured{Object: map[string]any{
		"type":       "kubernetes.io/tls",
		"stringData": map[string]any{"tls.crt": string(public), "tls.key": string(private), "ca.crt": string(public)},
	}}
	secret.SetAPIVersion("v1")
	secret.SetKind("Secret")
	secret.SetName(name)
	secret.SetNamespace(object.GetNamespace())
	return secret, nil
}
