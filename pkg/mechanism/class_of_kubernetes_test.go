package mechanism

import (
	"fmt"
	"testing"
	"time"
)

// TestIngressOfClass finds the program that is told the controller of an Ingress's class, and no other.
func TestIngressOfClass(t *testing.T) {
	const networking = "networking.k8s.io/v1"
	ingress := func(meta, spec string) string {
		return manifest(networking, "Ingress", "shop", "web", deleted(time.Hour, "edge.acme.test/routes")+meta, spec)
	}
	named := ingress("", "spec: {ingressClassName: acme}")
	annotated := ingress(", annotations: {kubernetes.io/ingress.class: acme}", "spec: {}")
	class := manifest(networking, "IngressClass", "", "acme", "", "spec: {controller: acme.test/edge}")
	gateway := func(told string) string {
		return manifest("v1", "ServiceAccount", "ops", "gateway", "", "") +
			manifest("rbac.authorization.k8s.io/v1", "ClusterRole", "", "gateway", "", "rules: [{apiGroups: "+
				"[networking.k8s.io], resources: [ingresses, ingresses/status], verbs: [get, list, watch, update, patch]}]") +
			manifest("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "", "gateway", "", "roleRef: {apiGroup: "+
				"rbac.authorization.k8s.io, kind: ClusterRole, name: gateway}\nsubjects: [{kind: ServiceAccount, "+
				"name: gateway, namespace: ops}]") +
			manifest("apps/v1", "Deployment", "ops", "gateway", "", fmt.Sprintf("spec: {replicas: 0, selector: "+
				"{matchLabels: {app: g}}, template: {metadata: {labels: {app: g}}, spec: {serviceAccountName: gateway, "+
				"containers: [{name: c, image: c, args: ['--controller=%s']}]}}}", told))
	}
	const mine, other = "acme.test/edge", "plain.test/edge"
	down := []string{"wait Deployment ops/gateway", "  cause ControllerDown ControllerNotRunning Deployment ops/gateway"}
	const unknown = "cause ControllerUnknown "
	unidentified := []string{unknown + "NothingOfProject Ingress shop/web key unidentified,edge.acme.test/routes," +
		"ingresses.networking.k8s.io"}
	runCases(t, []mechanismCase{
		{name: "told the controller of the class", objects: named + class + gateway(mine), told: down},
		{name: "the class as an annotation", objects: annotated + class + gateway(mine), told: down},
		{name: "told another", objects: named + class + gateway(other), told: unidentified},
		{name: "no such class", objects: named + gateway(mine), told: unidentified},
		{name: "a class that can't be read", objects: named + class + gateway(mine), deny: "ingressclasses",
			told: []string{unknown + "FinalizerUnidentifiedWithoutReading Ingress shop/web key unidentified," +
				"edge.acme.test/routes,ingresses.networking.k8s.io"}},
	})
}
