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
	}}
}
