package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// ownedBy is the reference to an owner that is a custom resource.
func ownedBy(kind, name string) string {
	return fmt.Sprintf("ownerReferences: [{apiVersion: x/v1, kind: %s, name: %s, uid: %s-%s, controller: true}]",
		kind, name, strings.ToLower(kind), name)
}

// machine is a custom resource of a program that runs virtual machines.
func machine(kind, name, meta, rest string) string {
	return object("virt.example.net/v1", kind, "shop", name, meta, rest)
}

// namedWaitCases are about an object that a controller names in what it reports, and that waits for another controller.
func namedWaitCases() []whyCase {
	const orders, hour = "databases.shop.example.com/orders", time.Hour
	reports := database(hour, "", `status: {observedGeneration: 2, conditions: [{type: Ready, status: "False", `+
		`reason: DropFailed, message: "failed to drop: bucket logs is still in use"}]}`) + "---\n" +
		granted("shop-operator", mayWrite, "databases", theOperator) + "---\n" + operator(1, "") + "---\n" +
		operatorPod(podIsReady)
	logs := infra("Bucket", "shop", "logs", 50*time.Minute, "", "")
	down := []string{"ControllerDown Deployment/infra-system/infra-operator"}
	return []whyCase{{
		name: "below: named in what the controller reports, and stuck", target: orders, verdict: result.Stuck,
		sure: finding.Likely, objects: []string{reports, logs, infraOperator(0)}, causes: down,
	}, {
		name: "below: named in what the controller reports, and it can't be seen who should act", target: orders,
		verdict: result.Undetermined, deny: "deployments",
		objects: []string{reports, logs, infraOperator(0)}, causes: []string{"ControllerUnknown Bucket/shop/logs"},
		notes: []string{"bucket logs is still in use"},
	}, {
		name: "below: named in what the controller reports, and nothing keeps it", target: orders, verdict: result.Stuck,
		objects: []string{reports, strings.Replace(logs, "infra.example.net/empty", "", 1)},
		causes:  []string{"ControllerFailing Database/shop/orders"},
	}}
}

// belowMachineCases are about a pod that is two owners below an object.
func belowMachineCases() []whyCase {
	const virtual, hour = "virtualmachines.virt.example.net/web", time.Hour
	virtOperator := strings.ReplaceAll(infraOperator(1), "infra", "virt")
	launcher := object("v1", "Pod", "shop", "launcher",
		fmt.Sprintf("deletionTimestamp: %q, deletionGracePeriodSeconds: 30, %s", at(50*time.Minute),
			ownedBy("VirtualMachineInstance", "web")), "spec: {nodeName: n1}")
	grace := object("v1", "Pod", "shop", "launcher",
		fmt.Sprintf("deletionTimestamp: %q, deletionGracePeriodSeconds: 30, %s", at(-20*time.Second),
			ownedBy("VirtualMachineInstance", "web")), "spec: {nodeName: n1}")
	dead, ready := node("n1", "Unknown", ""), node("n1", "True", "")+"---\n"+lease("kube-node-lease", "n1", time.Second)
	return []whyCase{{
		name: "below: a pod on a dead node, two owners down", target: virtual, verdict: result.Stuck, sure: finding.Likely,
		objects: []string{
			virtOperator, machine("VirtualMachine", "web", deleted(hour, "virt.example.net/x"), ""),
			machine("VirtualMachineInstance", "web",
				deleted(hour, "virt.example.net/x")+", "+ownedBy("VirtualMachine", "web"), ""),
			launcher, dead,
		},
		causes: []string{"NodeNotReady Node/n1"},
	}, {
		name: "below: a pod on a dead node, below what nobody has deleted", target: virtual, verdict: result.Stuck,
		sure: finding.Likely,
		objects: []string{
			virtOperator, machine("VirtualMachine", "web", deleted(hour, "virt.example.net/x"), ""),
			machine("VirtualMachineInstance", "web", ownedBy("VirtualMachine", "web"), ""), launcher, dead,
		},
		causes: []string{"NodeNotReady Node/n1"},
		notes:  []string{"not deleted; its ownerReferences name VirtualMachine shop/web"},
	}, {
		name: "below: a pod within its grace period, below what nobody has deleted", target: virtual,
		verdict: result.Undetermined,
		objects: []string{
			virtOperator, machine("VirtualMachine", "web", deleted(hour, "virt.example.net/x"), ""),
			machine("VirtualMachineInstance", "web", ownedBy("VirtualMachine", "web"), ""), grace, ready,
		},
		causes: []string{"ControllerUnknown VirtualMachine/shop/web"},
	}}
}
