package preview_test

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
)

// driver is a CSI driver that is registered, so that it may run.
func driver() string { return object("storage.k8s.io/v1", "CSIDriver", "/csi.example.com", "", "") }

// driverCases delete a claim whose volume should be deleted with it, where the storage driver is there, and where it
// isn't.
func driverCases() []previewCase {
	const data = "persistentvolumeclaims/data"
	other := strings.NewReplacer("disk", "second", "claim-data", "claim-more", "name: data", "name: more")
	stopped := object("apps/v1", "Deployment", "kube-system/driver", "",
		"spec: {replicas: 0, selector: {matchLabels: {app: driver}}, template: {spec: {containers: ["+
			"{name: csi-provisioner, image: csi-provisioner}, "+
			"{name: driver, image: d, args: [--drivername=csi.example.com]}]}}}")
	return []previewCase{
		{name: "a claim whose storage driver may run", target: data, objects: append(running(), claim(), volume("Delete"),
			driver()), outcome: result.WouldGo, goes: data, never: "LEFT BEHIND",
			says: []string{"Data would be lost for good.", "so csi.example.com has to delete its storage"}},
		{name: "a claim whose storage driver isn't there", target: data, outcome: result.WouldGo, goes: data,
			objects: append(running(), claim(), volume("Delete")), never: "would be lost", says: []string{
				"would finish. PersistentVolume disk would stay, with its storage, until its driver runs. Data may then be lost",
				"\nWOULD BE LEFT BEHIND\n", "no part of its storage driver csi.example.com is visible in this cluster",
				`"Retain"`}},
		{name: "a claim whose storage driver is scaled to nothing", target: data, outcome: result.WouldGo, goes: data,
			objects: append(running(), claim(), volume("Delete"), driver(), stopped), says: []string{
				"PersistentVolume disk would stay", "Deployment kube-system/driver", "is not running", `"Retain"`}},
		{name: "a claim whose volume is kept, without a driver", target: data, outcome: result.WouldGo, goes: data,
			objects: append(running(), claim(), volume("Retain")), never: "driver",
			says: []string{"with its data (reclaim policy Retain)"}},
		{name: "two claims whose storage driver isn't there", target: "namespaces/shop", outcome: result.WouldGo,
			objects: append(running(), namespace(), claim(), volume("Delete"), other.Replace(claim()),
				other.Replace(volume("Delete"))), goes: data + " persistentvolumeclaims/more namespaces/shop",
			says: []string{"PersistentVolume second would stay, with their storage, until their driver runs."}},
	}
}
