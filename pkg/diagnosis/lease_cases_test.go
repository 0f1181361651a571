package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
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
	}}
}
