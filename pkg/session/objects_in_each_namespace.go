package session

// IsInEachNamespace reports whether Kubernetes makes an object in each namespace by itself (k8s v1.37
// pkg/controller/certificates/rootcacertpublisher/publisher.go:RootCACertConfigMapName,
// pkg/controller/serviceaccount/serviceaccounts_controller.go:DefaultServiceAccountsControllerOptions).
func IsInEachNamespace(object *Object) bool {
	return object.Is("", "ConfigMap") && object.Ref.Name == "kube-root-ca.crt" ||
		object.Is("", "ServiceAccount") && object.Ref.Name == "default"
}
