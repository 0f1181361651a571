package diagnosis_test

import (
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// toldCases are objects that say why they wait in a field of their own, which only the catalogue knows.
func toldCases() []whyCase {
	const daily = "volumesnapshots.snapshot.storage.k8s.io/daily"
	snapshot := func(written time.Duration) string {
		return object(snapshots, "VolumeSnapshot", "shop", "daily",
			deleted(time.Hour, "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection")+", managedFields: ["+managed(
				"snapshot-controller", written, `{"f:status": {"f:error": {}}}`)+"]",
			"status: {error: {message: failed to delete the snapshot}}")
	}
	deployed := object("apps/v1", "Deployment", "kube-system", "snapshot-controller", "",
		"spec: {replicas: 1, template: {spec: {serviceAccountName: snapshot-controller}}}")
	runs := object("v1", "Pod", "kube-system", "snapshot-controller-1", "",
		"spec: {nodeName: n1, serviceAccountName: snapshot-controller}\nstatus: {"+podIsReady+"}")
	rights := strings.ReplaceAll(granted("snapshot-controller", mayWrite, "'*'", "kube-system/snapshot-controller"),
		"shop.example.com", "snapshot.storage.k8s.io")
	return []whyCase{{
		name: "snapshot whose controller says in a field of its own what fails", target: daily, verdict: result.Stuck,
		sure:    finding.Likely,
		objects: []string{snapshot(30 * time.Minute), deployed, runs, rights},
		causes:  []string{"ControllerFailing VolumeSnapshot/shop/daily"}, says: []string{`"failed to delete the snapshot"`},
	}, {
		name: "snapshot whose controller said before the deletion what failed", target: daily, verdict: result.Undetermined,
		objects: []string{snapshot(2 * time.Hour), deployed, runs, rights},
		notes:   []string{"error: failed to delete the snapshot"},
	}}
}
