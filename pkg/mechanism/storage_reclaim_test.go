package mechanism

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// made are the annotations of a volume that csi.example.com has made.
const made = "annotations: {pv.kubernetes.io/provisioned-by: csi.example.com}"

// boundVolume is a volume of claim shop/data.
func boundVolume(meta, spec string) string {
	return manifest("v1", "PersistentVolume", "", "pv-1", meta, "spec: {"+boundTo+", "+spec+"}\nstatus: {phase: Bound}")
}

// TestVolumeOfClaim says what comes after the deletion of a claim that a pod uses: its volume may stay.
func TestVolumeOfClaim(t *testing.T) {
	const csi, toDelete = "csi: {driver: csi.example.com, volumeHandle: v}, ", "persistentVolumeReclaimPolicy: Delete"
	claim := manifest("v1", "PersistentVolumeClaim", "shop", "data", deleted(time.Hour, "kubernetes.io/pvc-protection"),
		"spec: {volumeName: pv-1}") + manifest("v1", "Pod", "shop", "web", deleted(time.Minute, "x.example.com/y"),
		"spec: {nodeName: n1, volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]}")
	volume := boundVolume(made, csi+toDelete)
	stays := "later VolumeStaysLater PersistentVolume pv-1 key VolumeStaysLater,csi.example.com"
	runCases(t, both("wait Pod shop/web", []mechanismCase{
		{name: "no volume", objects: claim},
		{name: "no driver", objects: claim + volume, told: []string{stays}},
		{name: "a driver", objects: claim + volume + csiDriver()},
		{name: "drivers that may not be read", objects: claim + volume, deny: "csidrivers"},
		{name: "volumes that may not be read", objects: claim + volume, deny: "persistentvolumes"},
		{name: "a volume that is kept", objects: claim + strings.Replace(volume, "Delete", "Retain", 1)},
		{name: "a volume that was made by hand", objects: claim + boundVolume("", csi+toDelete)},
		{name: "a volume of another program", objects: claim + boundVolume(made, "hostPath: {path: /x}, "+toDelete)},
		{name: "a volume of a plugin that is a driver now", told: []string{stays}, objects: claim + boundVolume(
			"annotations: {pv.kubernetes.io/migrated-to: csi.example.com}", "hostPath: {path: /x}, "+toDelete)},
		{name: "the volume of another claim", objects: claim + strings.Replace(volume, "-data}", "-other}", 1)},
		{name: "a volume that is being deleted", objects: claim + boundVolume(deleted(time.Hour, provisionerFinalizer)+", "+
			made, csi+toDelete), told: []string{
			"later DriverComesLater PersistentVolume pv-1 key DriverComesLater,csi.example.com"}},
		{name: "one whose driver may not be read", deny: "csidrivers", objects: claim + boundVolume(
			deleted(time.Hour, provisionerFinalizer)+", "+made, csi+toDelete), told: []string{
			"later DriverPerhapsLater PersistentVolume pv-1 key DriverPerhapsLater,csi.example.com"}},
	}))
}

// both has each of some cases say something else first.
func both(first string, cases []mechanismCase) []mechanismCase {
	for i := range cases {
		cases[i].told = append([]string{first}, cases[i].told...)
	}
	return cases
}

// TestAttachmentOfMissingDriver has a volume whose driver isn't there wait for its attachments, too, and the last
// resort name them.
func TestAttachmentOfMissingDriver(t *testing.T) {
	released := deletedVolume(provisionerFinalizer, "csi: {driver: csi.example.com, volumeHandle: v}, "+
		"persistentVolumeReclaimPolicy: Delete", "Released")
	going := attachmentOf("a", deleted(time.Minute, "external-attacher/csi-example-com"), "attached: true")
	for _, c := range []struct {
		name, objects, deny string
		named               []string
	}{
		{name: "none", objects: released},
		{name: "one", objects: released + going, named: []string{"a"}},
		{name: "attachments that may not be read", objects: released + going, deny: "volumeattachments"},
	} {
		answer := ask(t, c.objects, strings.Fields(c.deny)...)
		var waits, named []string
		for _, wait := range answer.Waits {
			waits = append(waits, wait.Blocker.Ref.Name)
		}
		remedies := answer.Causes[0].Remedies
		for _, attachment := range remedies[len(remedies)-1].Details.(finding.VolumeDetails).Attachments {
			named = append(named, attachment.Name)
		}
		if diff := cmp.Diff([][]string{c.named, c.named}, [][]string{waits, named}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
