package loss_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

const claim = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: shop, uid: data-1, finalizers: [velero.io/hold]}
spec: {volumeName: disk}
`

// volume is the volume of the claim, with some more of its metadata and its spec.
func volume(meta, spec string) string {
	return "\n---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {name: disk, uid: disk-1" + meta + "}\nspec: {" +
		spec + "}\n"
}

const (
	made   = ", annotations: {pv.kubernetes.io/provisioned-by: ebs.csi.aws.com}"
	csi    = "csi: {driver: ebs.csi.aws.com, volumeHandle: vol-1}"
	bound  = ", claimRef: {namespace: shop, name: data, uid: data-1}"
	policy = ", persistentVolumeReclaimPolicy: "
	set    = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop, uid: db-1}
spec: {volumeClaimTemplates: [{metadata: {name: data}}], persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}}
`
	pod = `
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, uid: web-1}
spec: {nodeName: n1, volumes: [{name: scratch, emptyDir: {}}, {name: memory, emptyDir: {medium: Memory}},
  {name: own, ephemeral: {}}]}
`
	user = `
---
apiVersion: v1
kind: Pod
metadata: {name: NAME, namespace: shop, uid: NAME-1}
spec: {nodeName: n1, volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]}
`
	node = "\napiVersion: v1\nkind: Node\nmetadata: {name: n1, uid: n1-1}\n"
)

// TestWith says of each kind what goes with it, and of what can't be read that it may.
func TestWith(t *testing.T) {
	ephemeral := strings.ReplaceAll(claim, "name: data,", "name: web-own,")
	inner := "\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop, uid: shop-1%s}\nspec: {finalizers: [kubernetes]}\n"
	deleted := ", deletionTimestamp: 2026-01-02T00:00:00Z"
	gone := strings.Replace(claim, "uid: data-1", "uid: data-1"+deleted, 1)
	userOf := func(pod string) string { return strings.ReplaceAll(user, "NAME", pod) }
	cases := []struct {
		name, target, objects string
		forced                string // a finalizer
		deny, fail            string
		want                  string // situations with their risks
		says                  string
	}{
		{
			name: "policy Delete", target: "persistentvolumeclaims/data",
			objects: claim + volume(made, csi+bound+policy+"Delete"), want: "VolumeDeleted DataLoss",
			says: "PersistentVolume disk (volume vol-1) of PersistentVolumeClaim shop/data, and ALL ITS DATA",
		},
		{
			name: "policy Delete, and no driver is left", target: "persistentvolumeclaims/data",
			objects: claim + volume("", csi+bound+policy+"Delete"), want: "VolumeMayBeDeleted DataLoss", says: "Perhaps",
		},
		{
			name: "policy Delete of a folder on a node", target: "persistentvolumeclaims/data",
			objects: claim + volume("", "hostPath: {path: /tmp/x}"+bound+policy+"Delete"),
			want:    "VolumeMayBeDeleted DataLoss", says: "(folder /tmp/x)",
		},
		{
			name: "policy Recycle", target: "persistentvolumeclaims/data",
			objects: claim + volume("", "nfs: {server: s, path: /x}"+bound+policy+"Recycle"),
			want:    "VolumeErased DataLoss", says: "EMPTIED",
		},
		{
			name: "policy Retain", target: "persistentvolumeclaims/data",
			objects: claim + volume(made, csi+bound+policy+"Retain"), want: "VolumeKept None", says: "with its data",
		},
		{
			name: "policy Retain of a volume that is being deleted itself", target: "persistentvolumeclaims/data",
			objects: claim + strings.Replace(volume(made, csi+bound+policy+"Retain"), "name: disk",
				"name: disk, deletionTimestamp: 2026-01-02T00:00:00Z", 1),
			want: "StorageForgotten Orphans", says: "The storage behind PersistentVolume disk (volume vol-1), with its data",
		},
		{
			name: "no policy, as in a manifest", target: "persistentvolumeclaims/data",
			objects: claim + volume("", csi+bound), want: "VolumeKept None",
		},
		{name: "unbound", target: "persistentvolumeclaims/data", objects: strings.Replace(claim, "volumeName: disk", "", 1)},
		{
			name: "the volume is gone", target: "persistentvolumeclaims/data", objects: claim,
			want: "VolumeGone None", says: "PersistentVolume disk, which does not exist",
		},
		{
			name: "the volume is another claim's", target: "persistentvolumeclaims/data",
			objects: claim + volume(made, csi+strings.Replace(bound, "data-1", "data-0", 1)+policy+"Delete"),
		},
		{
			name: "the volume is reserved by name", target: "persistentvolumeclaims/data",
			objects: claim + volume(made, csi+strings.Replace(bound, ", uid: data-1", "", 1)+policy+"Delete"),
			want:    "VolumeDeleted DataLoss",
		},
		{
			name: "the volume may not be read", target: "persistentvolumeclaims/data",
			objects: claim + volume(made, csi+bound+policy+"Retain"), deny: "persistentvolumes",
			want: "VolumeUnread DataLoss",
			says: "ALL ITS DATA. The volume could not be read, because you are not allowed to",
		},
		{
			name: "the volume can't be read", target: "persistentvolumeclaims/data", objects: claim,
			fail: "persistentvolumes", want: "VolumeUnread DataLoss",
			says: "ALL ITS DATA. The volume could not be read.",
		},
		{
			name: "the claim may not be read", target: "persistentvolumeclaims/data", objects: claim,
			deny: "persistentvolumeclaims", want: "ClaimUnread DataLoss", says: "The claim could not be read",
		},
		{
			name: "a volume, policy Delete", target: "persistentvolumes/disk",
			objects: volume(made, csi+policy+"Delete"), want: "StorageDeleted DataLoss", says: "reclaim policy Delete",
		},
		{
			name: "a volume, policy Retain", target: "persistentvolumes/disk",
			objects: volume(made, csi+policy+"Retain"), want: "StorageForgotten Orphans",
		},
		{
			name: "a volume, its driver's entry by force", target: "persistentvolumes/disk",
			objects: volume(made, csi+policy+"Delete"), forced: "external-provisioner.volume.kubernetes.io/finalizer",
			want: "StorageForgotten Orphans", says: "nothing is left to delete it",
		},
		{
			name: "a volume, somebody else's entry by force", target: "persistentvolumes/disk",
			objects: volume(made, csi+policy+"Delete"), forced: "longhorn.io", want: "StorageDeleted DataLoss",
		},
		{
			name: "a volume that may not be read", target: "persistentvolumes/disk", objects: volume(made, csi),
			deny: "persistentvolumes", want: "StorageUnread DataLoss",
		},
		{
			name: "a Secret", target: "secrets/key",
			objects: "\napiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: shop, uid: key-1}\n",
			want:    "SecretData DataLoss", says: "can't back it up",
		},
		{
			name: "a pod", target: "pods/web",
			objects: pod + "\n---" + ephemeral + volume(made, csi+bound+policy+"Delete"),
			want:    "VolumeDeleted DataLoss, ScratchData Disruption",
		},
		{
			name: "a pod whose claim was deleted", target: "pods/loader",
			objects: gone + volume(made, csi+bound+policy+"Delete") + userOf("loader"), want: "VolumeDeleted DataLoss",
		},
		{
			name: "a pod whose claim another one keeps", target: "pods/loader",
			objects: gone + volume(made, csi+bound+policy+"Delete") + userOf("loader") + userOf("reader"),
		},
		{
			name: "a pod whose claim another one uses that is on no node", target: "pods/loader",
			objects: gone + volume(made, csi+bound+policy+"Delete") + userOf("loader") +
				strings.Replace(userOf("reader"), "nodeName: n1, ", "", 1),
			want: "VolumeDeleted DataLoss",
		},
		{
			name: "a pod whose claim another one uses that was deleted", target: "pods/loader",
			objects: gone + volume(made, csi+bound+policy+"Delete") + userOf("loader") +
				strings.Replace(userOf("reader"), "uid: reader-1", "uid: reader-1"+deleted, 1),
			want: "VolumeDeleted DataLoss",
		},
		{
			name: "a pod whose claim stays", target: "pods/loader",
			objects: claim + volume(made, csi+bound+policy+"Delete") + userOf("loader"),
		},
		{name: "a pod whose claim is gone", target: "pods/loader", objects: userOf("loader")},
		{
			name: "a pod whose claim may not be read", target: "pods/loader", objects: gone + userOf("loader"),
			deny: "persistentvolumeclaims", want: "ClaimUnread DataLoss",
		},
		{name: "a Node", target: "nodes/n1", objects: node + "\n---" + pod, want: "PodsOfNode Disruption", says: "shop/web"},
		{
			name: "a Node with a pod that has a claim of its own", target: "nodes/n1",
			objects: node + "\n---" + pod + "\n---" + ephemeral + volume(made, csi+bound+policy+"Delete"),
			want:    "VolumeDeleted DataLoss, PodsOfNode Disruption",
		},
		{
			name: "a Node with a pod that uses a claim that stays", target: "nodes/n1",
			objects: node + "\n---" + claim + volume(made, csi+bound+policy+"Delete") + userOf("loader"),
			want:    "PodsOfNode Disruption",
		},
		{
			name: "a Node with a pod that a finalizer holds", target: "nodes/n1",
			objects: node + "\n---" + strings.Replace(pod, "uid: web-1", "uid: web-1, finalizers: [shop.example.com/drain]", 1),
			want:    "PodsOfNode Disruption", says: "shop/web has a finalizer, and stays until it is removed",
		},
		{
			name: "a Node whose pods may not be read", target: "nodes/n1", objects: node, deny: "pods",
			want: "NodesPodsUnread Disruption",
		},
		{
			name: "a StatefulSet that takes its claims along", target: "statefulsets.apps/db", objects: set,
			want: "ClaimsOfSet DataLoss", says: "ALL CLAIMS",
		},
		{
			name: "a StatefulSet that keeps them", target: "statefulsets.apps/db",
			objects: strings.Replace(set, "whenDeleted: Delete", "whenDeleted: Retain", 1),
		},
		{
			name: "a StatefulSet that may not be read", target: "statefulsets.apps/db", objects: set,
			deny: "statefulsets", want: "ClaimsOfSet DataLoss", says: "could not be read",
		},
		{
			name: "a Namespace", target: "namespaces/shop", objects: strings.Replace(inner, "%s", "", 1),
			want: "ContentDeleted DataLoss",
		},
		{
			name: "a Namespace, its own entry by force", target: "namespaces/shop",
			objects: strings.Replace(inner, "%s", deleted, 1), forced: "kubernetes",
		},
		{
			name: "a ConfigMap", target: "configmaps/x",
			objects: "\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: shop, uid: x-1}\n",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			taken := told(t, c.target, c.objects, c.forced, c.deny, c.fail)
			var got, messages []string
			for _, one := range taken {
				got, messages = append(got, one.Situation+" "+one.Risk.String()), append(messages, one.Message)
			}
			if strings.Join(got, ", ") != c.want || !strings.Contains(strings.Join(messages, " "), c.says) {
				t.Errorf("it takes along %q, want %q and %q", append(got, messages...), c.want, c.says)
			}
			needs := slices.ContainsFunc(taken, func(one finding.Taken) bool {
				return one.Risk == finding.DataLoss && (one.Details.Volume != nil || strings.HasPrefix(one.Situation, "Storage"))
			})
			step, offered := loss.Retain(session.Kubectl{}, taken)
			if offered != needs || offered && !strings.Contains(step.Command.String(), "persistentvolumes/disk --type merge") {
				t.Errorf("keeping the data is offered %v (%s), want %v", offered, step.Command, needs)
			}
		})
	}
}

func told(t *testing.T, target, objects, forced, deny, fail string) []finding.Taken {
	t.Helper()
	memory, err := clustertest.New(time.Now(), objects)
	if err != nil {
		t.Fatal(err)
	}
	if deny != "" {
		memory.Deny(deny)
	}
	if fail != "" {
		memory.Break(fail, errors.New("broken pipe"))
	}
	kind, name, _ := strings.Cut(target, "/")
	servedKinds, err := memory.ServedKinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	resource, found := servedKinds.Find(schema.ParseGroupResource(kind))
	if !found {
		t.Fatalf("no %s", kind)
	}
	namespace := ""
	if resource.Namespaced {
		namespace = "shop"
	}
	reads := session.New(memory, session.Kubectl{})
	object, err := reads.Read(t.Context(), resource, namespace, name)
	if err != nil {
		object = session.Named(resource, namespace, name)
	}
	var holds []finding.Hold
	if forced != "" {
		holds = append(holds, finding.Hold{Type: finding.Finalizer, Name: forced})
	}
	return finding.TellTaken(finding.Voice{}, (&loss.Teller{Session: reads}).With(t.Context(), object, holds...))
}
