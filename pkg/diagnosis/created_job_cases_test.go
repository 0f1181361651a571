package diagnosis_test

import (
	"fmt"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// createdJobCases are about Jobs of what is being deleted: when they were created, and whether they can have a pod.
func createdJobCases() []whyCase {
	const orders = "databases.shop.example.com/orders"
	with := func(created time.Duration, more ...string) []string {
		return append([]string{
			database(time.Hour, "", ""), program("ops", "keeper", "keeper", 1, podIsReady),
			granted("keeper", mayWrite, "databases, databases/finalizers", "ops/keeper"),
			object("batch/v1", "Job", "shop", "wipe", fmt.Sprintf("creationTimestamp: %q, ownerReferences: [{apiVersion: "+
				"shop.example.com/v1, kind: Database, name: orders, uid: database-orders, controller: true}]", at(created)),
				"spec: {selector: {matchLabels: {app: wipe}}, template: {metadata: {labels: {app: wipe}}, spec: {}}}"),
		}, more...)
	}
	refused := object("v1", "Event", "shop", "wipe.1", "", fmt.Sprintf("involvedObject: {uid: job-wipe}\ntype: Warning\n"+
		"reason: FailedCreate\nmessage: 'pods \"x\" is forbidden: exceeded quota: tight'\nlastTimestamp: %q",
		at(10*time.Second)))
	pod := object("v1", "Pod", "shop", "wipe-1", "labels: {app: wipe}, ownerReferences: "+
		"[{apiVersion: batch/v1, kind: Job, name: wipe, uid: job-wipe, controller: true}]",
		"spec: {nodeName: n1}\nstatus: {"+podIsReady+"}")
	unknown := []string{"ControllerUnknown Database/shop/orders"}
	return []whyCase{{
		name: "job created for what is being deleted, without a pod", target: orders, verdict: result.Stuck,
		sure: finding.Likely, objects: with(50*time.Minute, refused), causes: []string{"StillInUse Job/shop/wipe"},
	}, {
		name: "job created for what is being deleted, with a pod", target: orders, verdict: result.Undetermined,
		objects: with(50*time.Minute, pod), causes: unknown,
	}, {
		name: "job created before the deletion, without a pod", target: orders, verdict: result.Undetermined,
		objects: with(2*time.Hour, refused), causes: unknown,
	}}
}
