package mechanism

import (
	"strings"
	"testing"
	"time"
)

func TestDeclaredUse(t *testing.T) {
	const version = "store.example.com/v1"
	item := manifest(version, "Item", "shop", "disk",
		deleted(time.Hour, "store.example.com/cleanup")+", labels: {tier: gold}", "")
	inUse := strings.Replace(item, "/cleanup", "/in-use", 1)
	operates := strings.NewReplacer("shop-operator", "store-operator", "shop-system",
		"store-system").Replace(operator("items"))
	usage := func(meta, spec string) string {
		return manifest(version, "Usage", "shop", "keep", meta, "spec: {"+spec+"}")
	}
	app := manifest(version, "App", "shop", "site", "", "spec: {itemRef: {name: disk}}")
	const of, by = "of: {apiVersion: store.example.com/v1, kind: Item, resourceRef: {name: disk}}",
		", by: {kind: App, name: site}"
	silent := []string{"cause ControllerUnknown ControllerSilent Item shop/disk key " +
		"unidentified,store.example.com/cleanup,items.store.example.com,Deployment store-system/store-operator"}
	user := []string{"wait Usage shop/keep", "  wait App shop/site",
		"    cause StillInUse UserByDeclaration App shop/site " +
			"key UserByDeclaration,store.example.com/cleanup,Item shop/disk,apps.store.example.com"}
	stands := []string{"wait Usage shop/keep", "  cause StillInUse UseDeclared Usage shop/keep " +
		"key UseDeclared,store.example.com/cleanup,Item shop/disk,usages.store.example.com"}
	runCases(t, []mechanismCase{
		{name: "a user", objects: item + operates + usage("", of+by) + app, told: user},
		{name: "a user in a reference of its own", told: user,
			objects: item + operates + app +
				usage("", of+", by: {apiVersion: store.example.com/v1, kind: App, resourceRef: {name: site}}")},
		{name: "flat", objects: item + operates + app +
			usage("", "target: {kind: Item, name: disk, namespace: shop}, user: {kind: App, name: site}"), told: user},
		{name: "by labels", objects: item + operates + app +
			usage("", "of: {kind: Item, resourceSelector: {matchLabels: {tier: gold}}}"+by), told: user},
		{name: "a user that is gone", objects: item + operates + usage("", of+by), told: stands},
		{name: "no user", objects: item + operates + usage("", of+", reason: it is precious"), told: stands},
		{name: "a user that is going", told: user[:2], objects: item + operates + usage("", of+by) +
			strings.Replace(app, "uid: app-site", "uid: app-site, "+deleted(time.Hour, "x"), 1)},
		{name: "a declaration that is going", told: user[:1], objects: item + operates + usage(deleted(time.Hour, "x"),
			of+by) + app},
		{name: "the held object is the user", told: silent,
			objects: item + operates + app + usage("", "of: {kind: App, name: site}, by: {kind: Item, name: disk}")},
		{name: "another object", objects: item + operates + app + usage("", strings.ReplaceAll(of, "disk", "tape")+by),
			told: silent},
		{name: "another namespace", objects: item + operates + app +
			usage("", "of: {kind: Item, name: disk, namespace: other}"), told: silent},
		{name: "another group", objects: item + operates + app + usage("", strings.ReplaceAll(of, "store.example",
			"shop.example")+by), told: silent},
		{name: "a reference, and a finalizer of something else", objects: item + operates + app, told: silent},
		{name: "a reference, and a finalizer that speaks of use", objects: inUse + operates + app,
			told: []string{"wait App shop/site",
				"  cause StillInUse RefersToHeld App shop/site key RefersToHeld,store.example.com/in-use,Item " +
					"shop/disk,apps.store.example.com,spec.itemRef"}},
		{name: "a controller that is down", objects: item + usage("", of+by) + app +
			strings.NewReplacer("kube-system", "store-system", "karpenter",
				"store-operator").Replace(karpenter(0)+rights("kube-system", "items")),
			told: []string{"wait Deployment store-system/store-operator",
				"  cause ControllerDown ControllerNotRunning Deployment store-system/store-operator"}},
		{name: "declarations that may not be read", objects: item + operates + usage("", of+by) + app, deny: "usages"},
	})
	denied := ask(t, item+operates+usage("", of+by)+app, "apps")
	if otherwise := denied.Waits[0].Otherwise; !unread(otherwise) {
		t.Errorf("told %q of a user that may not be read", told(otherwise))
	}
}
