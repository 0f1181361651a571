package mechanism

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

func TestAwaitReclaim(t *testing.T) {
	released := manifest("v1", "PersistentVolume", "", "disk", "",
		"spec: {persistentVolumeReclaimPolicy: Delete, csi: {driver: csi.example.com}}\nstatus: {phase: Released}")
	byDriver := manifest("v1", "PersistentVolume", "", "disk", made,
		"spec: {persistentVolumeReclaimPolicy: Delete, csi: {driver: csi.example.com}}\nstatus: {phase: Released}")
	failed := strings.Replace(released, "phase: Released", "phase: Failed, message: the disk is locked", 1)
	event := manifest("v1", "Event", "default", "e", "", "involvedObject: {uid: persistentvolume-disk}\ntype: Warning\n"+
		"reason: VolumeFailedDelete\nmessage: quota of snapshots\nsource: {component: csi.example.com}\nlastTimestamp: "+ago(
		time.Minute))
	claim := manifest("v1", "PersistentVolumeClaim", "shop", "data", "",
		"spec: {volumeName: disk}\nstatus: {phase: Lost}") +
		manifest("v1", "Namespace", "", "shop", "", "")
	for _, c := range []struct{ name, objects, deny, says, words string }{
		{name: "an event", objects: released + event, says: "ReclaimReported", words: "quota of snapshots"},
		{name: "the volume's own words", objects: failed, says: "ReclaimReported", words: "the disk is locked"},
		{name: "both", objects: failed + event, says: "ReclaimReported", words: "quota of snapshots"},
		{name: "a claim that waits for it", objects: claim + released + event, says: "ReclaimReported",
			words: "quota of snapshots"},
		{name: "nothing reported", objects: released, says: "ReclaimPending"},
		{name: "events that may not be read", objects: released + event, deny: "events", says: "ReclaimUnread"},
		{name: "a driver that isn't there", objects: byDriver, says: "ReclaimWithoutDriver"},
		{name: "a driver that is there", objects: byDriver + csiDriver(), says: "ReclaimPending"},
		{name: "a driver that may not be read", objects: byDriver, deny: "csidrivers", says: "ReclaimPending"},
		{name: "no driver, and an event", objects: byDriver + event, says: "ReclaimReported", words: "quota of snapshots"},
		{name: "to be kept", objects: strings.Replace(released, "Policy: Delete", "Policy: Retain", 1) + event},
		{name: "a volume in use", objects: strings.Replace(released, "Released", "Bound", 1) + event},
		{name: "a claim that is bound", objects: strings.Replace(claim, "Lost", "Bound", 1) + released + event},
	} {
		t.Run(c.name, func(t *testing.T) {
			tools := toolsFor(t, c.objects, c.deny)
			fate := FateOf(t.Context(), tools, firstOf(t, tools, c.objects))
			says, words := "", ""
			for _, remark := range fate.Says {
				details, _ := remark.Details.(finding.StorageDriverDetails)
				says, words = remark.Situation, details.Words
			}
			for _, note := range fate.Notes { // what lets the data go comes after what keeps them
				steps := note.Remedies
				if len(steps) > 0 && (steps[0].Retains() == nil || steps[len(steps)-1].Risk != finding.DataLoss) {
					t.Errorf("the steps are %+v", steps)
				}
			}
			if says != c.says || words != c.words {
				t.Errorf("says %q with %q, want %q with %q", says, words, c.says, c.words)
			}
		})
	}
}
