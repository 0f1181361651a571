package mechanism

import (
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

func TestLoadBalancerCleanup(t *testing.T) {
	const finalizer = "service.kubernetes.io/load-balancer-cleanup"
	service := func(age time.Duration) string {
		return manifest("v1", "Service", "shop", "web", deleted(age, finalizer), "")
	}
	going := service(time.Hour)
	runs := leaseOf("kube-system", session.CloudManager, time.Second)
	stopped := leaseOf("kube-system", session.CloudManager, time.Hour)
	pod := manifest("v1", "Pod", "kube-system", "aws-ccm-x", "", "")
	failed := manifest("v1", "Event", "shop", "e", "", "involvedObject: {uid: service-web}\ntype: Warning\n"+
		"reason: SyncLoadBalancerFailed\nmessage: quota\nlastTimestamp: "+ago(time.Minute))
	node := manifest("v1", "Node", "", "n1", "", "spec: {providerID: 'aws:///eu-central-1a/i-1'}")
	deleting := manifest("v1", "Event", "shop", "d", "", "involvedObject: {uid: service-web}\ntype: Normal\n"+
		"reason: DeletingLoadBalancer\nsource: {component: service-controller}\nlastTimestamp: "+ago(time.Second))
	const lease = "Lease kube-system/cloud-controller-manager"
	runCases(t, []mechanismCase{
		{
			name: "no cloud-controller-manager", objects: going,
			told: []string{"cause ControllerMissing CloudManagerMissing Service shop/web key CloudManagerMissing"},
		},
		{
			name: "one out of sight, just after the deletion", objects: service(time.Minute) + node,
			told: []string{"open LoadBalancerDueOutside Service shop/web"},
		},
		{
			name: "one out of sight that has said what it does", objects: service(time.Minute) + node + deleting,
			told: []string{"progress LoadBalancerDue Service shop/web"},
		},
		{
			name: "one out of sight, an hour after the deletion", objects: going + node,
			told: []string{"cause ControllerMissing CloudManagerMissing Service shop/web key CloudManagerMissing"},
		},
		{name: "nodes that may not be listed", objects: going + node, deny: "nodes"},
		{
			name: "one that has stopped", objects: going + stopped,
			told: []string{"wait " + lease, "  cause ControlPlaneDown CloudManagerDown " + lease},
		},
		{
			name: "one without pods", objects: going + manifest("apps/v1", "DaemonSet", "kube-system", "aws-ccm", "", ""),
			told: []string{
				"wait DaemonSet kube-system/aws-ccm",
				"  cause ControllerDown CloudManagerPodless DaemonSet kube-system/aws-ccm",
			},
		},
		{
			name: "one with a pod, and without a Lease", objects: going + pod,
			told: []string{"open LoadBalancerDue Service shop/web"},
		},
		{
			name: "just deleted", objects: service(time.Minute) + runs,
			told: []string{"progress LoadBalancerDue Service shop/web"},
		},
		{
			name: "an error", objects: going + runs + failed,
			told: []string{"cause ControllerFailing LoadBalancerFails Service shop/web"},
		},
		{name: "Leases that may not be read", objects: going + runs, deny: "leases"},
		{name: "pods that may not be read", objects: going, deny: "pods"},
		{name: "events that may not be read", objects: going + runs + failed, deny: "events"},
	})
}
