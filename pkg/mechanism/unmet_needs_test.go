package mechanism

import (
	"strings"
	"testing"
	"time"
)

// velero is Velero in a namespace, with the right to update its Restores.
func velero(namespace string) string {
	return strings.NewReplacer("kube-system", namespace, "karpenter", "velero").Replace(
		karpenter(1) + rights("kube-system", "restores"))
}

func restoreIn(namespace string) string {
	return manifest("velero.io/v1", "Restore", namespace, "back",
		deleted(time.Hour, "restores.velero.io/external-resources-finalizer"), "spec: {backupName: nightly}")
}

func TestUnmetNeeds(t *testing.T) {
	const version, namespace = "velero.io/v1", "velero"
	backup := manifest(version, "Backup", namespace, "nightly", "", "spec: {storageLocation: store}")
	location := func(phase string) string {
		return manifest(version, "BackupStorageLocation", namespace, "store", "",
			"status: {phase: "+phase+", message: no route}")
	}
	all := restoreIn(namespace) + velero(namespace) + backup
	silent := []string{"open KnownFinalizer Restore velero/back key KnownFinalizer," +
		"restores.velero.io/external-resources-finalizer,velero,the restore's files in the backup storage are deleted"}
	unmet := []string{"cause ControllerFailing NeedUnmet Restore velero/back key unmet," +
		"restores.velero.io/external-resources-finalizer,restores.velero.io,Deployment velero/velero,," +
		"BackupStorageLocation velero/store"}
	runCases(t, []mechanismCase{
		{name: "in another state", objects: all + location("Unavailable"), told: unmet},
		{name: "in no state yet", objects: all + manifest(version, "BackupStorageLocation", namespace, "store", "", ""),
			told: unmet},
		{name: "in the state", objects: all + location("Available"), told: silent},
		{name: "gone", objects: all, told: silent},
		{name: "what leads there is gone", objects: restoreIn(namespace) + velero(namespace) + location("Unavailable"),
			told: silent},
		{name: "in another namespace", objects: all + strings.ReplaceAll(location("Unavailable"), `"velero"`, `"other"`),
			told: silent},
		{name: "may not be read", objects: all + location("Unavailable"), deny: "backupstoragelocations"},
		{name: "no controller", objects: restoreIn(namespace) + backup + location("Unavailable"),
			told: []string{"cause ControllerMissing KnownControllerMissing Restore velero/back " +
				"key missing controller,Velero,velero"}},
	})
}

// TestOwnNamespace wants a program that acts in its own namespace alone to be no object's controller elsewhere.
func TestOwnNamespace(t *testing.T) {
	const missing = "cause ControllerMissing KnownControllerMissing Restore shop/back key missing controller,"
	elsewhere := missing + "restores.velero.io/external-resources-finalizer,restores.velero.io"
	silent := []string{"open KnownFinalizer Restore shop/back key KnownFinalizer," +
		"restores.velero.io/external-resources-finalizer,velero,the restore's files in the backup storage are deleted"}
	told := strings.Replace(velero("velero"), "serviceAccountName: velero}}}",
		"serviceAccountName: velero, containers: [{name: velero, args: [--namespace=shop]}]}}}", 1)
	runCases(t, []mechanismCase{
		{name: "in its own", objects: restoreIn("shop") + velero("shop"), told: silent},
		{name: "in another", objects: restoreIn("shop") + velero("velero"), told: []string{elsewhere}},
		{name: "in another, as it was told", objects: restoreIn("shop") + told, told: silent},
		{name: "one in each", objects: restoreIn("shop") + velero("velero") + velero("shop"), told: silent},
	})
}
