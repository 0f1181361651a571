package diagnosis_test

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"time"
)

func serviceRange(name, meta string, cidrs ...string) string {
	return object("networking.k8s.io/v1", "ServiceCIDR", "", name, meta, "spec: {cidrs: ['"+strings.Join(cidrs,
		"', '")+"']}")
}

func rangeDeleted(ago time.Duration) string {
	return serviceRange("extra", deleted(ago, "networking.k8s.io/service-cidr-finalizer"), "10.9.0.0/24", "fd00:9::/120")
}

// address belongs to a Service of shop.
func address(ip, service string, age time.Duration) string {
	quoted := "'" + ip + "'"
	return strings.Replace(object("networking.k8s.io/v1", "IPAddress", "", quoted,
		"labels: {ipaddress.kubernetes.io/managed-by: ipallocator.k8s.io}, creationTimestamp: '"+at(age)+"'",
		"spec: {parentRef: {resource: services, namespace: shop, name: "+service+"}}"), "uid: ipaddress-"+quoted,
		"uid: 'ipaddress-"+ip+"'", 1)
}

func service(name, meta string) string { return object("v1", "Service", "shop", name, meta, "") }

func balanced(ago time.Duration) string {
	return object("v1", "Service", "shop", "web", deleted(ago, "service.kubernetes.io/load-balancer-cleanup"),
		"status: {loadBalancer: {ingress: [{ip: 192.0.2.1}]}}")
}

func cloudManager(renewed time.Duration) string {
	return lease("kube-system", "cloud-controller-manager", renewed)
}

func rangeCases() []whyCase {
	const target = "servicecidrs.networking.k8s.io/extra"
	return []whyCase{{
		name: "range of addresses that Services have", target: target, verdict: result.Stuck,
		objects: []string{
			rangeDeleted(time.Hour), serviceRange("kubernetes", "", "10.0.0.0/16"),
			address("10.9.0.7", "web", time.Hour), address("10.9.0.8", "db", time.Hour), address("10.0.0.1", "else", time.Hour),
			address("10.9.0.0", "first", time.Hour), address("10.9.0.255", "last", time.Hour),
			service("web", ""), service("db", ""), service("else", ""), service("first", ""), service("last", ""),
		},
		causes: []string{"StillInUse Service/shop/db × 2"}, remedy: "-n shop delete services/db",
	}, {
		name: "range of addresses of the newer family", target: target, verdict: result.Stuck,
		objects: []string{rangeDeleted(time.Hour), address("fd00:9::ff", "web", time.Hour), service("web", "")},
		causes:  []string{"StillInUse Service/shop/web"}, says: []string{"fd00:9::ff"},
	}, {
		name: "range of an address whose Service waits for a cloud", target: target, verdict: result.Stuck,
		objects: []string{rangeDeleted(time.Hour), address("10.9.0.7", "web", time.Hour), balanced(time.Hour)},
		causes:  []string{"ControllerMissing Service/shop/web"},
	}, {
		name: "range that lies in another", target: target, verdict: result.Undetermined,
		objects: []string{
			rangeDeleted(time.Hour), serviceRange("all", "", "10.0.0.0/8", "fd00::/16"), address("10.9.0.7", "web", time.Hour),
			service("web", ""), managerAlive(),
		},
		says: []string{"no address depends on it"},
	}, {
		name: "range of which a half lies in another", target: target, verdict: result.Stuck,
		objects: []string{
			rangeDeleted(time.Hour), serviceRange("half", "", "10.9.0.0/25"), address("10.9.0.7", "inside", time.Hour),
			address("10.9.0.200", "web", time.Hour),
			service("inside", ""), service("web", ""),
		},
		causes: []string{"StillInUse Service/shop/web"},
	}, {
		name: "range without addresses, just deleted", target: target, verdict: result.Progressing,
		objects: []string{rangeDeleted(4 * time.Second), managerAlive()}, says: []string{"10s"},
	}, {
		name: "range without addresses, and the controller manager is dead", target: target, verdict: result.Stuck,
		objects: []string{rangeDeleted(time.Hour), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "range of an address whose Service has just gone", target: target, verdict: result.Progressing,
		objects: []string{rangeDeleted(time.Hour), address("10.9.0.7", "gone", 30*time.Second)},
		says:    []string{"which no longer exists"},
	}, {
		name: "range of an address whose Service is long gone", target: target, verdict: result.Undetermined,
		objects: []string{rangeDeleted(time.Hour), address("10.9.0.7", "gone", time.Hour)},
	}, {
		name: "range, and addresses may not be listed", target: target, verdict: result.Undetermined, deny: "ipaddresses",
		objects: []string{rangeDeleted(time.Hour), managerDead()}, says: []string{"IPAddresses could not be read"},
	}, {
		name: "range, and Services may not be read", target: target, verdict: result.Undetermined, deny: "services",
		objects: []string{rangeDeleted(time.Hour), address("10.9.0.7", "web", time.Hour)},
		says:    []string{"services shop/web could not be read"},
	}}
}

func balancerCases() []whyCase {
	return []whyCase{{
		name: "service whose cloud has no controller", target: "services/web", verdict: result.Stuck,
		objects: []string{balanced(time.Hour)},
		causes:  []string{"ControllerMissing Service/shop/web"}, says: []string{"cloud-controller-manager"},
		remedy: "finalizers remove services/web --context test -n shop",
	}, {
		name: "service whose cloud's controller is down", target: "services/web", verdict: result.Stuck,
		objects: []string{balanced(time.Hour), cloudManager(2 * time.Hour)},
		causes:  []string{"ControlPlaneDown Lease/kube-system/cloud-controller-manager"},
	}, {
		name: "service whose cloud's controller has no pods", target: "services/web", verdict: result.Stuck,
		objects: []string{balanced(time.Hour), object("apps/v1", "DaemonSet", "kube-system", "aws-cloud-controller-manager",
			"", "")},
		causes: []string{"ControllerDown DaemonSet/kube-system/aws-cloud-controller-manager"},
	}, {
		name: "service whose cloud's controller has no Lease and says nothing", target: "services/web",
		verdict: result.Undetermined,
		objects: []string{balanced(time.Hour), object("v1", "Pod", "kube-system", "metal-ccm-x", "",
			"status: {conditions: [{type: Ready, status: \"True\"}]}")},
	}, {
		name: "service whose cloud refuses", target: "services/web", verdict: result.Stuck,
		objects: []string{
			balanced(time.Hour), cloudManager(time.Second),
			warned("shop", "service-web", "SyncLoadBalancerFailed", "service-controller",
				"Error syncing load balancer: failed to delete load balancer: it is in use", time.Minute),
		},
		causes: []string{"ControllerFailing Service/shop/web"}, says: []string{"it is in use"},
	}, {
		name: "service whose cloud is at it", target: "services/web", verdict: result.Progressing,
		objects: []string{balanced(time.Minute), cloudManager(time.Second)},
	}, {
		name: "service whose cloud says nothing", target: "services/web", verdict: result.Undetermined,
		objects: []string{balanced(time.Hour), cloudManager(time.Second)},
		says:    []string{"has not yet deleted the Service's load balancer and reports no error"},
	}, {
		name: "service whose cloud's words may not be read", target: "services/web", verdict: result.Undetermined,
		deny:    "events",
		objects: []string{balanced(time.Hour), cloudManager(time.Second)},
		says:    []string{"events in Namespace shop could not be read"},
	}, {
		name: "service, and Leases may not be read", target: "services/web", verdict: result.Undetermined, deny: "leases",
		objects: []string{balanced(time.Hour)}, says: []string{"Lease kube-system/cloud-controller-manager"},
	}, {
		name: "service, and pods may not be listed", target: "services/web", verdict: result.Undetermined, deny: "pods",
		objects: []string{balanced(time.Hour)}, says: []string{"pods in Namespace kube-system could not be read"},
	}}
}
