package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// leaseCases are about a Lease that was renewed a moment ago, of a controller that nothing else shows.
func leaseCases() []whyCase {
	const pod, lease = "driver-64d788746d-5kl9w", "external-attacher-leader-disk-csi-example-com"
	held := func(holder string) string {
		return strings.Replace(leads(lease, "driver", 2*time.Second), "driver-5d9c7-x2xzk", holder, 1)
	}
	detaching := func(status string, others ...string) []string {
		return append([]string{attachment(deleted(time.Minute, attacherHolds), status)}, others...)
	}
	failed := fmt.Sprintf("detachError: {message: the disk is busy, time: %q}", at(4*time.Second))
	missing := []string{"ControllerMissing VolumeAttachment/att"}
	laptop := func(ago time.Duration) string {
		return object("coordination.k8s.io/v1", "Lease", "shop-system", "shop-operator", "", fmt.Sprintf(
			"spec: {holderIdentity: laptop_1, leaseDurationSeconds: 15, renewTime: %q}", noonBefore(ago)))
	}
	renewed := func(memory *clustertest.Memory) {
		memory.Remove("Lease", "shop-operator")
		if err := memory.Add(laptop(0)); err != nil {
			panic(err)
		}
	}
	atZero := []string{
		database(time.Hour, "", ""), operator(0, ""), account("shop-operator"), laptop(2 * time.Second),
		granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator),
	}
	return []whyCase{{
		name:    "attachment whose attacher was killed a moment ago, and has left its Lease",
		target:  "volumeattachments.storage.k8s.io/att",
		objects: detaching("", held(pod+"_1")), verdict: result.Stuck, causes: missing, sure: finding.Likely,
	}, {
		name:    "attachment of which its attacher complained before it was killed",
		target:  "volumeattachments.storage.k8s.io/att",
		objects: detaching(failed, held(pod)), verdict: result.Stuck, causes: missing,
	}, {
		name: "attachment whose attacher leads from another namespace", target: "volumeattachments.storage.k8s.io/att",
		objects: detaching("", held(pod), object("v1", "Pod", "elsewhere", pod, "", "spec: {containers: [{name: main}]}")),
		verdict: result.Undetermined,
	}, {
		name: "attachment whose attacher leads by the name of its node", target: "volumeattachments.storage.k8s.io/att",
		objects: detaching("", held(pod), node(pod, "True", "")), verdict: result.Undetermined,
	}, {
		name: "attachment whose attacher leads by the name of some host", target: "volumeattachments.storage.k8s.io/att",
		objects: detaching("", held("laptop")), verdict: result.Undetermined,
	}, {
		name: "custom resource whose operator is at 0, and whose Lease a laptop renews", objects: atZero, meanwhile: renewed,
		target: "databases.shop.example.com/orders", verdict: result.Undetermined,
		causes: []string{"ControllerUnknown Database/shop/orders"}, says: []string{"program of ServiceAccount"},
	}, {
		name: "custom resource whose operator is at 0, and whose Lease was renewed a moment ago", objects: atZero,
		target: "databases.shop.example.com/orders", verdict: result.Stuck,
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"},
	}}
}
