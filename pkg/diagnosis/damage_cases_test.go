package diagnosis_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// storageError is what the server says of something in storage that it can't hand out.
func storageError(resource, key, why string) string {
	return fmt.Sprintf("failed to read one or more %s from the storage: StorageError: corrupt object, Code: 7, Key: %s, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=309: %s", resource, key, why)
}

// converting is a definition of which the objects are stored in v0 and read in v1.
func converting(meta, webhook, more string) string {
	conversion := "{strategy: None}"
	if webhook != "" {
		conversion = "{strategy: Webhook, webhook: {clientConfig: " + webhook + "}}"
	}
	return object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "databases.shop.example.com", meta, fmt.Sprintf(
		"spec: {group: shop.example.com, scope: Namespaced, names: {plural: databases, kind: Database}, versions: [{name: v0, served: true, storage: true}, {name: v1, served: true}], conversion: %s}\nstatus: {storedVersions: [v0]%s}",
		conversion, more))
}

func apiServiceOf(service, condition string) string {
	return object("apiregistration.k8s.io/v1", "APIService", "", "v1.metrics.example.com", "", fmt.Sprintf("spec: {group: metrics.example.com, version: v1%s}\nstatus: {conditions: [%s]}", service, condition))
}

func unavailable(reason, message string) string {
	return fmt.Sprintf("{type: Available, status: \"False\", reason: %s, message: %q, lastTransitionTime: %q}", reason, message, at(time.Hour))
}

func availableSince(ago time.Duration) string {
	return fmt.Sprintf("{type: Available, status: \"True\", reason: Passed, message: all checks passed, lastTransitionTime: %q}", at(ago))
}

func serviceUp(namespace, name string) string {
	return object("v1", "Service", namespace, name, "", "spec: {selector: {app: x}, ports: [{port: 443}]}") + "---\n" +
		object("discovery.k8s.io/v1", "EndpointSlice", namespace, name+"-1", "labels: {kubernetes.io/service-name: "+name+"}", "ports: [{port: 8443}]\nendpoints: [{addresses: [10.0.0.1]}]")
}

const (
	ofExtension = ", service: {namespace: ext, name: extension}"
	toConverter = "{service: {namespace: ext, name: converter}}"
)

func damageCases() []whyCase { return append(discoveryCases(), storedCases()...) }

func discoveryCases() []whyCase {
	const group = "metrics.example.com/v1"
	ext := object("v1", "Namespace", "", "ext", "", "")
	hour := namespace(time.Hour, condition("NamespaceDeletionDiscoveryFailure", "True", "Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: metrics.example.com/v1: stale GroupVersion discovery: metrics.example.com/v1"))
	missing := apiServiceOf(ofExtension, unavailable("ServiceNotFound", `service/extension in "ext" is not present`))
	down := []string{"APIServiceUnavailable APIService/v1.metrics.example.com"}
	var many []string
	for _, version := range []string{"v1", "v1alpha1", "v1beta1", "v2"} {
		many = append(many, strings.ReplaceAll(missing, "v1.metrics", version+".metrics"), strings.ReplaceAll(missing, "v1.metrics", version+".other"))
	}
	many = append(many, hour, ext, managerAlive())
	return []whyCase{{
		name: "namespace and APIServices of one backend that is missing", target: "namespaces/shop", verdict: report.Stuck, failed: group + " metrics.example.com/v1beta1 metrics.example.com/v2 other.example.com/v2",
		objects: many, causes: []string{"APIServiceUnavailable APIService/v1.metrics.example.com × 4"}, says: []string{"4 APIServices to be served"},
		remedy: "v1.metrics.example.com v1beta1.metrics.example.com v2.metrics.example.com v2.other.example.com",
	}, {
		name: "namespace and an APIService whose Service is missing", target: "namespaces/shop", verdict: report.Stuck, failed: group,
		objects: []string{hour, missing, ext, managerAlive()}, causes: down, says: []string{"Service ext/extension is missing"}, remedy: "delete apiservices.apiregistration.k8s.io v1.metrics.example.com",
	}, {
		name: "namespace without conditions yet and an APIService whose Service is missing", target: "namespaces/shop", verdict: report.Stuck, failed: group,
		objects: []string{namespace(2*time.Second, ""), missing, ext, managerAlive()}, causes: down,
	}, {
		name: "namespace and an APIService that is being deleted itself, and held by an operator that is down", target: "namespaces/shop", verdict: report.Stuck, failed: group,
		objects: []string{hour, strings.Replace(missing, "uid: apiservice-v1.metrics.example.com", "uid: apiservice, "+deleted(time.Minute, "shop.example.com/cleanup"), 1), ext, managerAlive(),
			granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator), strings.NewReplacer("apiGroups: [shop.example.com]", "apiGroups: [apiregistration.k8s.io]").Replace(granted("services", mayWrite, "apiservices", theOperator)), account("shop-operator"), operator(0, "")},
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"}, notes: []string{"v1.metrics.example.com is being deleted itself"},
	}, {
		name: "namespace and an APIService that is being deleted itself, and held by nobody knows whom", target: "namespaces/shop", verdict: report.Undetermined, failed: group,
		objects: []string{hour, strings.Replace(missing, "uid: apiservice-v1.metrics.example.com", "uid: apiservice, "+deleted(time.Minute, "hold"), 1), ext, managerAlive()},
		causes:  []string{"ControllerUnknown APIService/v1.metrics.example.com"},
	}, {
		name: "namespace and an APIService whose backend is part of it", target: "namespaces/shop", verdict: report.Stuck, failed: group,
		objects: []string{hour, apiServiceOf(", service: {namespace: shop, name: extension}", unavailable("ServiceNotFound", "gone")), managerAlive()}, causes: down, says: []string{"nothing can start there any more"},
	}, {
		name: "namespace and an APIService that doesn't answer although its backend is up", target: "namespaces/shop", verdict: report.Stuck, failed: group,
		objects: []string{hour, apiServiceOf(ofExtension, unavailable("FailedDiscoveryCheck", "x509: certificate signed by unknown authority")), serviceUp("ext", "extension"), managerAlive()},
		causes:  down, says: []string{"x509"}, remedy: "describe apiservices",
	}, {
		name: "namespace and an APIService that counts as available and can't be discovered", target: "namespaces/shop", verdict: report.Stuck, failed: group,
		objects: []string{hour, apiServiceOf(ofExtension, availableSince(time.Hour)), serviceUp("ext", "extension"), managerAlive()}, causes: down, says: []string{"slower than five seconds"},
	}, {
		name: "namespace and an APIService that has just become available", target: "namespaces/shop", verdict: report.Progressing, failed: group,
		objects: []string{hour, apiServiceOf(ofExtension, availableSince(5*time.Second)), serviceUp("ext", "extension"), managerAlive()}, says: []string{"which is available again"},
	}, {
		name: "namespace and an APIService that has not been judged", target: "namespaces/shop", verdict: report.Stuck, failed: group,
		objects: []string{hour, apiServiceOf(ofExtension, ""), serviceUp("ext", "extension"), managerAlive()}, causes: down, says: []string{"has not reached its backend"},
	}, {
		name: "namespace and an APIService whose backend may not be read", target: "namespaces/shop", verdict: report.Stuck, failed: group, deny: "services",
		objects: []string{hour, apiServiceOf(ofExtension, unavailable("MissingEndpoints", "no addresses")), managerAlive()}, causes: down, says: []string{"kube-apiserver reports MissingEndpoints"},
	}, {
		name: "namespace whose discovery fails, as somebody who may not read APIServices", target: "namespaces/shop", verdict: report.Undetermined, failed: group, deny: "apiservices",
		objects: []string{hour, missing, managerAlive()}, says: []string{"the APIServices whose discovery fails"},
	}, {
		name: "namespace and a group of kube-apiserver's own that can't be discovered", target: "namespaces/shop", verdict: report.Undetermined, failed: group,
		objects: []string{hour, apiServiceOf("", availableSince(time.Hour)), managerAlive()}, says: []string{"metrics.example.com/v1, which can't be discovered"},
	}, {
		name: "namespace whose discovery works again", target: "namespaces/shop", verdict: report.Progressing,
		objects: []string{hour, managerAlive()}, says: []string{"to try again"},
	}, {
		name: "namespace whose discovery works again while nobody tries", target: "namespaces/shop", verdict: report.Stuck,
		objects: []string{hour, managerDead()}, causes: []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "config map beside an APIService that is dead", target: "configmaps/x", verdict: report.Undetermined, failed: group,
		objects: []string{configMap("x", deleted(time.Hour, "example.com/hold")), missing, managerAlive()}, causes: []string{"ControllerUnknown ConfigMap/shop/x"},
	}, {
		name: "namespace with content of a group that can't be discovered", target: "namespaces/shop", verdict: report.Stuck, failed: group,
		objects: []string{namespace(time.Hour, condition("NamespaceContentRemaining", "True", "Some resources are remaining: nodes.metrics.example.com has 1 resource instances")), missing, ext, managerAlive()}, causes: down,
	}, {
		name: "namespace with content of a kind that is not served any more", target: "namespaces/shop", verdict: report.Undetermined,
		objects: []string{namespace(time.Hour, condition("NamespaceContentRemaining", "True", "Some resources are remaining: ghosts.gone.example.com has 1 resource instances")), managerAlive()},
		says:    []string{"ghosts.gone.example.com, which the server doesn't serve any more"},
	}}
}

func storedCases() []whyCase {
	const key = "/registry/shop.example.com/databases/shop/db"
	unconverted := storageError("databases.shop.example.com", key, `conversion webhook for shop.example.com/v0, Kind=Database failed: Post "https://converter.ext.svc:443/convert": service "converter" not found`)
	garbage := storageError("databases.shop.example.com", key, "invalid character 'o' in literal null")
	elsewhere := "storage is (re)initializing: failed to list <unspecified>: " + storageError("databases.shop.example.com", "/registry/shop.example.com/databases/other/db", "unknown key")
	fails := func(text string) string {
		return namespace(time.Hour, condition("NamespaceDeletionContentFailure", "True", "Failed to delete all resource types, 1 remaining: "+text))
	}
	database := func(meta string) string { return object("shop.example.com/v0", "Database", "shop", "db", meta, "") }
	conversion := []string{"ConversionWebhookUnavailable CustomResourceDefinition/databases.shop.example.com"}
	undecodable := []string{"UndecodableObject CustomResourceDefinition/databases.shop.example.com"}
	ext := object("v1", "Namespace", "", "ext", "", "")
	return []whyCase{{
		name: "namespace with an object that a missing webhook should convert", target: "namespaces/shop", verdict: report.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{fails(unconverted), converting("", toConverter, ""), ext, managerAlive()}, causes: conversion, says: []string{"Service ext/converter is missing"}, remedy: "-n shop delete databases.v0.shop.example.com --all",
	}, {
		name: "namespace with an object that isn't converted, of a definition that is being deleted itself", target: "namespaces/shop", verdict: report.Undetermined, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{fails(unconverted), converting(deleted(time.Minute, "hold"), toConverter, ""), ext, managerAlive()},
		causes:  []string{"ControllerUnknown CustomResourceDefinition/databases.shop.example.com"}, notes: []string{"is being deleted itself"},
	}, {
		name: "namespace with a held object that isn't converted, of a definition that is being deleted itself", target: "namespaces/shop", verdict: report.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{fails(unconverted), converting(deleted(time.Minute, "customresourcecleanup.apiextensions.k8s.io"), toConverter, ""), ext, managerAlive(), database(deleted(time.Minute, "shop.example.com/cleanup"))},
		causes:  []string{"ControllerMissing Database/shop/db"},
	}, {
		name: "namespace with an object that isn't converted and another that a policy keeps", stated: true, target: "namespaces/shop", verdict: report.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{
			fails(`configmaps "Unknown" is forbidden: ValidatingAdmissionPolicy 'keep' with binding 'kept' denied request: it stays, ` + unconverted), configMap("key", ""),
			converting("", toConverter, ""), ext, managerAlive(), policy("request.operation != 'DELETE' || request.resource.resource != 'configmaps'"),
		},
		causes: append([]string{"AdmissionDenied ValidatingAdmissionPolicy/keep"}, conversion...), says: []string{"ConfigMap shop/key"},
	}, {
		name: "namespace without a word, because telling is refused, beside an object in another one that isn't converted", target: "namespaces/shop", verdict: report.Stuck,
		damaged: map[string]string{"v1/databases": "storage is (re)initializing: failed to list <unspecified>: " + strings.ReplaceAll(unconverted, "/shop/db", "/other/db")},
		objects: []string{namespace(5*time.Minute, ""), converting("", toConverter, ""), ext, managerAlive(), policy("request.resource.resource != 'namespaces' || request.subResource != 'status'")},
		causes:  append([]string{"AdmissionDenied ValidatingAdmissionPolicy/keep"}, conversion...),
	}, {
		name: "namespace with an object that an older server can't convert", target: "namespaces/shop", verdict: report.Stuck, damaged: map[string]string{"v1/databases": `conversion webhook for shop.example.com/v0, Kind=Database failed: refused`},
		objects: []string{fails(`conversion webhook for shop.example.com/v0, Kind=Database failed: refused`), converting("", toConverter, ""), ext, managerAlive()}, causes: conversion,
	}, {
		name: "namespace with an object that a webhook fails to convert although it is up", target: "namespaces/shop", verdict: report.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{fails(unconverted), converting("", toConverter, ""), serviceUp("ext", "converter"), managerAlive()}, causes: conversion, says: []string{"asked to convert, it fails"},
	}, {
		name: "namespace with an object that a webhook outside the cluster fails to convert", target: "namespaces/shop", verdict: report.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{fails(unconverted), converting("", "{url: https://convert.example.com}", ""), managerAlive()}, causes: conversion, says: []string{"https://convert.example.com"},
	}, {
		name: "namespace whose conversion fails, as somebody who may not read definitions", target: "namespaces/shop", verdict: report.Undetermined, damaged: map[string]string{"v1/databases": unconverted}, deny: "customresourcedefinitions",
		objects: []string{fails(unconverted), converting("", toConverter, ""), managerAlive()}, says: []string{"CustomResourceDefinition databases.shop.example.com"},
	}, {
		name: "namespace whose conversion failed, as somebody who may not read the object", target: "namespaces/shop", verdict: report.Undetermined, deny: "databases",
		objects: []string{fails(unconverted), converting("", toConverter, ""), managerAlive()}, says: []string{"Database shop/db"},
	}, {
		name: "namespace whose conversion works again", target: "namespaces/shop", verdict: report.Progressing,
		objects: []string{fails(unconverted), converting("", toConverter, ""), database(""), managerAlive()}, says: []string{"can be read again"},
	}, {
		name: "namespace whose definition no longer converts through a webhook", target: "namespaces/shop", verdict: report.Progressing, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{fails(unconverted), converting("", "", ""), managerAlive()}, says: []string{"no longer converts"},
	}, {
		name: "namespace with an object that can't be decoded", target: "namespaces/shop", verdict: report.Stuck, damaged: map[string]string{"configmaps": storageError("configmaps", "/configmaps/shop/garbage", "illegal base64 data")},
		objects: []string{fails(storageError("configmaps", "/registry/configmaps/shop/garbage", "illegal base64 data")), managerAlive()},
		causes:  []string{"UndecodableObject ConfigMap/shop/garbage"}, says: []string{"storage key /registry/configmaps/shop/garbage"}, remedy: "dryRun=All",
	}, {
		name: "namespace with an instance that can't be decoded", target: "namespaces/shop", verdict: report.Stuck, damaged: map[string]string{"databases": garbage},
		objects: []string{fails(garbage), converting("", "", ""), managerAlive()}, causes: undecodable, says: []string{key}, remedy: "/apis/shop.example.com/v1/namespaces/shop/databases/db?ignoreStoreReadErrorWithClusterBreakingPotential=true",
	}, {
		name: "namespace with two instances that can't be decoded", target: "namespaces/shop", verdict: report.Stuck, damaged: map[string]string{"databases": garbage},
		objects: []string{fails(garbage + ", " + storageError("databases.shop.example.com", "/registry/shop.example.com/databases/shop/other", "garbage")), converting("", "", ""), managerAlive()},
		causes:  undecodable, says: []string{key, "databases/shop/other"}, remedy: "/databases/other?",
	}, {
		name: "namespace with a config map of which the key service is down", target: "namespaces/shop", verdict: report.Stuck, damaged: map[string]string{"configmaps": storageError("configmaps", "/configmaps/shop/sealed", "failed to decrypt DEK, error: rpc error: code = Unavailable")},
		objects: []string{fails(storageError("configmaps", "/registry/configmaps/shop/sealed", "failed to decrypt DEK, error: rpc error")), managerAlive()},
		causes:  []string{"UndecodableObject ConfigMap/shop/sealed"}, remedy: "get configmaps/sealed",
	}, {
		name: "namespace with something under a storage key that says nothing", target: "namespaces/shop", verdict: report.Undetermined,
		objects: []string{fails(storageError("ghosts", "/registry/ghosts/x/y", "garbage")), managerAlive()}, says: []string{"/registry/ghosts/x/y"},
	}, {
		name: "namespace without a word, held by an object in another one that can't be decoded", target: "namespaces/shop", verdict: report.Stuck, damaged: map[string]string{"databases": elsewhere},
		objects: []string{namespace(5*time.Minute, ""), converting("", "", ""), managerAlive()}, causes: undecodable, says: []string{"Database other/db", "/registry/shop.example.com/databases/other/db"},
	}, {
		name: "namespace without a word, held by an object in another one that isn't converted", target: "namespaces/shop", verdict: report.Stuck,
		damaged: map[string]string{"v1/databases": "storage is (re)initializing: failed to list <unspecified>: " + strings.ReplaceAll(unconverted, "/shop/db", "/other/db")},
		objects: []string{namespace(5*time.Minute, ""), converting("", toConverter, ""), ext, managerAlive()}, causes: conversion, remedy: "get databases.v0.shop.example.com -A",
	}, {
		name: "namespace with conditions of an earlier look, held by an object in another one that can't be decoded", target: "namespaces/shop", verdict: report.Stuck, damaged: map[string]string{"databases": elsewhere},
		objects: []string{namespace(5*time.Minute, condition("NamespaceContentRemaining", "False", "All content successfully removed")), converting("", "", ""), managerAlive()}, causes: undecodable,
	}, {
		name: "namespace without a word because nobody works on it", target: "namespaces/shop", verdict: report.Stuck, damaged: map[string]string{"databases": elsewhere},
		objects: []string{namespace(5*time.Minute, ""), managerDead()}, causes: []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "namespace without a word, as somebody who may not list what may hold it", target: "namespaces/shop", verdict: report.Undetermined, deny: "databases",
		objects: []string{namespace(5*time.Minute, ""), managerAlive()},
	}, {
		name: "definition with an instance that can't be converted", target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", verdict: report.Stuck, damaged: map[string]string{"databases": unconverted},
		objects: []string{converting(deleted(time.Hour, "customresourcecleanup.apiextensions.k8s.io"), toConverter, ""), ext}, causes: conversion,
	}, {
		name: "definition that reports an instance that can't be decoded", target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", verdict: report.Stuck, damaged: map[string]string{"v1/databases": garbage},
		objects: []string{converting(deleted(time.Hour, "customresourcecleanup.apiextensions.k8s.io"), "", fmt.Sprintf(", conditions: [{type: Terminating, status: \"True\", reason: InstanceDeletionFailed, message: %q, lastTransitionTime: %q}]", "could not list instances: "+garbage, at(time.Hour)))},
		causes:  undecodable,
	}, {
		name: "instance that can be read only as it is stored", target: "databases.shop.example.com/db", verdict: report.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{database(deleted(time.Hour, "shop.example.com/cleanup")), converting("", toConverter, ""), ext}, causes: conversion, remedy: "get databases.v0.shop.example.com",
	}, {
		name: "instance that can be read only as it is stored, and that nobody has deleted", target: "databases.shop.example.com/db", verdict: report.NotTerminating, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{database(""), converting("", toConverter, ""), ext},
	}, {
		name: "instance that can't be read at all for want of conversion", target: "databases.shop.example.com/db", verdict: report.Stuck, damaged: map[string]string{"databases": unconverted},
		objects: []string{converting("", toConverter, ""), ext}, causes: conversion, says: []string{"nobody can say whether it is being deleted"},
	}, {
		name: "config map that can't be decoded", target: "configmaps/garbage", verdict: report.Stuck, damaged: map[string]string{"configmaps": "Internal error occurred: StorageError: corrupt object, Code: 7, Key: /configmaps/shop/garbage, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=3: illegal base64 data"},
		causes: []string{"UndecodableObject ConfigMap/shop/garbage"}, remedy: "/api/v1/namespaces/shop/configmaps/garbage?",
	}, {
		name: "instance that can't be decoded while the webhook of its kind is down", target: "databases.shop.example.com/db", verdict: report.Stuck, damaged: map[string]string{"databases": garbage},
		objects: []string{converting("", toConverter, ""), ext}, causes: undecodable,
	}, {
		name: "owner with a dependent that can be read only as it is stored", target: "configmaps/owner", verdict: report.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{configMap("owner", deleted(time.Hour, "foregroundDeletion")), database(owned("owner", true)), converting("", toConverter, ""), ext, managerAlive()}, causes: conversion,
	}, {
		name: "owner whose dependents can't be seen for one that can't be decoded", target: "configmaps/owner", verdict: report.Stuck, damaged: map[string]string{"databases": garbage},
		objects: []string{configMap("owner", deleted(time.Hour, "foregroundDeletion")), converting("", "", ""), managerAlive()}, causes: undecodable,
	}, {
		name: "owner deleted just now whose dependents can't be seen for one that can't be decoded", target: "configmaps/owner", verdict: report.Undetermined, damaged: map[string]string{"databases": garbage},
		objects: []string{configMap("owner", deleted(time.Second, "foregroundDeletion")), converting("", "", ""), managerAlive()}, says: []string{"databases.shop.example.com"},
	}}
}

// TestHealthyObjectsAreNeverDestroyed makes sure that where conversion or a key service may be the reason, nothing
// speaks of deleting objects unread.
func TestHealthyObjectsAreNeverDestroyed(t *testing.T) {
	for _, c := range damageCases() {
		result := c.ask(t)
		text, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		webhook := strings.Contains(strings.Join(c.objects, ""), "strategy: Webhook") || strings.Contains(c.damaged["configmaps"], "DEK")
		if unsafe := strings.Contains(string(text), "ClusterBreakingPotential") || strings.Contains(string(text), "unsafe-delete"); unsafe && webhook {
			t.Errorf("%s: the unsafe delete is mentioned", c.name)
		}
	}
}
