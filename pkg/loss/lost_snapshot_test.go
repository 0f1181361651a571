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
