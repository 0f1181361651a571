package loss_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestSnapshots says what becomes of a snapshot in the storage system.
func TestSnapshots(t *testing.T) {
	const protection = "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection"
	content := func(policy string) string {
		return "\napiVersion: snapshot.storage.k8s.io/v1\nkind: VolumeSnapshotContent\n" +
			"metadata: {name: content, uid: c-1}\n" +
			"spec: {deletionPolicy: " + policy + ", driver: ebs.csi.aws.com}\nstatus: {snapshotHandle: snap-1}\n"
	}
	for _, c := range []struct{ policy, forced, want string }{
		{"Delete", "", "SnapshotDeleted DataLoss"}, {"Delete", protection, "SnapshotForgotten Orphans"},
		{"Delete", "example.com/hold", "SnapshotDeleted DataLoss"}, {"Retain", "", "SnapshotForgotten Orphans"},
	} {
		taken := told(t, "volumesnapshotcontents.snapshot.storage.k8s.io/content", content(c.policy), c.forced, "", "")
		if len(taken) != 1 || taken[0].Situation+" "+taken[0].Risk.String() != c.want ||
			!strings.Contains(taken[0].Message, "snap-1") {
			t.Errorf("%s, with %q removed by force: %+v, want %s", c.policy, c.forced, taken, c.want)
		}
		keeps := c.want == "SnapshotDeleted DataLoss"
		const keep = "patch volumesnapshotcontents.snapshot.storage.k8s.io/content --type merge " +
			`-p '{"spec":{"deletionPolicy":"Retain"}}'`
		step, offered := loss.Retain(session.Kubectl{}, taken)
		if offered != keeps || keeps && !strings.HasSuffix(step.Command.String(), keep) {
			t.Errorf("%s: keeping the snapshot is offered %v (%s), want %v", c.policy, offered, step.Command, keeps)
		}
	}
}

// TestRetainBoth keeps the data of volumes and snapshots in one step.
func TestRetainBoth(t *testing.T) {
	volume, content := finding.Ref{Kind: "PersistentVolume", Name: "disk"}, finding.Ref{Kind: "Content", Name: "snap"}
	step, offered := loss.Retain(session.Kubectl{}, []finding.Taken{
		{Risk: finding.DataLoss, Details: finding.TakenDetails{Volume: &volume}},
		{Risk: finding.DataLoss, Details: finding.TakenDetails{Content: &content}},
		{Risk: finding.NoRisk, Details: finding.TakenDetails{Content: &finding.Ref{Kind: "Content", Name: "kept"}}},
	})
	said := finding.Voice{}.Remedies([]finding.Remedy{step})[0]
	const want = "To keep the data, FIRST set the reclaim policy of disk and the deletion policy of Content snap " +
		"to Retain."
	if !offered || len(step.Commands()) != 2 || said.Action != want || len(step.Retains()) != 2 {
		t.Errorf("it keeps %v by %v: %q", step.Retains(), step.Commands(), said.Action)
	}
}

// TestTooManyDependents looks at what is worst first, counts the others as lost, and finds whoever has no uid.
func TestTooManyDependents(t *testing.T) {
	memory, err := clustertest.New(time.Now(), claim+volume(made, csi+bound+policy+"Delete"))
	if err != nil {
		t.Fatal(err)
	}
	secrets := cluster.Resource{Kind: "Secret", Namespaced: true}
	secrets.Version, secrets.Resource = "v1", "secrets"
	var below []*session.Object
	for i := range 9 {
		secret := session.Named(secrets, "shop", fmt.Sprintf("s%d", i)) // as in a manifest
		secret.Meta = &metav1.PartialObjectMetadata{}
		below = append(below, secret)
	}
	data := session.Named(cluster.PersistentVolumeClaims(), "shop", "data")
	data.Meta, data.Ref.UID = &metav1.PartialObjectMetadata{}, "data-1"
	top := &session.Object{Ref: finding.Ref{Kind: "Thing", Namespace: "shop", Name: "top", UID: "top-1"}}
	teller := &loss.Teller{Session: session.New(memory, session.Kubectl{}), Most: 4}
	count := map[string]int{}
	for _, taken := range teller.Dependents(t.Context(), top, func(owner *session.Object) []*session.Object {
		if owner == top {
			return append(below, data)
		}
		return nil
	}) {
		count[taken.Situation] += max(1, taken.Details.Count)
		if taken.Unfollowed() && (taken.Risk != finding.DataLoss || !taken.Details.May) {
			t.Errorf("what was not looked at may be lost: %+v", taken)
		}
	}
	if count["VolumeDeleted"] != 1 || count["SecretData"] != 3 || count["DependentsNotFollowed"] != 6 ||
		count["DependentsCollected"] != 10 {
		t.Errorf("it takes along %v", count)
	}
}
