package diagnosis_test

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// balancerVoices are load balancers' controllers, which report under names of their own.
func balancerVoices() []whyCase {
	const refused = "Failed deploy model: AccessDenied: not authorized to perform DeleteLoadBalancer"
	cloud := func(reporter, reason, words string) string {
		return warned("shop", "service-web", reason, reporter, words, time.Minute)
	}
	service := func(finalizer string) string {
		return object("v1", "Service", "shop", "web", deleted(time.Hour, finalizer), "spec: {type: LoadBalancer}")
	}
	deployed := object("apps/v1", "Deployment", "kube-system", "aws-load-balancer-controller", "",
		"spec: {replicas: 1, template: {metadata: {labels: {app.kubernetes.io/name: aws-load-balancer-controller}}, spec: "+
			"{serviceAccountName: lbc}}}")
	runs := object("v1", "Pod", "kube-system", "aws-load-balancer-controller-1", "",
		"spec: {nodeName: n1, serviceAccountName: lbc}\nstatus: {"+podIsReady+"}")
	failing := []string{"ControllerFailing Service/shop/web"}
	return []whyCase{{
		name:   "service whose load balancer's controller is refused by its cloud, and reports by a short name",
		target: "services/web", verdict: result.Stuck,
		objects: []string{service("service.k8s.aws/resources"), deployed, runs, cloud("service", "FailedDeployModel",
			refused)}, causes: failing, says: []string{"AccessDenied"},
	}, {
		name: "service of whose load balancer another controller reports", target: "services/web",
		verdict: result.Undetermined,
		objects: []string{service("service.k8s.aws/resources"), deployed, runs, cloud("endpoint-slice-controller",
			"FailedToUpdate", refused)},
	}, {
		name: "service whose load balancer's hosted controller is refused by its cloud", target: "services/web",
		verdict: result.Stuck,
		objects: []string{service("gke.networking.io/l4-ilb-v2"), cloud("loadbalancer-controller", "DeleteFailed", refused)},
		causes:  failing,
	}, {
		name: "service whose cloud's hosted controller reports, of which nothing else is seen", target: "services/web",
		verdict: result.Stuck,
		objects: []string{balanced(time.Hour), cloud("service-controller", "UnAuthorized", refused)}, causes: failing,
	}, {
		name: "service whose cloud's controller lost a race for a write", target: "services/web",
		verdict: result.Undetermined,
		objects: []string{balanced(time.Hour), cloudManager(time.Second),
			cloud("service-controller", "SyncLoadBalancerFailed", lostRace)},
	}, {
		name: "service whose cloud's controller is denied to patch it", target: "services/web", verdict: result.Stuck,
		sure: finding.Proven,
		objects: []string{
			balanced(time.Hour), cloudManager(time.Second),
			cloud("service-controller", "SyncLoadBalancerFailed",
				`services "web" is forbidden: User "system:serviceaccount:kube-system:ccm" cannot patch resource "services" in `+
					`API group "" in the namespace "shop"`),
		},
		causes: []string{"ControllerForbidden Service/shop/web"},
		remedy: "-n shop auth can-i patch services --as system:serviceaccount:kube-system:ccm",
	}}
}
