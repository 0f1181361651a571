package mechanism

import (
	"fmt"
	"strings"
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
	podIs := func(ready, meta string) string {
		return manifest("v1", "Pod", "kube-system", "aws-ccm-5d9c7b6f-x2x4z", meta,
			`spec: {containers: [{name: c}]}`+"\n"+`status: {phase: Running, conditions: [{type: Ready, status: "`+ready+`"}]}`)
	}
	old := "labels: {app: ccm}, creationTimestamp: " + ago(time.Hour)
	scaled := func(replicas int) string {
		return manifest("apps/v1", "Deployment", "kube-system", "aws-ccm", "", fmt.Sprintf(
			"spec: {replicas: %d, selector: {matchLabels: {app: ccm}}}", replicas))
	}
	heldBy := func(holder string, renewed time.Duration) string {
		return strings.Replace(leaseOf("kube-system", session.CloudManager, renewed), "holderIdentity: me",
			"holderIdentity: "+holder, 1)
	}
	const ofPod = "aws-ccm-5d9c7b6f-x2x4z_1"
	failed := manifest("v1", "Event", "shop", "e", "", "involvedObject: {uid: service-web}\ntype: Warning\n"+
		"reason: SyncLoadBalancerFailed\nmessage: quota\nlastTimestamp: "+ago(time.Minute))
	node := manifest("v1", "Node", "", "n1", "", "spec: {providerID: 'aws:///eu-central-1a/i-1'}")
	deleting := manifest("v1", "Event", "shop", "d", "", "involvedObject: {uid: service-web}\ntype: Normal\n"+
		"reason: DeletingLoadBalancer\nsource: {component: service-controller}\nlastTimestamp: "+ago(time.Second))
	const lease = "Lease kube-system/cloud-controller-manager"
	down := []string{
		"wait Deployment kube-system/aws-ccm", "  cause ControllerDown CloudManagerNotRunning Deployment kube-system/aws-ccm",
	}
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
				"  cause ControllerDown CloudManagerNotRunning DaemonSet kube-system/aws-ccm",
			},
		},
		{
			name: "one with a pod, and without a Lease", objects: going + podIs("True", old),
			told: []string{"open LoadBalancerDue Service shop/web"},
		},
		{
			name: "one whose pod isn't ready, and whose Lease has run out", objects: going + stopped + podIs("False", old),
			told: []string{
				"wait Pod kube-system/aws-ccm-5d9c7b6f-x2x4z",
				"  cause ControllerDown CloudManagerNotRunning Pod kube-system/aws-ccm-5d9c7b6f-x2x4z",
			},
		},
		{
			name: "scaled to zero a moment ago", objects: service(time.Second) + scaled(0) + heldBy(ofPod, time.Second),
			told: down,
		},
		{
			name: "scaled to zero, and its pod is going", told: down,
			objects: service(time.Second) + scaled(0) + heldBy(ofPod, time.Minute) + podIs("True", "deletionTimestamp: "+ago(0)),
		},
		{
			name: "held in the name of a host", objects: service(time.Second) + scaled(0) + heldBy("host_1", time.Second),
			told: []string{"progress LoadBalancerDue Service shop/web"},
		},
		{
			name: "held by a pod that is out of sight", objects: service(time.Second) + heldBy(ofPod, time.Second),
			told: []string{"progress LoadBalancerDue Service shop/web"},
		},
		{
			name: "left by a pod of which nothing is there any more", objects: service(time.Second) + heldBy(ofPod,
				20*time.Second),
			told: []string{"wait " + lease, "  cause ControlPlaneDown CloudManagerDown " + lease},
		},
		{
			name: "held by a pod that may not be looked for", objects: service(time.Second) + heldBy(ofPod, time.Second),
			deny: "pods",
			told: []string{"progress LoadBalancerDue Service shop/web"},
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

// TestBalancerOfOwnController finds the program that makes the load balancers of a class, or set the finalizer; another
// one, and a class that no program is told, change nothing.
func TestBalancerOfOwnController(t *testing.T) {
	service := func(class, setter string) string {
		const finalizer = "service.kubernetes.io/load-balancer-cleanup"
		meta := deleted(time.Hour, finalizer)
		if setter != "" {
			meta += ", managedFields: [{manager: " + setter + ", operation: Update, apiVersion: v1, fieldsType: FieldsV1, " +
				"time: " + ago(2*time.Hour) + `, fieldsV1: {"f:metadata": {"f:finalizers": {"v:\"` + finalizer + `\"": {}}}}}]`
		}
		spec := "spec: {type: LoadBalancer}"
		if class != "" {
			spec = "spec: {type: LoadBalancer, loadBalancerClass: " + class + "}"
		}
		return manifest("v1", "Service", "shop", "web", meta, spec)
	}
	program := func(name, class string, replicas int) string {
		return manifest("v1", "ServiceAccount", name, name, "", "") +
			manifest("rbac.authorization.k8s.io/v1", "ClusterRole", "", name, "", "rules: [{apiGroups: [''], resources: "+
				"[services, services/status], verbs: [get, list, watch, update, patch]}]") +
			manifest("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "", name, "", "roleRef: {apiGroup: "+
				"rbac.authorization.k8s.io, kind: ClusterRole, name: "+name+"}\nsubjects: [{kind: ServiceAccount, name: "+name+
				", namespace: "+name+"}]") +
			manifest("apps/v1", "Deployment", name, name, "", fmt.Sprintf("spec: {replicas: %d, selector: {matchLabels: "+
				"{app: %s}}, template: {metadata: {labels: {app: %s}}, spec: {serviceAccountName: %s, containers: [{name: c, "+
				"image: c, args: ['--class=%s']}]}}}", replicas, name, name, name, class))
	}
	const mine, other = "example.com/fancy", "example.com/plain"
	missing := []string{"cause ControllerMissing CloudManagerMissing Service shop/web key CloudManagerMissing"}
	down := []string{
		"wait Deployment fancy/fancy", "  cause ControllerDown ControllerNotRunning Deployment fancy/fancy",
	}
	runCases(t, []mechanismCase{
		{name: "told the class", objects: service(mine, "") + program("fancy", mine, 0), told: down},
		{
			name: "beside another of another class", told: down,
			objects: service(mine, "") + program("fancy", mine, 0) + program("plain", other, 0),
		},
		{name: "no program is told the class", objects: service(mine, "") + program("plain", other, 0), told: missing},
		{
			name: "it runs", told: []string{"cause ControllerUnknown ControllerSilent Service shop/web key unidentified," +
				"service.kubernetes.io/load-balancer-cleanup,services,Deployment fancy/fancy"},
			objects: service(mine, "") + program("fancy", mine, 1) + manifest("v1", "Pod", "fancy", "fancy-1", "labels: "+
				"{app: fancy}", `spec: {serviceAccountName: fancy, containers: [{name: c}]}`+"\n"+
				`status: {phase: Running, conditions: [{type: Ready, status: "True"}]}`),
		},
		{
			name: "rights that may not be read", objects: service(mine, "") + program("fancy", mine, 0), deny: "clusterroles",
			told: []string{"cause ControllerUnknown FinalizerUnidentifiedWithoutReading Service shop/web key unidentified," +
				"service.kubernetes.io/load-balancer-cleanup,services"},
		},
		{
			name: "beside the cloud's, which is at 0, too", told: down,
			objects: service(mine, "") + program("fancy", mine, 0) + manifest("apps/v1", "DaemonSet", "kube-system", "aws-ccm",
				"", ""),
		},
		{
			name: "of the cloud's class, which is at 0", told: []string{
				"wait DaemonSet kube-system/aws-ccm",
				"  cause ControllerDown CloudManagerNotRunning DaemonSet kube-system/aws-ccm",
			},
			objects: service("", "") + program("fancy", mine, 0) + manifest("apps/v1", "DaemonSet", "kube-system", "aws-ccm",
				"", ""),
		},
		{
			name: "told the class, to create Services of it",
			told: []string{"cause ControllerUnknown ControllerByNameOnly Service shop/web key unidentified," +
				"service.kubernetes.io/load-balancer-cleanup,services,Deployment fancy/fancy"},
			objects: service(mine, "") + strings.Replace(program("fancy", mine, 0), "services/status", "endpoints", 1),
		},
		{name: "no class", objects: service("", "") + program("fancy", mine, 0), told: missing},
		{name: "the setter", objects: service("", "fancy") + program("fancy", mine, 0), told: down},
		{name: "set by hand", objects: service("", "kubectl-edit") + program("fancy", mine, 0), told: missing},
		{name: "set by the cloud's", objects: service("", "aws-cloud-controller-manager") + program("fancy", mine, 0),
			told: missing},
	})
}
