package diagnosis_test

import (
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// misspeltCases are finalizers whose name resembles one of the catalogue.
func misspeltCases() []whyCase {
	const orders = "databases.shop.example.com/orders"
	by := func(manager, finalizer string) string {
		entry := managed(manager, time.Hour, `{"f:metadata": {"f:finalizers": {'v:"`+finalizer+`"': {}}}}`)
		return "managedFields: [" + entry + "]"
	}
	typo := func(managers string) string {
		meta := deleted(time.Hour, "foregroundDeletetion") + managers
		return object("shop.example.com/v1", "Database", "shop", "orders", meta, "")
	}
	runs := []string{
		granted("shop-operator", mayWrite, "databases", "ops/shop-operator"),
		program("ops", "shop-operator", "shop-operator", 1, podIsReady),
	}
	odd := object("shop.example.com/v1", "Database", "shop", "orders",
		deleted(time.Hour, "shop.example.com/claenup")+", "+by("kubectl-edit", "shop.example.com/claenup"), "")
	beside := func(manager, name string) string {
		return object("shop.example.com/v1", "Database", "shop", "users",
			"finalizers: [shop.example.com/"+name+"], "+by(manager, "shop.example.com/"+name), "")
	}
	return []whyCase{{
		name: "claim with a misspelt finalizer of Kubernetes", target: "persistentvolumeclaims/data",
		verdict: report.Stuck, sure: "Likely", stated: true,
		objects: []string{claim(deleted(time.Hour, "kubernetes.io/pvc-protecton"))},
		causes:  []string{"ControllerMissing PersistentVolumeClaim/shop/data"},
		says:    []string{"probably a misspelling of kubernetes.io/pvc-protection"},
		remedy:  "--finalizer kubernetes.io/pvc-protecton",
	}, {
		name: "custom resource with a misspelt finalizer that a person set, and an operator that runs", target: orders,
		verdict: report.Stuck, sure: "Likely", stated: true,
		objects: append(slices.Clone(runs), typo(", "+by("kubectl-edit", "foregroundDeletetion"))),
		causes:  []string{"ControllerMissing Database/shop/orders"},
		says:    []string{"probably a misspelling of foregroundDeletion"},
	}, {
		name: "custom resource with a finalizer that its operator itself misspells", target: orders,
		verdict: report.Undetermined,
		objects: append(slices.Clone(runs), typo(", "+by("shop-operator", "foregroundDeletetion"))),
		causes:  []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "finalizer that resembles one of another kind", target: "configmaps/held", verdict: report.Undetermined,
		objects: []string{configMap("held", deleted(time.Hour, "kubernetes.io/pvc-protecton"))},
		causes:  []string{"ControllerUnknown ConfigMap/shop/held"},
	}, {
		name: "finalizer that a person misspelt, of Kubernetes' own on another kind", target: "configmaps/held",
		verdict: report.Stuck, sure: "Likely", stated: true,
		objects: []string{configMap("held", deleted(time.Hour, "kubernetes.io/pvc-protecton")+", "+
			by("kubectl-edit", "kubernetes.io/pvc-protecton"))},
		causes: []string{"ControllerMissing ConfigMap/shop/held"},
		says: []string{
			"probably a misspelling of kubernetes.io/pvc-protection", "objects of the kind PersistentVolumeClaim",
		},
	}, {
		name: "finalizer that a person misspelt, and that other objects have", target: orders,
		verdict: report.Stuck, sure: "Likely",
		objects: append(slices.Clone(runs), odd, beside("shop-operator", "cleanup")),
		causes:  []string{"ControllerMissing Database/shop/orders"},
		says:    []string{"probably a misspelling of shop.example.com/cleanup, which Database shop/users has"},
		remedy:  "--finalizer shop.example.com/claenup",
	}, {
		name: "finalizer of a person, of which another version is on other objects", target: orders,
		verdict: report.Undetermined,
		objects: append(slices.Clone(runs), odd, beside("shop-operator", "cleanup-v2")),
		causes:  []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "two finalizers of persons, each on one object, that are like one another", target: orders,
		verdict: report.Undetermined,
		objects: append(slices.Clone(runs), odd, beside("kubectl-edit", "cleanup")),
		causes:  []string{"ControllerUnknown Database/shop/orders"},
	}}
}
