package diagnosis_test

import (
	"encoding/json"
	"fmt"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"testing"
	"time"
)

func storedCases() []whyCase {
	const key = "/registry/shop.example.com/databases/shop/db"
	unconverted := storageError("databases.shop.example.com", key,
		`conversion webhook for shop.example.com/v0, `+
			`Kind=Database failed: Post "https://converter.ext.svc:443/convert": service "converter" not found`)
	garbage := storageError("databases.shop.example.com", key, "invalid character 'o' in literal null")
	elsewhere := "storage is (re)initializing: failed to list <unspecified>: " + storageError("databases.shop.example.com",
		"/registry/shop.example.com/databases/other/db", "unknown key")
	fails := func(text string) string {
		return namespace(time.Hour, condition("NamespaceDeletionContentFailure", "True",
			"Failed to delete all resource types, 1 remaining: "+text))
	}
	database := func(meta string) string { return object("shop.example.com/v0", "Database", "shop", "db", meta, "") }
	conversion := []string{"ConversionWebhookUnavailable CustomResourceDefinition/databases.shop.example.com"}
	undecodable := []string{"UndecodableObject CustomResourceDefinition/databases.shop.example.com"}
	ext := object("v1", "Namespace", "", "ext", "", "")
	return []whyCase{{
		name: "namespace with an object that a missing webhook should convert", target: "namespaces/shop",
		verdict: result.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{fails(unconverted), converting("", toConverter, ""), ext, managerAlive()}, causes: conversion,
		says: []string{"Service ext/converter does not exist"}, remedy: "-n shop delete databases.v0.shop.example.com --all",
	}, {
		name:   "namespace with an object that a missing webhook should convert, looked at deeply",
		target: "namespaces/shop", deep: true,
		verdict: result.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{fails(unconverted), converting("", toConverter, ""), ext, managerAlive()}, causes: conversion,
		says: []string{"Service ext/converter does not exist"}, remedy: "-n shop delete databases.v0.shop.example.com --all",
	}, {
		name:   "namespace with an object that isn't converted, of a definition that is being deleted itself",
		target: "namespaces/shop", verdict: result.Undetermined, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{fails(unconverted), converting(deleted(time.Minute, "hold"), toConverter, ""), ext, managerAlive()},
		causes:  []string{"ControllerUnknown CustomResourceDefinition/databases.shop.example.com"},
		notes:   []string{"is itself being deleted"},
	}, {
		name:   "namespace with a held object that isn't converted, of a definition that is being deleted itself",
		target: "namespaces/shop", verdict: result.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{fails(unconverted), converting(deleted(time.Minute, "customresourcecleanup.apiextensions.k8s.io"),
			toConverter, ""), ext, managerAlive(), database(deleted(time.Minute, "shop.example.com/cleanup"))},
		causes: []string{"ControllerMissing Database/shop/db"},
	}, {
		name:   "namespace with an object that isn't converted, of a definition whose deletion needs that, too",
		target: "namespaces/shop", verdict: result.Stuck, damaged: map[string]string{"databases": unconverted},
		objects: []string{fails(unconverted), storing("v1, v0", deleted(time.Minute,
			"customresourcecleanup.apiextensions.k8s.io"), toConverter, fmt.Sprintf(", conditions: [{type: Terminating, "+
			"status: \"True\", reason: InstanceDeletionFailed, message: %q, lastTransitionTime: %q}]",
			"could not list instances: "+unconverted, at(time.Minute))), ext, managerAlive()},
		causes: conversion, notes: []string{"blocks that, too"},
	}, {
		name:   "namespace with an object that isn't converted, of a definition whose deletion may need that, too",
		target: "namespaces/shop", verdict: result.Undetermined, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{fails(unconverted), storing("v1, v0", deleted(time.Minute, "hold"), toConverter, ""), ext,
			managerAlive()},
		causes: []string{"ControllerUnknown CustomResourceDefinition/databases.shop.example.com"},
		notes:  []string{"may block that, too"},
	}, {
		name: "namespace with an object that isn't converted and another that a policy keeps", stated: true,
		target: "namespaces/shop", verdict: result.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{
			fails(`configmaps "Unknown" is forbidden: ValidatingAdmissionPolicy 'keep' with binding 'kept' denied ` +
				`request: it stays, ` + unconverted), configMap("key", ""),
			converting("", toConverter, ""), ext, managerAlive(),
			policy("request.operation != 'DELETE' || request.resource.resource != 'configmaps'"),
		},
		causes: append([]string{"AdmissionDenied ValidatingAdmissionPolicy/keep"}, conversion...),
		says:   []string{"ConfigMap shop/key"},
	}, {
		name:   "namespace without a word, because telling is refused, beside an object in another one that isn't converted",
		target: "namespaces/shop", verdict: result.Stuck,
		damaged: map[string]string{"v1/databases": "storage is (re)initializing: failed to list <unspecified>: " +
			strings.ReplaceAll(unconverted, "/shop/db", "/other/db")},
		objects: []string{namespace(5*time.Minute, ""), converting("", toConverter, ""), ext, managerAlive(),
			policy("request.resource.resource != 'namespaces' || request.subResource != 'status'")},
		causes: append([]string{"AdmissionDenied ValidatingAdmissionPolicy/keep"}, conversion...),
	}, {
		name: "namespace with an object that an older server can't convert", target: "namespaces/shop", verdict: result.Stuck,
		damaged: map[string]string{"v1/databases": `conversion webhook for shop.example.com/v0, ` +
			`Kind=Database failed: refused`},
		objects: []string{fails(`conversion webhook for shop.example.com/v0, Kind=Database failed: refused`),
			converting("", toConverter, ""), ext, managerAlive()}, causes: conversion,
	}, {
		name: "namespace with an object that a webhook fails to convert although it is up", target: "namespaces/shop",
		verdict: result.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{fails(unconverted), converting("", toConverter, ""), serviceUp("ext", "converter"), managerAlive()},
		causes:  conversion, says: []string{"The conversion fails"},
	}, {
		name: "namespace with an object that a webhook outside the cluster fails to convert", target: "namespaces/shop",
		verdict: result.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{fails(unconverted), converting("", "{url: https://convert.example.com}", ""), managerAlive()},
		causes:  conversion, says: []string{"https://convert.example.com"},
	}, {
		name: "namespace whose conversion fails, as somebody who may not read definitions", target: "namespaces/shop",
		verdict: result.Undetermined, damaged: map[string]string{"v1/databases": unconverted},
		deny:    "customresourcedefinitions",
		objects: []string{fails(unconverted), converting("", toConverter, ""), managerAlive()},
		says:    []string{"CustomResourceDefinition databases.shop.example.com"},
	}, {
		name: "namespace whose conversion failed, as somebody who may not read the object", target: "namespaces/shop",
		verdict: result.Undetermined, deny: "databases",
		objects: []string{fails(unconverted), converting("", toConverter, ""), managerAlive()},
		says:    []string{"Database shop/db"},
	}, {
		name: "namespace whose conversion works again", target: "namespaces/shop", verdict: result.Progressing,
		objects: []string{fails(unconverted), converting("", toConverter, ""), database(""), managerAlive()},
		says:    []string{"can be read again"},
	}, {
		name: "namespace whose objects can be read, and not deleted without the webhook", target: "namespaces/shop",
		verdict: result.Stuck, causes: conversion,
		objects: []string{fails(unconverted), storing("v0, v1", "", toConverter, ""), ext, database(""), managerAlive()},
		says:    []string{"but not changed or deleted: the API server must first convert it to v0"},
	}, {
		name: "namespace whose objects can be deleted, because the webhook answers again", target: "namespaces/shop",
		verdict: result.Progressing,
		objects: []string{fails(unconverted), storing("v0, v1", "", toConverter, ""), database(""), managerAlive(),
			serviceUp("ext", "converter")},
		says: []string{"can be read again"},
	}, {
		name: "namespace whose objects that could not be deleted are gone", target: "namespaces/shop",
		verdict: result.Progressing,
		objects: []string{fails(unconverted), storing("v0, v1", "", toConverter, ""), ext, managerAlive()},
		says:    []string{"or is gone"},
	}, {
		name: "namespace whose objects may need a webhook whose backend may not be read", target: "namespaces/shop",
		verdict: result.Undetermined, deny: "services",
		objects: []string{fails(unconverted), storing("v0, v1", "", toConverter, ""), ext, database(""), managerAlive()},
		says:    []string{"It is not clear whether CustomResourceDefinition databases.shop.example.com can convert"},
	}, {
		name: "namespace whose definition no longer converts through a webhook", target: "namespaces/shop",
		verdict: result.Progressing, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{fails(unconverted), converting("", "", ""), managerAlive()}, says: []string{"no longer converts"},
	}, {
		name: "namespace with an object that can't be decoded", target: "namespaces/shop", verdict: result.Stuck,
		damaged: map[string]string{"configmaps": storageError("configmaps", "/configmaps/shop/garbage",
			"illegal base64 data")},
		objects: []string{fails(storageError("configmaps", "/registry/configmaps/shop/garbage", "illegal base64 data")),
			managerAlive()},
		causes: []string{"UndecodableObject ConfigMap/shop/garbage"},
		says:   []string{"key /registry/configmaps/shop/garbage"}, remedy: "dryRun=All",
	}, {
		name: "namespace with an instance that can't be decoded", target: "namespaces/shop", verdict: result.Stuck,
		damaged: map[string]string{"databases": garbage},
		objects: []string{fails(garbage), converting("", "", ""), managerAlive()}, causes: undecodable, says: []string{key},
		remedy: "/apis/shop.example.com/v1/namespaces/shop/databases/db" +
			"?ignoreStoreReadErrorWithClusterBreakingPotential=true",
	}, {
		name: "namespace with two instances that can't be decoded", target: "namespaces/shop", verdict: result.Stuck,
		damaged: map[string]string{"databases": garbage},
		objects: []string{fails(garbage + ", " + storageError("databases.shop.example.com",
			"/registry/shop.example.com/databases/shop/other", "garbage")), converting("", "", ""), managerAlive()},
		causes: undecodable, says: []string{key, "databases/shop/other"}, remedy: "/databases/other?",
	}, {
		name: "namespace with a config map of which the key service is down", target: "namespaces/shop",
		verdict: result.Stuck, damaged: map[string]string{"configmaps": storageError("configmaps", "/configmaps/shop/sealed",
			"failed to decrypt DEK, error: rpc error: code = Unavailable")},
		objects: []string{fails(storageError("configmaps", "/registry/configmaps/shop/sealed",
			"failed to decrypt DEK, error: rpc error")), managerAlive()},
		causes: []string{"UndecodableObject ConfigMap/shop/sealed"}, remedy: "get configmaps/sealed",
	}, {
		name: "namespace with something under a storage key that says nothing", target: "namespaces/shop",
		verdict: result.Undetermined,
		objects: []string{fails(storageError("ghosts", "/registry/ghosts/x/y", "garbage")), managerAlive()},
		says:    []string{"/registry/ghosts/x/y"},
	}, {
		name: "namespace without a word, held by an object in another one that can't be decoded", target: "namespaces/shop",
		verdict: result.Stuck, damaged: map[string]string{"databases": elsewhere},
		objects: []string{namespace(5*time.Minute, ""), converting("", "", ""), managerAlive()}, causes: undecodable,
		says: []string{"Database other/db", "/registry/shop.example.com/databases/other/db"},
	}, {
		name: "namespace without a word, held by an object in another one that isn't converted", target: "namespaces/shop",
		verdict: result.Stuck,
		damaged: map[string]string{"v1/databases": "storage is (re)initializing: failed to list <unspecified>: " +
			strings.ReplaceAll(unconverted, "/shop/db", "/other/db")},
		objects: []string{namespace(5*time.Minute, ""), converting("", toConverter, ""), ext, managerAlive()},
		causes:  conversion, remedy: "get databases.v0.shop.example.com -A",
	}, {
		name:   "namespace without a word, held by an object in another one that isn't converted, looked at deeply",
		target: "namespaces/shop", deep: true, verdict: result.Stuck,
		damaged: map[string]string{"v1/databases": "storage is (re)initializing: failed to list <unspecified>: " +
			strings.ReplaceAll(unconverted, "/shop/db", "/other/db")},
		objects: []string{namespace(5*time.Minute, ""), converting("", toConverter, ""), ext, managerAlive()},
		causes:  conversion, remedy: "get databases.v0.shop.example.com -A",
	}, {
		name:   "namespace with conditions of an earlier look, held by an object in another one that can't be decoded",
		target: "namespaces/shop", verdict: result.Stuck, damaged: map[string]string{"databases": elsewhere},
		objects: []string{namespace(5*time.Minute, condition("NamespaceContentRemaining", "False",
			"All content successfully removed")), converting("", "", ""), managerAlive()}, causes: undecodable,
	}, {
		name: "namespace without a word because nobody works on it", target: "namespaces/shop", verdict: result.Stuck,
		damaged: map[string]string{"databases": elsewhere},
		objects: []string{namespace(5*time.Minute, ""), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "namespace without a word, as somebody who may not list what may hold it", target: "namespaces/shop",
		verdict: result.Undetermined, deny: "databases",
		objects: []string{namespace(5*time.Minute, ""), managerAlive()},
	}, {
		name:   "definition with an instance that can't be converted",
		target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", verdict: result.Stuck,
		damaged: map[string]string{"databases": unconverted},
		objects: []string{converting(deleted(time.Hour, "customresourcecleanup.apiextensions.k8s.io"), toConverter, ""), ext},
		causes:  conversion,
	}, {
		name:   "definition that reports an instance that can't be decoded",
		target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", verdict: result.Stuck,
		damaged: map[string]string{"v1/databases": garbage},
		objects: []string{converting(deleted(time.Hour, "customresourcecleanup.apiextensions.k8s.io"), "",
			fmt.Sprintf(", conditions: [{type: Terminating, status: \"True\", reason: InstanceDeletionFailed, message: %q, "+
				"lastTransitionTime: %q}]", "could not list instances: "+garbage, at(time.Hour)))},
		causes: undecodable,
	}, {
		name: "instance that can be read only as it is stored", target: "databases.shop.example.com/db",
		verdict: result.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{database(deleted(time.Hour, "shop.example.com/cleanup")), converting("", toConverter, ""), ext},
		causes:  conversion, remedy: "get databases.v0.shop.example.com",
	}, {
		name:   "instance that can be read only as it is stored, and that nobody has deleted",
		target: "databases.shop.example.com/db", verdict: result.NotTerminating,
		damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{database(""), converting("", toConverter, ""), ext},
	}, {
		name: "instance that can't be read at all for want of conversion", target: "databases.shop.example.com/db",
		verdict: result.Stuck, damaged: map[string]string{"databases": unconverted},
		objects: []string{converting("", toConverter, ""), ext}, causes: conversion,
		says: []string{"It is not clear whether it is being deleted"},
	}, {
		name: "config map that can't be decoded", target: "configmaps/garbage", verdict: result.Stuck,
		damaged: map[string]string{"configmaps": "Internal error occurred: StorageError: corrupt object, Code: 7, " +
			"Key: /configmaps/shop/garbage, ResourceVersion: 0, " +
			"AdditionalErrorMsg: object not decodable revision=3: illegal base64 data"},
		causes: []string{"UndecodableObject ConfigMap/shop/garbage"}, remedy: "/api/v1/namespaces/shop/configmaps/garbage?",
	}, {
		name: "instance that can't be decoded while the webhook of its kind is down", target: "databases.shop.example.com/db",
		verdict: result.Stuck, damaged: map[string]string{"databases": garbage},
		objects: []string{converting("", toConverter, ""), ext}, causes: undecodable,
	}, {
		name: "owner with a dependent that can be read only as it is stored", target: "configmaps/owner",
		verdict: result.Stuck, damaged: map[string]string{"v1/databases": unconverted},
		objects: []string{configMap("owner", deleted(time.Hour, "foregroundDeletion")), database(owned("owner", true)),
			converting("", toConverter, ""), ext, managerAlive()}, causes: conversion,
	}, {
		name: "owner whose dependents can't be seen for one that can't be decoded", target: "configmaps/owner",
		verdict: result.Stuck, damaged: map[string]string{"databases": garbage},
		objects: []string{configMap("owner", deleted(time.Hour, "foregroundDeletion")), converting("", "", ""),
			managerAlive()}, causes: undecodable,
	}, {
		name:   "owner deleted just now whose dependents can't be seen for one that can't be decoded",
		target: "configmaps/owner", verdict: result.Undetermined, damaged: map[string]string{"databases": garbage},
		objects: []string{configMap("owner", deleted(time.Second, "foregroundDeletion")), converting("", "", ""),
			managerAlive()}, says: []string{"databases.shop.example.com"},
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
		webhook := strings.Contains(strings.Join(c.objects, ""), "strategy: Webhook") ||
			strings.Contains(c.damaged["configmaps"], "DEK")
		if unsafe := strings.Contains(string(text), "ClusterBreakingPotential") || strings.Contains(string(text),
			"unsafe-delete"); unsafe && webhook {
			t.Errorf("%s: the unsafe delete is mentioned", c.name)
		}
	}
}
