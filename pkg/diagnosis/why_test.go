package diagnosis_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// now is noon; the fixtures count back from it.
var now = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func at(ago time.Duration) string { return now.Add(-ago).Format(time.RFC3339) }

// deleted is the metadata of something whose deletion was requested some time ago.
func deleted(ago time.Duration, finalizers ...string) string {
	return fmt.Sprintf("deletionTimestamp: %q, finalizers: [%s]", at(ago), strings.Join(finalizers, ", "))
}

func object(apiVersion, kind, namespace, name, meta, rest string) string {
	if meta != "" {
		meta = ", " + meta
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {namespace: %q, name: %s, uid: %s-%s%s}\n%s\n", apiVersion, kind, namespace, name, strings.ToLower(kind), name, meta, rest)
}

// pod was asked to go some time ago and has a grace period of 30 s.
func pod(name string, requested time.Duration, node, rest string) string {
	meta := fmt.Sprintf("deletionTimestamp: %q, deletionGracePeriodSeconds: 30", at(requested-30*time.Second))
	return object("v1", "Pod", "shop", name, meta, fmt.Sprintf("spec: {nodeName: %q%s}", node, rest))
}

func node(name, ready string, rest string) string {
	return object("v1", "Node", "", name, "", fmt.Sprintf("spec: {%s}\nstatus: {conditions: [{type: Ready, status: %q, reason: Told, lastTransitionTime: %q}]}", rest, ready, at(time.Hour)))
}

func lease(namespace, name string, renewed time.Duration) string {
	return object("coordination.k8s.io/v1", "Lease", namespace, name, "",
		fmt.Sprintf("spec: {holderIdentity: me, leaseDurationSeconds: 40, renewTime: %q}", now.Add(-renewed).Format("2006-01-02T15:04:05.000000Z07:00")))
}

func managerAlive() string { return lease("kube-system", "kube-controller-manager", 2*time.Second) }
func managerDead() string  { return lease("kube-system", "kube-controller-manager", time.Hour) }

func owned(owner string, block bool) string {
	return fmt.Sprintf("ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: %s, uid: configmap-%s, blockOwnerDeletion: %t}]", owner, owner, block)
}

func configMap(name, meta string) string { return object("v1", "ConfigMap", "shop", name, meta, "") }

func claim(meta string) string {
	return object("v1", "PersistentVolumeClaim", "shop", "data", meta, "")
}

// ephemeralClaim is the claim of volume scratch of pod web.
func ephemeralClaim() string {
	return object("v1", "PersistentVolumeClaim", "shop", "web-scratch",
		deleted(10*time.Second, "kubernetes.io/pvc-protection")+", ownerReferences: [{apiVersion: v1, kind: Pod, name: web, uid: pod-web}]", "")
}

const usesData = ", volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"

func namespace(ago time.Duration, conditions string) string {
	return object("v1", "Namespace", "", "shop", deleted(ago), "spec: {finalizers: [kubernetes]}\nstatus: {phase: Terminating, conditions: ["+conditions+"]}")
}

func condition(kind, status, message string) string {
	return fmt.Sprintf("{type: %s, status: %q, reason: Told, message: %q, lastTransitionTime: %q}", kind, status, message, at(time.Minute))
}

type whyCase struct {
	name    string
	objects []string
	target  string // resource/name; in namespace shop unless cluster-scoped
	failed  string // a group version whose discovery fails
	deny    string
	verdict report.Verdict
	causes  []string // REASON Kind/path, × count
	says    []string // in the summary
	remedy  string   // part of a command that must be offered
}

func whyCases() []whyCase {
	graceOver := 5 * time.Minute
	contentGone := condition("NamespaceContentRemaining", "False", "All content successfully removed")
	return []whyCase{{
		name: "pod within its grace period on a ready node", target: "pods/web", verdict: report.Progressing,
		objects: []string{pod("web", 10*time.Second, "n1", ""), node("n1", "True", ""), lease("kube-node-lease", "n1", time.Second)},
		says:    []string{"20s of its 30s grace period"},
	}, {
		name: "pod just over its grace period on a ready node", target: "pods/web", verdict: report.Progressing,
		objects: []string{pod("web", 33*time.Second, "n1", ""), node("n1", "True", ""), lease("kube-node-lease", "n1", time.Second)},
	}, {
		name: "pod long over its grace period on a ready node", target: "pods/web", verdict: report.Stuck,
		objects: []string{
			pod("web", graceOver, "n1", "") + "status: {phase: Running, containerStatuses: [{name: main, state: {running: {}}}]}\n",
			node("n1", "True", ""), lease("kube-node-lease", "n1", time.Second),
		},
		causes: []string{"ContainerNotStopping Pod/shop/web"}, says: []string{"container main"},
	}, {
		name: "pod within its grace period on a dead node", target: "pods/web", verdict: report.Stuck,
		objects: []string{pod("web", 10*time.Second, "n1", ""), node("n1", "Unknown", "")},
		causes:  []string{"NodeNotReady Node/n1"}, remedy: "taint nodes n1 node.kubernetes.io/out-of-service",
	}, {
		name: "pod on a node whose kubelet fell silent before the condition noticed", target: "pods/web", verdict: report.Stuck,
		objects: []string{pod("web", graceOver, "n1", ""), node("n1", "True", ""), lease("kube-node-lease", "n1", 3*time.Minute)},
		causes:  []string{"NodeNotReady Node/n1"}, says: []string{"not been heard of for 3m"},
	}, {
		name: "pod on a node that never had a kubelet", target: "pods/web", verdict: report.Stuck,
		objects: []string{pod("web", graceOver, "n1", ""), object("v1", "Node", "", "n1", "", "")},
		causes:  []string{"NodeNotReady Node/n1"}, says: []string{"never reported"},
	}, {
		name: "pod on a dead node that is out of service", target: "pods/web", verdict: report.Progressing,
		objects: []string{pod("web", graceOver, "n1", ""), node("n1", "Unknown", "taints: [{key: node.kubernetes.io/out-of-service, effect: NoExecute}]")},
	}, {
		name: "pod on a node that is gone", target: "pods/web", verdict: report.Progressing,
		objects: []string{pod("web", 20*time.Second, "n1", "")}, says: []string{"by itself, as a rule within a minute"},
	}, {
		name: "pod on a node that is gone, and the controller manager is dead", target: "pods/web", verdict: report.Stuck,
		objects: []string{pod("web", graceOver, "n1", ""), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "pod on a node that is gone, and nobody acts", target: "pods/web", verdict: report.Undetermined,
		objects: []string{pod("web", graceOver, "n1", ""), managerAlive()},
	}, {
		name: "pod on a node that is gone, and the controller manager is hidden", target: "pods/web", verdict: report.Undetermined,
		objects: []string{pod("web", graceOver, "n1", "")}, says: []string{"no Lease is visible"},
	}, {
		name: "pod on a dead node with a finalizer besides", target: "pods/web", verdict: report.Stuck,
		objects: []string{
			object("v1", "Pod", "shop", "web", deleted(graceOver, "example.com/hold")+", deletionGracePeriodSeconds: 30", "spec: {nodeName: n1}"), node("n1", "False", ""),
		},
		causes: []string{"NodeNotReady Node/n1", "ControllerUnknown Pod/shop/web"},
	}, {
		name: "claim used by a finished pod", target: "persistentvolumeclaims/data", verdict: report.Stuck,
		objects: []string{
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")),
			object("v1", "Pod", "shop", "migrate", "", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Failed, containerStatuses: [{state: {terminated: {finishedAt: \""+at(144*time.Hour)+"\"}}}]}"),
			object("v1", "Pod", "shop", "unscheduled", "", "spec: {nodeName: \"\""+usesData+"}"),
			object("v1", "Pod", "shop", "other", "", "spec: {nodeName: n1, volumes: [{name: v, persistentVolumeClaim: {claimName: else}}]}"),
		},
		causes: []string{"StillInUse Pod/shop/migrate"}, says: []string{"finished 6d ago"}, remedy: "-n shop delete pods/migrate",
	}, {
		name: "claim used by finished pods, told once", target: "persistentvolumeclaims/data", verdict: report.Stuck,
		objects: []string{
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")),
			object("v1", "Pod", "shop", "a", "", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Succeeded}"),
			object("v1", "Pod", "shop", "b", "", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Succeeded}"),
			object("v1", "Pod", "shop", "c", "", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Failed}"),
		},
		causes: []string{"StillInUse Pod/shop/a × 3"}, says: []string{"3 pods in shop"},
	}, {
		name: "claim used by the running pod of a StatefulSet", target: "persistentvolumeclaims/data", verdict: report.Stuck,
		objects: []string{
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")),
			object("v1", "Pod", "shop", "db-0", "ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: statefulset-db, controller: true}]", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Running}"),
			object("apps/v1", "StatefulSet", "shop", "db", "", ""),
		},
		causes: []string{"StillInUse Pod/shop/db-0"}, says: []string{"run by StatefulSet shop/db"}, remedy: "-n shop scale statefulsets.apps/db --replicas=0",
	}, {
		name: "claim of an ephemeral volume whose pod runs", target: "persistentvolumeclaims/web-scratch", verdict: report.Stuck,
		objects: []string{ephemeralClaim(), object("v1", "Pod", "shop", "web", "", "spec: {nodeName: n1, volumes: [{name: scratch, ephemeral: {}}]}\nstatus: {phase: Running}")},
		causes:  []string{"StillInUse Pod/shop/web"},
	}, {
		name: "claim of an ephemeral volume whose pod is shut down", target: "persistentvolumeclaims/web-scratch", verdict: report.Progressing,
		objects: []string{
			ephemeralClaim(), managerAlive(),
			object("v1", "Pod", "shop", "web", deleted(time.Minute, "example.com/hold")+", deletionGracePeriodSeconds: 0", "spec: {nodeName: n1, volumes: [{name: scratch, ephemeral: {}}]}"),
		},
	}, {
		name: "claim whose name another pod's ephemeral volume would have", target: "persistentvolumeclaims/web-scratch", verdict: report.Progressing,
		objects: []string{
			ephemeralClaim(), managerAlive(),
			strings.Replace(object("v1", "Pod", "shop", "web", "", "spec: {nodeName: n1, volumes: [{name: scratch, ephemeral: {}}]}"), "uid: pod-web", "uid: another", 1),
		},
	}, {
		name: "claim that nobody uses, just released", target: "persistentvolumeclaims/data", verdict: report.Progressing,
		objects: []string{claim(deleted(5*time.Second, "kubernetes.io/pvc-protection")), managerAlive()},
	}, {
		name: "claim that nobody uses, and the controller manager is dead", target: "persistentvolumeclaims/data", verdict: report.Stuck,
		objects: []string{claim(deleted(5*time.Second, "kubernetes.io/pvc-protection")), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "claim that nobody uses, for an hour", target: "persistentvolumeclaims/data", verdict: report.Undetermined,
		objects: []string{claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), managerAlive()}, says: []string{"long ago"},
	}, {
		name: "claim, and pods may not be listed", target: "persistentvolumeclaims/data", verdict: report.Undetermined, deny: "pods",
		objects: []string{claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), managerDead()}, says: []string{"reading pods in shop, and you may not"},
	}, {
		name: "volume whose claim is alive", target: "persistentvolumes/disk", verdict: report.Stuck,
		objects: []string{
			object("v1", "PersistentVolume", "", "disk", deleted(time.Hour, "kubernetes.io/pv-protection"),
				"spec: {persistentVolumeReclaimPolicy: Delete, claimRef: {namespace: shop, name: data, uid: persistentvolumeclaim-data}}\nstatus: {phase: Bound}"),
			claim(""),
		},
		causes: []string{"StillInUse PersistentVolumeClaim/shop/data"}, remedy: "-n shop delete persistentvolumeclaims/data",
	}, {
		name: "volume whose claim was replaced by another of the same name", target: "persistentvolumes/disk", verdict: report.Undetermined,
		objects: []string{
			object("v1", "PersistentVolume", "", "disk", deleted(time.Hour, "kubernetes.io/pv-protection"),
				"spec: {claimRef: {namespace: shop, name: data, uid: former}}\nstatus: {phase: Bound}"),
			claim(""), managerAlive(),
		},
	}, {
		name: "volume whose claim waits for a pod on a dead node", target: "persistentvolumes/disk", verdict: report.Stuck,
		objects: []string{
			object("v1", "PersistentVolume", "", "disk", deleted(time.Hour, "kubernetes.io/pv-protection"),
				"spec: {claimRef: {namespace: shop, name: data, uid: persistentvolumeclaim-data}}\nstatus: {phase: Bound}"),
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), pod("db", time.Hour, "n1", usesData), node("n1", "False", ""),
		},
		causes: []string{"NodeNotReady Node/n1"},
	}, {
		name: "namespace that was deleted a moment ago", target: "namespaces/shop", verdict: report.Progressing,
		objects: []string{namespace(3*time.Second, ""), configMap("left", ""), managerAlive()},
	}, {
		name: "namespace without conditions, and the controller manager is dead", target: "namespaces/shop", verdict: report.Stuck,
		objects: []string{namespace(time.Second, ""), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "namespace with custom resources that share a finalizer", target: "namespaces/shop", verdict: report.Undetermined,
		objects: []string{
			namespace(time.Hour, condition("NamespaceContentRemaining", "True", "Some resources are remaining: databases.shop.example.com has 3 resource instances, configmaps. has 1 resource instances")),
			object("shop.example.com/v1", "Database", "shop", "orders", deleted(time.Hour, "shop.example.com/cleanup"), ""),
			object("shop.example.com/v1", "Database", "shop", "carts", deleted(time.Hour, "shop.example.com/cleanup"), ""),
			object("shop.example.com/v1", "Database", "shop", "users", deleted(time.Hour, "shop.example.com/cleanup"), ""),
			configMap("held", deleted(time.Hour, "example.com/hold")),
		},
		// What frees most comes first.
		causes: []string{"ControllerUnknown Database/shop/carts × 3", "ControllerUnknown ConfigMap/shop/held"},
	}, {
		name: "namespace with a pod, while the conditions say that all is well", target: "namespaces/shop", verdict: report.Undetermined,
		objects: []string{
			namespace(time.Hour, contentGone), object("v1", "Pod", "shop", "held", deleted(time.Hour, "example.com/hold")+", deletionGracePeriodSeconds: 0", ""),
			configMap("untouched", "finalizers: [example.com/innocent]"),
		},
		causes: []string{"ControllerUnknown Pod/shop/held"},
	}, {
		name: "namespace, and pods may not be listed", target: "namespaces/shop", verdict: report.Undetermined, deny: "pods",
		objects: []string{namespace(time.Hour, contentGone), managerAlive()},
	}, {
		name: "namespace whose discovery fails", target: "namespaces/shop", verdict: report.Undetermined, failed: "metrics.example.com/v1",
		objects: []string{namespace(time.Hour, contentGone+", "+condition("NamespaceDeletionDiscoveryFailure", "True", "Discovery failed for some groups, 1 failing: metrics.example.com/v1")), managerAlive()},
		says:    []string{"can't be discovered"},
	}, {
		name: "namespace in which a deletion is refused", target: "namespaces/shop", verdict: report.Undetermined,
		objects: []string{
			namespace(time.Hour, condition("NamespaceContentRemaining", "True", "Some resources are remaining: configmaps. has 1 resource instances")+", "+
				condition("NamespaceDeletionContentFailure", "True", "Failed to delete all resource types, 1 remaining: admission webhook \"w\" denied the request")),
			configMap("guarded", ""), managerAlive(),
		},
		says: []string{"a deletion inside it that fails"},
	}, {
		name: "namespace with a foreign entry in spec.finalizers", target: "namespaces/shop", verdict: report.Undetermined,
		objects: []string{object("v1", "Namespace", "", "shop", deleted(time.Hour), "spec: {finalizers: [openshift.io/origin]}")},
		causes:  []string{"ControllerUnknown Namespace/shop"}, says: []string{"openshift.io/origin of spec.finalizers"},
	}, {
		name: "owner whose dependents were just found", target: "configmaps/owner", verdict: report.Progressing,
		objects: []string{configMap("owner", deleted(3*time.Second, "foregroundDeletion")), configMap("child", owned("owner", true)), managerAlive()},
	}, {
		name: "owner whose dependent is not deleted", target: "configmaps/owner", verdict: report.Stuck,
		objects: []string{configMap("owner", deleted(time.Hour, "foregroundDeletion")), configMap("child", owned("owner", true)), configMap("free", owned("owner", false)), managerAlive()},
		causes:  []string{"DependentNotDeleted ConfigMap/shop/child"}, remedy: "-n shop delete configmaps/owner --cascade=background",
	}, {
		name: "owner whose dependent is not deleted, and the controller manager is dead", target: "configmaps/owner", verdict: report.Stuck,
		objects: []string{configMap("owner", deleted(time.Hour, "foregroundDeletion")), configMap("child", owned("owner", true)), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "owner whose only blocking dependent is in another namespace", target: "configmaps/owner", verdict: report.Undetermined,
		objects: []string{
			configMap("owner", deleted(time.Hour, "foregroundDeletion")),
			object("v1", "ConfigMap", "elsewhere", "child", deleted(time.Hour, "example.com/hold")+", "+owned("owner", true), ""),
		},
		causes: []string{"ControllerUnknown ConfigMap/elsewhere/child"},
	}, {
		name: "owner without dependents, as far as can be seen", target: "configmaps/owner", verdict: report.Undetermined, deny: "databases",
		objects: []string{configMap("owner", deleted(time.Hour, "foregroundDeletion")), managerAlive()}, says: []string{"databases.shop.example.com"},
	}, {
		name: "owner without dependents, and the collector has yet to come", target: "configmaps/owner", verdict: report.Progressing,
		objects: []string{configMap("owner", deleted(2*time.Second, "foregroundDeletion")), managerAlive()},
	}, {
		name: "three that own each other", target: "configmaps/a", verdict: report.Stuck,
		objects: []string{
			configMap("a", deleted(time.Hour, "foregroundDeletion")+", "+owned("b", true)),
			configMap("b", deleted(time.Hour, "foregroundDeletion")+", "+owned("c", true)),
			configMap("c", deleted(time.Hour, "foregroundDeletion")+", "+owned("a", true)),
		},
		causes: []string{"OwnershipDeadlock ConfigMap/shop/a"}, remedy: "--cascade=background",
	}, {
		name: "a finalizer of Kubernetes that is not looked into", target: "configmaps/owner", verdict: report.Undetermined,
		objects: []string{configMap("owner", deleted(time.Hour, "orphan")), managerAlive()}, says: []string{"owner references"},
	}, {
		name: "nothing holds it any more", target: "configmaps/x", verdict: report.Progressing,
		objects: []string{configMap("x", deleted(time.Second))},
	}, {
		name: "alive", target: "persistentvolumeclaims/data", verdict: report.NotTerminating,
		objects: []string{claim("finalizers: [kubernetes.io/pvc-protection, example.com/hold]")},
		says:    []string{"not being deleted", "no pod that was given a node", "example.com/hold"},
	}}
}

func TestWhy(t *testing.T) {
	for _, c := range whyCases() {
		t.Run(c.name, func(t *testing.T) {
			memory := c.memory(t)
			if c.deny != "" {
				memory.Deny(c.deny)
			}
			result, err := c.why(t.Context(), t, memory)
			if err != nil {
				t.Fatal(err)
			}
			c.check(t, result)
		})
	}
}

func (c whyCase) memory(t *testing.T) *clustertest.Memory {
	t.Helper()
	memory, err := clustertest.New(now, strings.Join(c.objects, "---\n"))
	if err != nil {
		t.Fatal(err)
	}
	if c.failed != "" {
		version, _ := schema.ParseGroupVersion(c.failed)
		memory.Failed = map[schema.GroupVersion]error{version: errors.New("stale")}
	}
	return memory
}

func (c whyCase) why(ctx context.Context, t *testing.T, memory *clustertest.Memory) (*report.Diagnosis, error) {
	t.Helper()
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := memory.Catalog(ctx)
	if err != nil {
		t.Fatal(err)
	}
	kind, name, _ := strings.Cut(c.target, "/")
	resource, found := catalog.Find(schema.ParseGroupResource(kind))
	if !found {
		t.Fatalf("the test's cluster doesn't serve %s", kind)
	}
	target := diagnosis.Target{Resource: resource, Name: name}
	if resource.Namespaced {
		target.Namespace = "shop"
	}
	return diagnosis.Why(ctx, mechanism.NewWorld(memory, known, mechanism.Kubectl{Context: "test"}), target)
}

func (c whyCase) check(t *testing.T, result *report.Diagnosis) {
	t.Helper()
	if result.Verdict != c.verdict {
		t.Errorf("the verdict is %s, want %s: %s", result.Verdict, c.verdict, result.Summary)
	}
	if diff := cmp.Diff(c.causes, causesOf(result), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("root causes (-want +got):\n%s", diff)
	}
	for _, text := range c.says {
		if !strings.Contains(result.Summary, text) {
			t.Errorf("the summary doesn't say %q: %s", text, result.Summary)
		}
	}
	offered := false
	for _, cause := range result.RootCauses {
		for _, remedy := range cause.Remedies {
			offered = offered || strings.Contains(remedy.Command, c.remedy)
		}
	}
	if c.remedy != "" && !offered {
		t.Errorf("no remedy has %q: %+v", c.remedy, result.RootCauses)
	}
}

func causesOf(result *report.Diagnosis) []string {
	var causes []string
	for _, cause := range result.RootCauses {
		text := fmt.Sprintf("%s %s/%s", cause.Reason, cause.Object.Kind, cause.Object.Path())
		if cause.Count > 1 {
			text += fmt.Sprintf(" × %d", cause.Count)
		}
		causes = append(causes, text)
	}
	return causes
}

// TestWhyWithEverythingDenied asks every question again as somebody who may read the target and
// nothing else: nothing may be concluded from what can't be seen.
func TestWhyWithEverythingDenied(t *testing.T) {
	for _, c := range whyCases() {
		t.Run(c.name, func(t *testing.T) {
			memory := c.memory(t)
			first := true
			memory.Before = func(string) {
				if !first {
					memory.Deny("*")
				}
				first = false
			}
			result, err := c.why(t.Context(), t, memory)
			if err != nil {
				t.Fatal(err)
			}
			for _, cause := range result.RootCauses {
				if cause.Reason != "ControllerUnknown" || cause.Object.UID != result.Target.UID {
					t.Errorf("%s of %s is concluded from nothing", cause.Reason, cause.Object)
				}
			}
			if len(memory.Reads) > 1 && result.Verdict != report.Undetermined && c.verdict != report.NotTerminating && !onlyLookedAgain(memory) {
				t.Errorf("the verdict is %s although reads were denied: %s", result.Verdict, result.Summary)
			}
		})
	}
}

// onlyLookedAgain tells whether the only read after the target's was that of the target again, by
// which a diagnosis makes sure that it is still there.
func onlyLookedAgain(memory *clustertest.Memory) bool {
	return !slices.ContainsFunc(memory.Reads, func(read string) bool { return read != memory.Reads[0] })
}

func TestWhyTargetVanishes(t *testing.T) {
	c := whyCase{target: "persistentvolumeclaims/data", objects: []string{claim(deleted(time.Second, "kubernetes.io/pvc-protection")), managerAlive()}}
	for _, recreated := range []bool{false, true} {
		memory := c.memory(t)
		memory.Before = func(what string) {
			if !strings.HasPrefix(what, "persistentvolumeclaims") {
				memory.Remove("PersistentVolumeClaim", "data")
				if recreated {
					memory.Add(strings.Replace(claim(""), "persistentvolumeclaim-data", "another", 1))
				}
			}
		}
		_, err := c.why(t.Context(), t, memory)
		var gone *diagnosis.GoneError
		if !errors.As(err, &gone) || gone.Recreated != recreated {
			t.Errorf("the target vanished (recreated: %t) and the answer is %v", recreated, err)
		}
	}
}

func TestWhyTargetUnreadable(t *testing.T) {
	c := whyCase{target: "configmaps/x", objects: []string{configMap("x", "")}}
	memory := c.memory(t)
	memory.Deny("configmaps")
	if _, err := c.why(t.Context(), t, memory); !apierrors.IsForbidden(err) {
		t.Errorf("a forbidden target: %v, want the server's refusal", err)
	}
	c.target = "configmaps/y"
	if _, err := c.why(t.Context(), t, c.memory(t)); !apierrors.IsNotFound(err) {
		t.Errorf("an absent target: %v, want not found", err)
	}
}

// TestWhyInterrupted cancels after each read in turn: what is known by then is told, never more.
func TestWhyInterrupted(t *testing.T) {
	c := whyCase{target: "persistentvolumeclaims/data", objects: []string{
		claim(deleted(time.Hour, "kubernetes.io/pvc-protection", "example.com/hold")), pod("db", time.Hour, "n1", usesData), node("n1", "False", ""),
	}}
	for reads := 1; reads <= 3; reads++ {
		memory := c.memory(t)
		ctx, cancel := context.WithCancel(t.Context())
		seen := 0
		memory.Before = func(string) {
			if seen++; seen > reads {
				cancel()
			}
		}
		result, err := c.why(ctx, t, memory)
		cancel()
		if err != nil {
			t.Fatalf("interrupted after %d reads: %v", reads, err)
		}
		if result.Verdict == report.Progressing || !slices.ContainsFunc(result.RootCauses, func(cause report.RootCause) bool { return cause.Reason == "ControllerUnknown" }) {
			t.Errorf("interrupted after %d reads: %s %v", reads, result.Verdict, causesOf(result))
		}
		if reads < 3 && len(result.Observations)+len(result.Unreadable) == 0 {
			t.Errorf("interrupted after %d reads, and the result doesn't say so", reads)
		}
	}
}

// TestNoSecretsAreFetched makes sure that Secrets and ConfigMaps are only ever read as metadata.
func TestNoSecretsAreFetched(t *testing.T) {
	for _, kind := range []string{"Secret", "ConfigMap"} {
		if mechanism.ReadWhole(schema.GroupKind{Kind: kind}) {
			t.Errorf("%s is read as a whole", kind)
		}
	}
}
