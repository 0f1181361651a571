package diagnosis_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// boundDisk is volume disk, which was not deleted, with a policy.
func boundDisk(policy string) string {
	return object("v1", "PersistentVolume", "", "disk",
		"annotations: {pv.kubernetes.io/provisioned-by: disk.csi.example.com}",
		"spec: {persistentVolumeReclaimPolicy: "+policy+", csi: {driver: disk.csi.example.com, volumeHandle: vol-1}, "+
			"claimRef: {namespace: shop, name: data, uid: persistentvolumeclaim-data}}\nstatus: {phase: Bound}")
}

func deletedClaim(finalizer string) string {
	return object("v1", "PersistentVolumeClaim", "shop", "data", deleted(time.Hour, finalizer),
		"spec: {volumeName: disk}\nstatus: {phase: Bound}")
}

func userOf(phase, owner string) string {
	return object("v1", "Pod", "shop", "web", owner,
		"spec: {nodeName: n1, volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]}\nstatus: {phase: "+phase+"}")
}

// TestEachStepWeighsWhatGoes looks at every remedy of a claim that is stuck in one way or another: what lets it go says
// that the volume goes with it, and the step that keeps the volume comes first.
func TestEachStepWeighsWhatGoes(t *testing.T) {
	const owned = "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: replicaset-web, " +
		"controller: true}]"
	replicaSet := object("apps/v1", "ReplicaSet", "shop", "web", "", "")
	protected := "kubernetes.io/pvc-protection"
	for name, objects := range map[string]string{
		"a finished pod":            together(deletedClaim(protected), userOf("Succeeded", "")),
		"a running pod":             together(deletedClaim(protected), userOf("Running", "")),
		"a workload":                together(deletedClaim(protected), userOf("Running", owned), replicaSet),
		"a backup operator's entry": deletedClaim("velero.io/hold"),
		"a storage system's entry":  deletedClaim("longhorn.io"),
		"an entry of nobody":        deletedClaim("example.com/x"),
	} {
		for policy, want := range map[string]string{"Delete": "ALL ITS DATA", "Retain": "",
			"unreadable": "could not be read"} {
			c := whyCase{target: "persistentvolumeclaims/data", objects: []string{objects, boundDisk(policy)}}
			if policy == "unreadable" {
				c.deny = "persistentvolumes"
			}
			checkWeighed(t, name+", "+policy, c.ask(t), want)
		}
	}
}

// TestFirstStepKeepsAllVolumes asks about a namespace with two claims that are deleted: one waits for a pod that a
// finalizer holds, the other for a pod that is being stopped. The step that keeps data comes first and is about the
// volumes of both. It is asked in memory, because a Node of the zoo stops its pods at once.
func TestFirstStepKeepsAllVolumes(t *testing.T) {
	for policy, want := range map[string]string{
		"Delete": "patch persistentvolumes/disk persistentvolumes/more ", "Retain": "patch persistentvolumes/disk ",
	} {
		more := strings.NewReplacer("name: disk, uid: persistentvolume-disk", "name: more, uid: persistentvolume-more",
			"vol-1", "vol-2", "name: data, uid: persistentvolumeclaim-data", "name: more, uid: persistentvolumeclaim-more")
		c := whyCase{target: "namespaces/shop", objects: []string{
			object("v1", "Namespace", "", "shop", "deletionTimestamp: "+strconv.Quote(at(time.Minute)),
				"spec: {finalizers: [kubernetes]}\nstatus: {phase: Terminating}"),
			deletedClaim("kubernetes.io/pvc-protection"), boundDisk("Delete"), more.Replace(boundDisk(policy)),
			object("v1", "Pod", "shop", "held", deleted(time.Hour, "example.com/x")+", deletionGracePeriodSeconds: 0",
				"spec: {nodeName: n1, volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]}"),
			object("v1", "PersistentVolumeClaim", "shop", "more", deleted(time.Hour, "kubernetes.io/pvc-protection"),
				"spec: {volumeName: more}\nstatus: {phase: Bound}"),
			pod("web", 10*time.Second, "n1", ", volumes: [{name: data, persistentVolumeClaim: {claimName: more}}]"),
			node("n1", "True", ""), lease("kube-node-lease", "n1", time.Second),
		}}
		found := c.ask(t)
		if len(found.RootCauses) == 0 || len(found.RootCauses[0].Remedies) == 0 {
			t.Fatalf("%s: no step: %+v", policy, found.RootCauses)
		}
		if first := found.RootCauses[0].Remedies[0].Command.String(); !strings.Contains(first, want) {
			t.Errorf("%s: the first step is %q, want %q", policy, first, want)
		}
	}
}

func checkWeighed(t *testing.T, name string, found *result.Diagnosis, want string) {
	t.Helper()
	releases := 0
	for _, cause := range found.RootCauses {
		first := cause.Remedies[0]
		if keeps := strings.Contains(first.Command.String(), `patch persistentvolumes/disk`); keeps != (want != "") ||
			keeps && first.Risk != finding.NoRisk {
			t.Errorf("%s: the first step is %q (%s)", name, first.Command, first.Risk)
		}
		for _, remedy := range cause.Remedies {
			if !remedy.LetsGo() {
				continue
			}
			releases++
			if want != "" && (remedy.Risk != finding.DataLoss || !strings.Contains(remedy.Loses, want)) || want == "" &&
				strings.Contains(remedy.Loses, "DATA") {
				t.Errorf("%s: %s (%s) loses %q, want %q", name, remedy.Action, remedy.Risk, remedy.Loses, want)
			}
		}
	}
	if releases == 0 {
		t.Errorf("%s: nothing was looked at: %s", name, found.Summary)
	}
	if len(found.Takes) != 1 || (found.Keep != nil) != (want != "") {
		t.Errorf("%s: it takes along %+v", name, found.Takes)
	}
}

// TestContentGoesWithoutTheStep asks about objects whose content is being deleted, whatever a step removes from them:
// the removal of another finalizer does not lose the content.
func TestContentGoesWithoutTheStep(t *testing.T) {
	namespace := object("v1", "Namespace", "", "shop", deleted(time.Hour, ""),
		"spec: {finalizers: [kubernetes, a.example/x]}")
	definition := strings.Replace(crd(time.Hour), "customresourcecleanup.apiextensions.k8s.io",
		"customresourcecleanup.apiextensions.k8s.io, a.example/x", 1)
	for target, objects := range map[string]string{
		"namespaces/shop": namespace,
		"customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com": definition,
	} {
		for _, deny := range []string{"", "configmaps", "databases.shop.example.com"} {
			c := whyCase{target: target, objects: []string{objects}, deny: deny}
			forced := 0
			for _, cause := range c.ask(t).RootCauses {
				for _, remedy := range cause.Remedies {
					if !remedy.Forces() {
						continue
					}
					forced++
					if strings.Contains(remedy.Loses, "EVERYTHING") || strings.Contains(remedy.Loses, "ALL OBJECTS") ||
						remedy.Loses == "" {
						t.Errorf("%s without %q: %s loses %q", target, deny, remedy.Action, remedy.Loses)
					}
				}
			}
			if forced == 0 {
				t.Errorf("%s without %q: no removal is offered", target, deny)
			}
		}
	}
}

// TestWholeKindWeighsEachInstance says beside one removal for all instances of a definition what goes with each, also
// with one that a command for some of them would leave.
func TestWholeKindWeighsEachInstance(t *testing.T) {
	held := deleted(time.Hour, "shop.example.com/cleanup")
	objects := []string{
		crd(time.Hour), granted("shop-operator", mayWrite, "databases", "shop-system/shop-operator"),
		account("shop-operator"), operator(0, ""), boundDisk("Delete"),
		object("v1", "PersistentVolumeClaim", "shop", "data", "ownerReferences: [{apiVersion: shop.example.com/v1, "+
			"kind: Database, name: orders-shop, uid: database-orders-shop}]",
			"spec: {volumeName: disk}\nstatus: {phase: Bound}"),
	}
	for _, namespace := range []string{"a", "b", "c", "d", "e", "f", "g", "shop"} {
		objects = append(objects, object("shop.example.com/v1", "Database", namespace, "orders-"+namespace, held, ""))
	}
	c := whyCase{target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", objects: objects}
	found := c.ask(t)
	const wanted = "remove -A databases.shop.example.com"
	for _, cause := range found.RootCauses {
		for _, remedy := range cause.Remedies {
			if !remedy.Forces() {
				continue
			}
			if !strings.Contains(remedy.Command.String(), wanted) || len(remedy.More) > 0 {
				t.Errorf("the removal is %q", remedy.Commands())
			}
			if remedy.Risk != finding.DataLoss || !strings.Contains(remedy.Loses, "ALL ITS DATA") {
				t.Errorf("%s loses %q (%s)", remedy.Command, remedy.Loses, remedy.Risk)
			}
			return
		}
	}
	t.Errorf("no removal is offered: %+v", found.RootCauses)
}

// TestKeepingSaysWhatRefusesIt asks about a volume whose finalizer can't be removed: the step that keeps its data says
// what refuses it, where that is about updates of volumes, and nothing of the kind where it is about something else.
func TestKeepingSaysWhatRefusesIt(t *testing.T) {
	volume := object("v1", "PersistentVolume", "", "disk",
		"annotations: {pv.kubernetes.io/provisioned-by: disk.csi.example.com}, "+
			deleted(time.Hour, "external-provisioner.volume.kubernetes.io/finalizer"),
		"spec: {persistentVolumeReclaimPolicy: Delete, csi: {driver: disk.csi.example.com, volumeHandle: vol-1}, "+
			"claimRef: {namespace: shop, name: data, uid: persistentvolumeclaim-data}}\nstatus: {phase: Released}")
	for operations, refused := range map[string]bool{"UPDATE, DELETE": true, "DELETE": false} {
		c := whyCase{target: "persistentvolumes/disk", objects: []string{
			volume, guarding("guard", operations, "persistentvolumes", ""),
		}}
		steps := 0
		for _, cause := range c.ask(t).RootCauses {
			for _, remedy := range cause.Remedies {
				if remedy.Retains() == nil {
					continue
				}
				steps++
				said := strings.Contains(remedy.Action, "because of ValidatingWebhookConfiguration guard")
				if said != refused {
					t.Errorf("%s: %s", operations, remedy.Action)
				}
			}
		}
		if steps == 0 {
			t.Errorf("%s: no step keeps the data", operations)
		}
	}
}
