package diagnosis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// guarding is a webhook whose Service is shop/guard, for some operations on some resources of all groups, with more
// fields.
func guarding(name, operations, resources, more string) string {
	return object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", name, "",
		"webhooks: ["+hookOf(name+".example.com", operations, resources, more)+"]")
}

func hookOf(name, operations, resources, more string) string {
	return fmt.Sprintf("{name: %s, clientConfig: {service: {namespace: shop, name: guard}}, rules: [{operations: [%s], "+
		"apiGroups: ['*'], apiVersions: ['*'], resources: [%s]}]%s}", name, operations, resources, more)
}

// checkSilenceCases are clusters in which something doesn't answer without which deletions don't get through, and
// innocents that look like it.
func checkSilenceCases() []checkCase {
	return slices.Concat(checkAPICases(), checkWebhookCases(), checkSelectionCases(), checkConversionCases(),
		checkPolicyCases())
}

func checkAPICases() []checkCase {
	const group, down = "metrics.example.com/v1", "Warning APIServiceUnavailable APIService/v1.metrics.example.com"
	missing := apiServiceOf(ofExtension, unavailable("ServiceNotFound", `service/extension in "ext" is not present`))
	going := strings.Replace(missing, "uid: apiservice-v1.metrics.example.com", "uid: apiservice, "+deleted(2e9,
		"shop.example.com/cleanup"), 1)
	return []checkCase{{
		name: "an APIService whose Service is missing", failed: group, objects: []string{missing},
		want: []string{down}, says: []string{"can't finish deleting it", "Service ext/extension and its Namespace"},
	}, {
		name: "an APIService whose Service is missing, in one namespace", namespace: "shop", failed: group,
		objects: []string{missing, configMap("x", "")}, want: []string{down},
	}, {
		name: "an APIService that is being deleted", failed: group, objects: []string{going},
		says: []string{"v1.metrics.example.com is itself being deleted"},
	}, {
		name: "an APIService that has just become available", failed: group,
		objects: []string{apiServiceOf(ofExtension, availableSince(5e9)), serviceUp("ext", "extension")},
	}, {
		name: "a group that can't be discovered, of which the APIService may not be read", failed: group, deny: "apiservices",
		objects: []string{missing},
		says:    []string{"metrics.example.com/v1 can't be discovered", "It is not clear why"},
	}, {
		name: "an unavailable APIService that discovery doesn't need", objects: []string{missing},
	}}
}

func checkWebhookCases() []checkCase {
	const silent = "Warning WebhookUnavailable ValidatingWebhookConfiguration/guard"
	notes, labelled := configMap("notes", ""), configMap("labelled", "labels: {app: web}")
	held, running := kept("shop", "orders", "shop.example.com/cleanup"), object("v1", "Pod", "shop", "web", "",
		"spec: {containers: []}")
	broad := granted("lax", mayWrite, "databases", "") + "---\n" + bound("lax",
		"{kind: Group, name: 'system:serviceaccounts'}")
	elsewhere := strings.NewReplacer("namespace: \"shop\"", "namespace: \"other\"", "uid: configmap-notes",
		"uid: configmap-other").Replace(notes)
	several := object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "guard", "", "webhooks: ["+
		hookOf("one.example.com", "DELETE", "configmaps", "")+", "+hookOf("two.example.com", "'*'",
		"'configmaps', 'pods/eviction'", "")+", "+hookOf("three.example.com", "CREATE", "configmaps", "")+"]")
	return []checkCase{{
		name: "a webhook without a backend on deletes", objects: []string{notes, elsewhere,
			guarding("guard", "DELETE", "configmaps", "")},
		want: []string{silent}, says: []string{"the deletion of configmaps (now 2 objects in other and shop)",
			"Service shop/guard does not exist", "A namespace that contains an object whose deletion is refused"},
	}, {
		name: "a webhook without a backend on deletes, in one namespace", namespace: "shop",
		objects: []string{notes, elsewhere, guarding("guard", "DELETE", "configmaps, namespaces", "")},
		want:    []string{silent},
		says:    []string{"the deletion of configmaps (now 1 object in shop), namespaces (now 1 object)."},
	}, {
		name: "a webhook without a backend on updates of what has a finalizer", objects: []string{held, broad,
			guarding("guard", "UPDATE", "databases", "")},
		want: []string{silent},
		says: []string{"the removal of finalizers from databases.shop.example.com (now 1 object in shop)"},
	}, {
		name: "a mutating webhook without a backend on updates", objects: []string{held, broad,
			strings.ReplaceAll(guarding("guard", "UPDATE", "databases", ""), "Validating", "Mutating")},
		want: []string{"Warning WebhookUnavailable MutatingWebhookConfiguration/guard"},
	}, {
		name:    "a webhook without a backend on updates of what has no finalizer",
		objects: []string{notes, guarding("guard", "UPDATE", "configmaps", "")},
	}, {
		name:    "a webhook without a backend on updates of what has an owner",
		objects: []string{notes, configMap("child", owned("notes", true)), guarding("guard", "UPDATE", "configmaps", "")},
		want:    []string{"Info" + strings.TrimPrefix(silent, "Warning")},
		says:    []string{"the removal of owner references (--cascade=orphan) from configmaps (now 1 object in shop)"},
	}, {
		name:    "a webhook without a backend on evictions",
		objects: []string{running, guarding("guard", "CREATE", "pods/eviction", "")},
		want:    []string{silent}, says: []string{"the eviction of pods (now 1 object in shop)"},
	}, {
		name:    "a webhook without a backend on the last step of namespaces",
		objects: []string{notes, guarding("guard", "UPDATE", "namespaces/finalize", "")},
		want:    []string{silent}, says: []string{"the last step in the deletion of namespaces (now 1 object)"},
	}, {
		name: "a webhook without a backend on creations", objects: []string{notes, running, guarding("guard", "CREATE", "'*'",
			"")},
	}, {
		name: "several webhooks of one configuration without a backend", objects: []string{notes, labelled, running, several},
		want: []string{silent}, says: []string{"2 of its webhooks can't answer (one.example.com, two.example.com)",
			"/webhooks/0/failurePolicy", "/webhooks/1/failurePolicy"},
	}, {
		name: "a webhook whose backend answers", objects: []string{notes, guarding("guard", "'*'", "'*/*'", ""),
			guardService()},
	}, {
		name:    "a webhook whose silence is no refusal",
		objects: []string{notes, guarding("guard", "'*'", "'*/*'", ", failurePolicy: Ignore")},
	}, {
		name: "a webhook that is called by URL",
		objects: []string{notes, strings.Replace(guarding("guard", "'*'", "'*/*'", ""),
			"service: {namespace: shop, name: guard}", "url: https://guard.example.net/check", 1)},
		says: []string{"webhook guard.example.com can answer: it is called by URL"},
	}, {
		name: "a webhook whose Service is the name of something outside",
		objects: []string{notes, guarding("guard", "'*'", "'*/*'", ""), object("v1", "Service", "shop", "guard", "",
			"spec: {type: ExternalName, externalName: guard.example.net}")},
	}, {
		name: "a webhook whose backend may not be read", deny: "services",
		objects: []string{notes, guarding("guard", "DELETE", "configmaps", "")},
		says:    []string{"It is not clear whether webhook guard.example.com can answer"},
	}}
}

func checkSelectionCases() []checkCase {
	const silent = "Warning WebhookUnavailable ValidatingWebhookConfiguration/guard"
	notes, labelled := configMap("notes", ""), configMap("labelled", "labels: {app: web}")
	elsewhere := strings.NewReplacer("namespace: \"shop\"", "namespace: \"other\"", "uid: configmap-notes",
		"uid: configmap-other").Replace(notes)
	chosen := object("v1", "Namespace", "", "shop", "labels: {guarded: strict}", "")
	only := func(more string) string { return guarding("guard", "DELETE", "configmaps", ", "+more) }
	var many []string
	for i := range 30 {
		many = append(many, configMap(fmt.Sprintf("many-%02d", i), ""))
	}
	return []checkCase{{
		name: "a webhook without a backend for one namespace", objects: []string{notes, elsewhere, chosen,
			only("namespaceSelector: {matchLabels: {guarded: strict}}")},
		want: []string{silent}, says: []string{"the deletion of configmaps (now 1 object in shop)."},
	}, {
		name:    "a webhook without a backend for no namespace that there is",
		objects: []string{notes, only("namespaceSelector: {matchLabels: {guarded: maybe}}")},
	}, {
		name: "a webhook without a backend for namespaces themselves", objects: []string{notes, elsewhere, chosen,
			guarding("guard", "DELETE", "namespaces", ", namespaceSelector: {matchLabels: {guarded: strict}}")},
		want: []string{silent}, says: []string{"the deletion of namespaces (now 1 object)."},
	}, {
		name: "a webhook without a backend for one namespace, of which the labels may not be read", deny: "namespaces",
		objects: []string{notes, chosen, only("namespaceSelector: {matchLabels: {guarded: strict}}")},
		says:    []string{"It is not clear whether the API server therefore refuses"},
	}, {
		name: "a webhook without a backend for some objects", objects: []string{notes, labelled,
			only("objectSelector: {matchLabels: {app: web}}")},
		want: []string{silent}, says: []string{"the deletion of configmaps (now 1 object in shop)"},
	}, {
		name: "a webhook without a backend for no object that there is", objects: []string{notes, labelled,
			only("objectSelector: {matchLabels: {app: none}}")},
	}, {
		name:    "a webhook without a backend whose condition excludes all",
		objects: []string{notes, only(`matchConditions: [{name: none, expression: "oldObject.metadata.name == 'other'"}]`)},
	}, {
		name: "a webhook without a backend whose condition is about some",
		objects: append(many,
			only(`matchConditions: [{name: some, expression: "oldObject.metadata.name.startsWith('many')"}]`)),
		want: []string{silent}, says: []string{"the deletion of configmaps (now at least 4 objects in shop)"},
	}, {
		name:    "a webhook without a backend whose condition asks who sends a request",
		objects: []string{notes, only(`matchConditions: [{name: who, expression: "request.userInfo.username == 'x'"}]`)},
		says:    []string{"depends on who sends the request"},
	}, {
		name: "a webhook without a backend that is about all but nodes",
		objects: []string{notes,
			only(`matchConditions: [{name: who, expression: "!('system:nodes' in request.userInfo.groups)"}]`)},
		want: []string{silent}, says: []string{"the deletion of configmaps (now 1 object in shop)"},
	}, {
		name: "a webhook without a backend on everything", objects: []string{
			notes, object("v1", "Secret", "shop", "key", "", ""), object("v1", "Endpoints", "shop", "web", "", ""),
			service("web", ""), object("v1", "Node", "", "n1", "", ""), guarding("guard", "'*'", "'*/*'", ""),
		},
		want: []string{silent},
		says: []string{"the deletion of configmaps (now 1 object in shop), endpoints (now 1 object in shop), " +
			"secrets (now 1 object in shop) and 3 more kinds, and the last step in the deletion of namespaces (now 1 object)."},
	}}
}

func checkConversionCases() []checkCase {
	const silent = "Warning ConversionWebhookUnavailable CustomResourceDefinition/databases.shop.example.com"
	orders := kept("shop", "orders", "shop.example.com/cleanup")
	broad := granted("lax", mayWrite, "databases", "") + "---\n" + bound("lax",
		"{kind: Group, name: 'system:serviceaccounts'}")
	down := converting("", toConverter, "")
	ext := object("v1", "Namespace", "", "ext", "", "")
	text := strings.NewReplacer("{name: v0, served: true, storage: true}, {name: v1, served: true}",
		"{name: v1, served: true, storage: true}", "[v0]", "[v1]").Replace(down)
	return []checkCase{{
		name: "a conversion webhook without a backend", objects: []string{orders, broad, down, ext},
		want: []string{silent}, says: []string{"It has 1 object, stored in v0 and served in v0 and v1",
			"kube-controller-manager asks for v1", "Service ext/converter does not exist"},
	}, {
		name: "a conversion webhook without a backend, for objects in two versions", objects: []string{orders, broad,
			strings.Replace(down, "[v0]", "[v0, v1]", 1), ext},
		want: []string{silent}, says: []string{"stored in v0 and v1", "Likely"},
	}, {
		name: "a conversion webhook without a backend, for objects that are stored as they are read",
		objects: []string{orders, broad, strings.Replace(strings.Replace(down, "[v0]", "[v1]", 1),
			"storage: true}, {name: v1", "storage: false}, {name: v1, storage: true", 1), ext},
		want: []string{silent},
	}, {
		name: "a conversion webhook without a backend that nothing needs", objects: []string{orders, broad, text, ext},
	}, {
		name: "a conversion webhook without a backend of a kind without objects", objects: []string{configMap("notes", ""),
			down, ext},
	}, {
		name: "a conversion webhook that is called by URL", objects: []string{orders, broad,
			converting("", "{url: 'https://converter.example.net/convert'}", "")},
	}, {
		name: "a conversion webhook that answers", objects: []string{orders, broad, down, ext, serviceUp("ext", "converter")},
	}, {
		name: "a conversion webhook of which the backend may not be read", deny: "services", objects: []string{orders, broad,
			down, ext},
		says: []string{"It is not clear whether objects of databases.shop.example.com can be converted"},
	}, {
		name: "a conversion webhook of which the definition may not be read", deny: "customresourcedefinitions",
		objects: []string{orders, broad, down, ext},
		says:    []string{"It is not clear whether objects of databases.shop.example.com can be converted"},
	}}
}

// TestCheckReadsLittleOfWhatAnswers holds what a check reads of webhooks and conversions that answer to a Service and
// its EndpointSlices, once for each, and to a definition for each kind.
func TestCheckReadsLittleOfWhatAnswers(t *testing.T) {
	c := checkCase{objects: []string{
		configMap("notes", ""), guarding("guard", "'*'", "'*/*'", ""), guarding("other", "'*'", "'*'", ""), guardService(),
	}}
	reads := c.reads(t)
	for what, want := range map[string]int{"services shop/guard": 1, "endpointslices.discovery.k8s.io shop/": 1,
		"configmaps /": 1, "namespaces /": 1} {
		if got := len(slices.DeleteFunc(slices.Clone(reads), func(read string) bool { return read != what })); got != want {
			t.Errorf("%d × %s, want %d:\n%s", got, what, want, strings.Join(reads, "\n"))
		}
	}
}
