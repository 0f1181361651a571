package diagnosis_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// kept is a live database with a finalizer.
func kept(namespace, name, finalizer string) string {
	return object("shop.example.com/v1", "Database", namespace, name, "finalizers: ["+finalizer+"]", "")
}

// checkControllerCases are live objects whose finalizers' controllers are missing, down, forbidden, at work,
// and not to be told.
func checkControllerCases() []checkCase {
	const cleanup, missing = "shop.example.com/cleanup", "Warning ControllerMissing Database/shop/orders"
	orders := kept("shop", "orders", cleanup)
	writes := granted("shop-operator", mayWrite, "databases", theOperator)
	reads := granted("shop-operator", mayRead, "databases", theOperator)
	here := object("rbac.authorization.k8s.io/v1", "Role", "a", "local", "",
		"rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: [update]}]") + "---\n" +
		object("rbac.authorization.k8s.io/v1", "RoleBinding", "a", "local", "",
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: local}\n"+
				"subjects: [{kind: ServiceAccount, namespace: shop-system, name: shop-operator}]")

	alive := strings.Replace(operatorPod(podIsReady), "ownerReferences: [", "x: [", 1)
	return []checkCase{{
		name:    "live objects whose operator's account is gone",
		objects: []string{orders, kept("shop", "second", cleanup), writes},
		want:    []string{missing + " × 2"},
		says:    []string{"will get stuck when it is deleted", "its namespace no longer exists"},
	}, {
		name:    "live objects whose operator is down",
		objects: []string{orders, kept("shop", "second", cleanup), writes, account("shop-operator"), operator(0, "")},
		want:    []string{"Warning ControllerDown Database/shop/orders × 2"},
		says:    []string{"will probably get stuck", "is scaled to 0", "scale deployments.apps/shop-operator"},
	}, {
		name: "live objects whose operator may not write",
		objects: []string{
			orders, reads, account("shop-operator"), operator(1, ""), alive,
			granted("status", mayWrite, "databases/status", theOperator),
		},
		want: []string{"Warning ControllerForbidden Database/shop/orders"}, says: []string{"auth can-i patch"},
	}, {
		name: "live objects whose controller would delete what they have created", objects: []string{
			object("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "shop", "apps", "finalizers: [finalizers.fluxcd.io]", ""),
		},
		want: []string{"Warning ControllerMissing Kustomization/shop/apps"}, says: []string{"Install kustomize-controller"},
		notSays: []string{"As soon as kustomize-controller acts"}, // which is true of a deletion that was requested
	}, {
		name:    "live objects whose operator runs",
		objects: []string{orders, writes, account("shop-operator"), operator(1, ""), alive},
	}, {
		name: "live objects that every program may write",
		objects: []string{
			orders, granted("lax", mayWrite, "databases"), bound("lax", "{kind: Group, name: 'system:serviceaccounts'}"),
		},
	}, {
		name:    "live objects of Kubernetes' own kinds with a finalizer that nobody knows",
		objects: []string{configMap("x", "finalizers: [example.com/hold]")},
	}, {
		name: "live objects of which those in one namespace have an operator", objects: []string{
			kept("a", "one", cleanup), kept("b", "two", cleanup), kept("c", "three", cleanup), here,
			account("shop-operator"), operator(1, ""), alive,
		},
		want: []string{"Warning ControllerForbidden Database/b/two × 2"},
	}, {
		name: "live objects that are being deleted", objects: []string{database(time.Minute, "", ""), writes},
		says: []string{"1 of the checked objects is already Terminating.", "kubectl finalizers list --context test -A"},
	}, {
		name: "live objects of a kind whose rights can't be read", deny: "clusterroles", objects: []string{orders, writes},
		says: []string{"the RBAC rules could not be read"},
	}}
}

// TestCheckIsBounded looks for the controllers of those sorts of finalizers alone that most objects have, and
// names the rest.
func TestCheckIsBounded(t *testing.T) {
	const sorts = 80
	var objects []string
	for sort := range sorts {
		for i := range 2 {
			objects = append(objects,
				kept("shop", fmt.Sprintf("database-%02d-%d", sort, i), fmt.Sprintf("shop.example.com/f%02d", sort)))
		}
	}
	result := checkCase{objects: append(objects, kept("shop", "rare", "shop.example.com/rare"))}.check(t, "")
	if len(result.Findings) != 64 {
		t.Errorf("%d findings", len(result.Findings))
	}
	if text := strings.Join(result.Notes, " "); !strings.Contains(text, "and 14 more") {
		t.Errorf("what was not asked is not said: %s", text)
	}
}
