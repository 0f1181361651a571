package diagnosis_test

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"slices"
	"time"
)

// misspeltCases are finalizers whose name resembles one of the catalogue.
func misspeltCases() []whyCase {
	const orders = "databases.shop.example.com/orders"
	by := setBy
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
		verdict: result.Stuck, sure: "Likely", stated: true,
		objects: []string{claim(deleted(time.Hour, "kubernetes.io/pvc-protecton"))},
		causes:  []string{"ControllerMissing PersistentVolumeClaim/shop/data"},
		says:    []string{"probably a misspelling of kubernetes.io/pvc-protection"},
		remedy:  "--finalizer kubernetes.io/pvc-protecton",
	}, {
		name: "custom resource with a misspelt finalizer that a person set, and an operator that runs", target: orders,
		verdict: result.Stuck, sure: "Likely", stated: true,
		objects: append(slices.Clone(runs), typo(", "+by("kubectl-edit", "foregroundDeletetion"))),
		causes:  []string{"ControllerMissing Database/shop/orders"},
		says:    []string{"probably a misspelling of foregroundDeletion"},
	}, {
		name: "custom resource with a finalizer that its operator itself misspells", target: orders,
		verdict: result.Undetermined,
		objects: append(slices.Clone(runs), typo(", "+by("shop-operator", "foregroundDeletetion"))),
		causes:  []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "finalizer that resembles one of another kind", target: "configmaps/held", verdict: result.Undetermined,
		objects: []string{configMap("held", deleted(time.Hour, "kubernetes.io/pvc-protecton"))},
		causes:  []string{"ControllerUnknown ConfigMap/shop/held"},
	}, {
		name: "finalizer that a person misspelt, of Kubernetes' own on another kind", target: "configmaps/held",
		verdict: result.Stuck, sure: "Likely", stated: true,
		objects: []string{configMap("held", deleted(time.Hour, "kubernetes.io/pvc-protecton")+", "+
			by("kubectl-edit", "kubernetes.io/pvc-protecton"))},
		causes: []string{"ControllerMissing ConfigMap/shop/held"},
		says: []string{
			"probably a misspelling of kubernetes.io/pvc-protection", "objects of the kind PersistentVolumeClaim",
		},
	}}
}

// setBy is the managedFields entry of who set a finalizer.
func setBy(manager, finalizer string) string {
	entry := managed(manager, time.Hour, `{"f:metadata": {"f:finalizers": {'v:"`+finalizer+`"': {}}}}`)
	return "managedFields: [" + entry + "]"
}

// checkMisspeltCases are live objects with misspelt finalizers, beside an operator that is at 0.
func checkMisspeltCases() []checkCase {
	down := []string{
		granted("shop-operator", mayWrite, "databases", theOperator), account("shop-operator"), operator(0, ""),
	}
	database := func(name, manager, finalizer string) string {
		finalizer = "shop.example.com/" + finalizer
		return object("shop.example.com/v1", "Database", "shop", name,
			"finalizers: ["+finalizer+"], "+setBy(manager, finalizer), "")
	}
	const isDown, misspelt = "Warning ControllerDown Database/shop/", "Warning ControllerMissing Database/shop/"
	return []checkCase{{
		name: "live claim with a misspelt finalizer of Kubernetes",
		objects: []string{claim("finalizers: [kubernetes.io/pvc-protecton], " +
			setBy("kubectl-edit", "kubernetes.io/pvc-protecton"))},
		want: []string{"Warning ControllerMissing PersistentVolumeClaim/shop/data"},
		says: []string{"probably a misspelling of kubernetes.io/pvc-protection", "Correct the name"},
	}, {
		name: "live object of another kind with a misspelt finalizer of Kubernetes",
		objects: []string{configMap("held", "finalizers: [kubernetes.io/pvc-protecton], "+
			setBy("kubectl-edit", "kubernetes.io/pvc-protecton"))},
		want: []string{"Warning ControllerMissing ConfigMap/shop/held"},
		says: []string{"Remove the name from the manifest",
			"is removed from objects of the kind PersistentVolumeClaim alone"},
	}, {
		name: "live object with a finalizer that a person misspelt, and that the operator sets on others",
		objects: append(slices.Clone(down), database("orders", "kubectl-edit", "claenup"),
			database("users", "shop-operator", "cleanup")),
		want: []string{isDown + "users", misspelt + "orders"},
		says: []string{"probably a misspelling of shop.example.com/cleanup", "Correct the name to shop.example.com/cleanup"},
	}, {
		name: "live object with a finalizer that a person misspelt, and that more objects have",
		objects: append(slices.Clone(down), database("orders", "kubectl-edit", "claenup"),
			database("users", "kubectl-edit", "cleanup"), database("wishes", "kubectl-edit", "cleanup")),
		want: []string{isDown + "users × 2", misspelt + "orders"},
	}, {
		name: "live objects with two finalizers of persons that are like one another",
		objects: append(slices.Clone(down), database("orders", "kubectl-edit", "claenup"),
			database("users", "kubectl-edit", "cleanup")),
		want: []string{isDown + "orders", isDown + "users"},
	}, {
		name: "live objects with another version of a finalizer, which a person set",
		objects: append(slices.Clone(down), database("orders", "kubectl-edit", "cleanup-v2"),
			database("users", "shop-operator", "cleanup")),
		want: []string{isDown + "orders", isDown + "users"},
	}, {
		name: "live object with a finalizer like another one, which the operator set itself",
		objects: append(slices.Clone(down), database("orders", "shop-operator", "claenup"),
			database("users", "shop-operator", "cleanup")),
		want: []string{isDown + "orders", isDown + "users"},
	}}
}
