package diagnosis_test

import (
	"fmt"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"time"
)

// storageError is what the server says of something in storage that it can't hand out.
func storageError(resource, key, why string) string {
	return fmt.Sprintf("failed to read one or more %s from the storage: StorageError: corrupt object, Code: 7, "+
		"Key: %s, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=309: %s", resource, key, why)
}

// converting is a definition whose objects are stored in v0 and read in v1.
func converting(meta, webhook, more string) string { return storing("v0", meta, webhook, more) }

// storing is the same with these versions in the status of the definition.
func storing(versions, meta, webhook, more string) string {
	conversion := "{strategy: None}"
	if webhook != "" {
		conversion = "{strategy: Webhook, webhook: {clientConfig: " + webhook + "}}"
	}
	return object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "databases.shop.example.com", meta,
		fmt.Sprintf(
			"spec: {group: shop.example.com, scope: Namespaced, names: {plural: databases, kind: Database}, "+
				"versions: [{name: v0, served: true, storage: true}, {name: v1, served: true}], conversion: %s}\n"+
				"status: {storedVersions: [%s]%s}",
			conversion, versions, more))
}

func apiServiceOf(service, condition string) string {
	return object("apiregistration.k8s.io/v1", "APIService", "", "v1.metrics.example.com", "",
		fmt.Sprintf("spec: {group: metrics.example.com, version: v1%s}\nstatus: {conditions: [%s]}", service, condition))
}

func unavailable(reason, message string) string {
	return fmt.Sprintf("{type: Available, status: \"False\", reason: %s, message: %q, lastTransitionTime: %q}", reason,
		message, at(time.Hour))
}

func availableSince(ago time.Duration) string {
	return fmt.Sprintf("{type: Available, status: \"True\", reason: Passed, message: all checks passed, "+
		"lastTransitionTime: %q}", at(ago))
}

func serviceUp(namespace, name string) string {
	return object("v1", "Service", namespace, name, "", "spec: {selector: {app: x}, ports: [{port: 443}]}") + "---\n" +
		object("discovery.k8s.io/v1", "EndpointSlice", namespace, name+"-1",
			"labels: {kubernetes.io/service-name: "+name+"}", "ports: [{port: 8443}]\nendpoints: [{addresses: [10.0.0.1]}]")
}

const (
	ofExtension = ", service: {namespace: ext, name: extension}"
	toConverter = "{service: {namespace: ext, name: converter}}"
)

func damageCases() []whyCase { return append(discoveryCases(), storedCases()...) }

func discoveryCases() []whyCase {
	const group = "metrics.example.com/v1"
	ext := object("v1", "Namespace", "", "ext", "", "")
	hour := namespace(time.Hour,
		condition("NamespaceDeletionDiscoveryFailure", "True",
			"Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: "+
				"metrics.example.com/v1: stale GroupVersion discovery: metrics.example.com/v1"))
	missing := apiServiceOf(ofExtension, unavailable("ServiceNotFound", `service/extension in "ext" is not present`))
	going := func(finalizer string) string {
		return strings.Replace(missing, "uid: apiservice-v1.metrics.example.com",
			"uid: apiservice, "+deleted(time.Minute, finalizer), 1)
	}
	down := []string{"APIServiceUnavailable APIService/v1.metrics.example.com"}
	var many []string
	for _, version := range []string{"v1", "v1alpha1", "v1beta1", "v2"} {
		many = append(many, strings.ReplaceAll(missing, "v1.metrics", version+".metrics"),
			strings.ReplaceAll(missing, "v1.metrics", version+".other"))
	}
	many = append(many, hour, ext, managerAlive())
	return []whyCase{{
		name: "namespace and APIServices of one backend that is missing", target: "namespaces/shop",
		verdict: result.Stuck, failed: group + " metrics.example.com/v1beta1 metrics.example.com/v2 other.example.com/v2",
		objects: many, causes: []string{"APIServiceUnavailable APIService/v1.metrics.example.com × 4"},
		says:   []string{"4 APIServices, whose backend"},
		remedy: "v1.metrics.example.com v1beta1.metrics.example.com v2.metrics.example.com v2.other.example.com",
	}, {
		name: "namespace and an APIService whose Service is missing", target: "namespaces/shop", verdict: result.Stuck,
		failed:  group,
		objects: []string{hour, missing, ext, managerAlive()}, causes: down,
		says:   []string{"Service ext/extension does not exist"},
		remedy: "delete apiservices.apiregistration.k8s.io v1.metrics.example.com",
	}, {
		name: "namespace without conditions yet and an APIService whose Service is missing", target: "namespaces/shop",
		verdict: result.Stuck, failed: group,
		objects: []string{namespace(2*time.Second, ""), missing, ext, managerAlive()}, causes: down,
	}, {
		name:   "namespace and an APIService that is being deleted itself, and held by an operator that is down",
		target: "namespaces/shop", verdict: result.Stuck, failed: group,
		objects: []string{
			hour, going("shop.example.com/cleanup"), ext, managerAlive(),
			granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator),
			strings.ReplaceAll(granted("services", mayWrite, "apiservices", theOperator),
				"apiGroups: [shop.example.com]", "apiGroups: [apiregistration.k8s.io]"),
			account("shop-operator"), operator(0, ""),
		},
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"},
		notes:  []string{"v1.metrics.example.com is itself being deleted"},
	}, {
		name:   "namespace and an APIService that is being deleted itself, and held by nobody knows whom",
		target: "namespaces/shop", verdict: result.Undetermined, failed: group,
		objects: []string{
			hour, going("hold"), ext, managerAlive(),
		},
		causes: []string{"ControllerUnknown APIService/v1.metrics.example.com"},
	}, {
		name: "namespace and an APIService whose backend is part of it", target: "namespaces/shop",
		verdict: result.Stuck, failed: group,
		objects: []string{
			hour, apiServiceOf(", service: {namespace: shop, name: extension}", unavailable("ServiceNotFound", "gone")),
			managerAlive(),
		},
		causes: down, says: []string{"and its namespace is being deleted"},
	}, {
		name: "namespace and an APIService that doesn't answer although its backend is up", target: "namespaces/shop",
		verdict: result.Stuck, failed: group,
		objects: []string{
			hour,
			apiServiceOf(ofExtension, unavailable("FailedDiscoveryCheck", "x509: certificate signed by unknown authority")),
			serviceUp("ext", "extension"), managerAlive(),
		},
		causes: down, says: []string{"x509"}, remedy: "describe apiservices",
	}, {
		name: "namespace and an APIService that counts as available and can't be discovered", target: "namespaces/shop",
		verdict: result.Stuck, failed: group,
		objects: []string{
			hour, apiServiceOf(ofExtension, availableSince(time.Hour)), serviceUp("ext", "extension"), managerAlive(),
		},
		causes: down, says: []string{"slower than five seconds"},
	}, {
		name: "namespace and an APIService that has just become available", target: "namespaces/shop",
		verdict: result.Progressing, failed: group,
		objects: []string{
			hour, apiServiceOf(ofExtension, availableSince(5*time.Second)), serviceUp("ext", "extension"), managerAlive(),
		},
		says: []string{"is available again"},
	}, {
		name: "namespace and an APIService that has not been judged", target: "namespaces/shop", verdict: result.Stuck,
		failed:  group,
		objects: []string{hour, apiServiceOf(ofExtension, ""), serviceUp("ext", "extension"), managerAlive()},
		causes:  down, says: []string{"has not reached its backend"},
	}, {
		name: "namespace and an APIService whose backend may not be read", target: "namespaces/shop",
		verdict: result.Stuck, failed: group, deny: "services",
		objects: []string{hour, apiServiceOf(ofExtension, unavailable("MissingEndpoints", "no addresses")), managerAlive()},
		causes:  down, says: []string{"kube-apiserver reports MissingEndpoints"},
	}, {
		name: "namespace whose discovery fails, as somebody who may not read APIServices", target: "namespaces/shop",
		verdict: result.Undetermined, failed: group, deny: "apiservices",
		objects: []string{hour, missing, managerAlive()},
		says:    []string{"the discovery of metrics.example.com/v1, which fails"},
	}, {
		name: "namespace and a group of kube-apiserver's own that can't be discovered", target: "namespaces/shop",
		verdict: result.Undetermined, failed: group,
		objects: []string{hour, apiServiceOf("", availableSince(time.Hour)), managerAlive()},
		says:    []string{"metrics.example.com/v1, which can't be discovered"},
	}, {
		name: "namespace whose discovery works again", target: "namespaces/shop", verdict: result.Progressing,
		objects: []string{hour, managerAlive()}, says: []string{"to try again"},
	}, {
		name: "namespace whose discovery works again while nobody tries", target: "namespaces/shop", verdict: result.Stuck,
		objects: []string{hour, managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "config map beside an APIService that is dead", target: "configmaps/x", verdict: result.Undetermined,
		failed:  group,
		objects: []string{configMap("x", deleted(time.Hour, "example.com/hold")), missing, managerAlive()},
		causes:  []string{"ControllerUnknown ConfigMap/shop/x"},
	}, {
		name: "namespace with content of a group that can't be discovered", target: "namespaces/shop",
		verdict: result.Stuck, failed: group,
		objects: []string{
			namespace(time.Hour,
				condition("NamespaceContentRemaining", "True",
					"Some resources are remaining: nodes.metrics.example.com has 1 resource instances")),
			missing, ext, managerAlive(),
		},
		causes: down,
	}, {
		name: "namespace with content of a kind that is not served any more", target: "namespaces/shop",
		verdict: result.Undetermined,
		objects: []string{
			namespace(time.Hour,
				condition("NamespaceContentRemaining", "True",
					"Some resources are remaining: ghosts.gone.example.com has 1 resource instances")),
			managerAlive(),
		},
		says: []string{"ghosts.gone.example.com, which this cluster no longer serves"},
	}}
}
