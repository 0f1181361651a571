package diagnosis_test

import (
	"context"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// reviewer stands for a server whose authorizers answer every question about rights alike.
type reviewer struct {
	answer func() (allowed bool, said string, err error)
}

func (r reviewer) Review(
	context.Context, string, []string, string, cluster.Resource, string, string,
) (bool, string, error) {
	return r.answer()
}

// attributionCases are those of sources that few clusters have, and of authorizers that reading can't ask.
func attributionCases() []whyCase {
	const orders = "databases.shop.example.com/orders"
	writes := granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator)
	reads := granted("shop-operator", mayRead, "databases", theOperator)
	alive := operatorPod(podIsReady)
	converted := object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "databases.shop.example.com", "",
		"spec: {group: shop.example.com, scope: Namespaced, names: {plural: databases, kind: Database}, versions: "+
			"[{name: v1, served: true, storage: true}], conversion: {strategy: Webhook, webhook: {clientConfig: {service: "+
			"{namespace: backend, name: hooks, port: 443}}}}}")
	behind := object("v1", "Service", "backend", "hooks", "", "spec: {selector: {app: gate}, ports: [{port: 443}]}")
	runs := func(kind, namespace, name, labels string) string {
		return object("apps/v1", kind, namespace, name, "",
			"spec: {replicas: 0, template: {metadata: {labels: {"+labels+"}}, spec: {serviceAccountName: gate}}}")
	}
	setByShop := "managedFields: [" + managed("shop-engine", 48*time.Hour, setsFinalizer) + "]"
	return []whyCase{{
		name: "custom resource whose kind's conversion webhook leads to a workload without a telling name", target: orders,
		verdict: result.Stuck,
		objects: []string{database(time.Hour, "", ""), converted, behind, runs("Deployment", "backend", "gate", "app: gate"),
			runs("Deployment", "backend", "other", "app: other")},
		causes: []string{"ControllerDown Deployment/backend/gate"},
	}, {
		name: "custom resource whose kind's conversion webhook stands in a namespace with others", target: orders,
		verdict: result.Stuck,
		objects: []string{database(time.Hour, "", ""), converted, behind, runs("Deployment", "backend", "other",
			"app: other")},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "custom resource whose API group's own server leads to a workload", target: orders, verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "", ""), behind, runs("StatefulSet", "backend", "gate", "app: gate"),
			object("apiregistration.k8s.io/v1", "APIService", "", "v1.shop.example.com", "",
				"spec: {group: shop.example.com, version: v1, service: {namespace: backend, name: hooks, port: 443}}"),
		},
		causes: []string{"ControllerDown StatefulSet/backend/gate"},
	}, {
		name: "custom resource whose finalizer was set by a program that a StatefulSet has the name of", target: orders,
		verdict: result.Stuck, sure: finding.Likely,
		objects: []string{database(time.Hour, setByShop, ""), runs("StatefulSet", "ops", "shop-engine", "app: x")},
		causes:  []string{"ControllerDown StatefulSet/ops/shop-engine"},
	}, {
		name: "custom resource whose finalizer was set by a program that a DaemonSet's namespace goes by", target: orders,
		verdict: result.Stuck,
		objects: []string{database(time.Hour, setByShop, ""), runs("DaemonSet", "shop", "log-agent", "app: x")},
		causes:  []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "custom resource whose operator may only read the kind, as the API server confirms", target: orders,
		verdict: result.Stuck,
		objects: []string{database(time.Hour, "", ""), reads, operator(1, ""), alive},
		review:  func() (bool, string, error) { return false, "no opinion", nil },
		causes:  []string{"ControllerForbidden Database/shop/orders"},
		says:    []string{"which runs but is not allowed to remove the finalizer"},
	}, {
		name: "custom resource whose operator another authorizer than RBAC lets update it", target: orders,
		verdict: result.Undetermined,
		objects: []string{database(time.Hour, "", ""), reads, operator(1, ""), alive},
		review:  func() (bool, string, error) { return true, "allowed by the webhook", nil },
		causes:  []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "custom resource whose operator RBAC lets update it, and another authorizer doesn't", target: orders,
		verdict: result.Stuck,
		objects: []string{database(time.Hour, "", ""), writes, operator(1, ""), alive},
		review:  func() (bool, string, error) { return false, "denied by the webhook", nil },
		causes:  []string{"ControllerForbidden Database/shop/orders"},
		says:    []string{"which runs but is not allowed to remove the finalizer"},
	}, {
		name: "custom resource whose operator may only read the kind, and you may ask for no review", target: orders,
		verdict: result.Stuck,
		objects: []string{database(time.Hour, "", ""), reads, operator(1, ""), alive},
		review: func() (bool, string, error) {
			return false, "", apierrors.NewForbidden(schema.GroupResource{Group: "authorization.k8s.io",
				Resource: "subjectaccessreviews"}, "", errors.New("denied by the test"))
		},
		causes: []string{"ControllerForbidden Database/shop/orders"},
	}, {
		name: "custom resource that nobody may write, and nobody but people ever did", target: orders, verdict: result.Stuck,
		sure: finding.Proven,
		objects: []string{database(time.Hour, "managedFields: ["+managed("kubectl-create", 48*time.Hour, setsFinalizer)+"]",
			"")},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "custom resource that nobody may write, and of which a program set the finalizer", target: orders,
		verdict: result.Stuck, sure: finding.Likely,
		objects: []string{database(time.Hour, "managedFields: ["+managed("hub-agent", 48*time.Hour, setsFinalizer)+"]", "")},
		causes:  []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "custom resource that nobody may write, and of which a program wrote the status", target: orders,
		verdict: result.Stuck, sure: finding.Likely,
		objects: []string{database(time.Hour, "managedFields: ["+managed("manager", 20*time.Minute,
			`{"f:status": {"f:phase": {}}}`)+"]", "status: {phase: Deleting}")},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "custom resource whose operator's account is gone, as which the finalizer was set", target: orders,
		verdict: result.Stuck, sure: finding.Proven,
		objects: []string{database(time.Hour, "managedFields: ["+managed("shop-operator", 48*time.Hour, setsFinalizer)+"]",
			""), writes},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "custom resource whose operator's account is gone, and to which somebody else wrote since", target: orders,
		verdict: result.Stuck, sure: finding.Likely,
		objects: []string{database(time.Hour, "managedFields: ["+managed("hub-agent", 20*time.Minute, setsFinalizer)+"]", ""),
			writes},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "custom resource whose operator goes with its namespace, its pod last", target: orders, verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "", ""), writes, operator(1, ""), account("shop-operator"),
			object("v1", "Namespace", "", "shop-system", deleted(20*time.Second), "spec: {finalizers: [kubernetes]}"),
			object("v1", "Pod", "shop-system", "shop-operator-1",
				deleted(10*time.Second)+", labels: {app: shop-operator}, deletionGracePeriodSeconds: 30",
				"spec: {nodeName: n1, serviceAccountName: shop-operator}\nstatus: {phase: Running}"),
		},
		causes: []string{"ControllerMissing Database/shop/orders"},
		says:   []string{"whose namespace shop-system is being deleted"},
	}, {
		name: "custom resource whose operator's only pod is being replaced", target: orders, verdict: result.Progressing,
		objects: []string{
			database(time.Hour, "", ""), writes, operator(1, ""), account("shop-operator"),
			object("v1", "Namespace", "", "shop-system", "", "spec: {finalizers: [kubernetes]}"),
			object("v1", "Pod", "shop-system", "shop-operator-1",
				deleted(10*time.Second)+", labels: {app: shop-operator}, deletionGracePeriodSeconds: 30",
				"spec: {nodeName: n1, serviceAccountName: shop-operator}\nstatus: {phase: Running}"), node("n1", "True", ""),
		},
	}}
}
