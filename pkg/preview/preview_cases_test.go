package preview_test

import (
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// cleanup is the finalizer of a controller that isn't there.
const cleanup = "finalizers: [shop.example.com/cleanup]"

// running are the objects by which a cluster shows that it works.
func running() []string { return []string{manager(), node("True")} }

const below = "ConfigMap/top"

func cases() []previewCase {
	top, held := configMap("top", ""), "finalizers: [example.com/hold]"
	mid := secret("mid", ownedBy(true, below))
	return []previewCase{
		{name: "nothing below", objects: []string{manager(), top}, target: "configmaps/top", outcome: result.WouldGo,
			goes: "configmaps/top", says: []string{"Deleting ConfigMap shop/top would finish."}},
		{name: "applied again", target: "configmaps/top", outcome: result.WouldGo, goes: "configmaps/top",
			objects: []string{
				manager(), configMap("top", "annotations: {argocd.argoproj.io/tracking-id: 'web:/ConfigMap:shop/top'}"),
			},
			says: []string{"ConfigMap shop/top is applied by Application web, which may create it again"}},
		{name: "background", objects: []string{manager(), top, mid, pod("leaf", ""), node("True")}, target: "configmaps/top",
			outcome: result.WouldGo, goes: "configmaps/top secrets/mid",
			says: []string{"delete 2 objects", "Data would be lost for good", "DATA of Secret shop/mid"}},
		{
			name:    "background, a dependent that hangs",
			objects: []string{manager(), top, secret("mid", ownedBy(true, below)+", "+held)},
			target:  "configmaps/top", outcome: result.MayHang, goes: "configmaps/top secrets/mid",
			says: []string{"example.com/hold on secrets (1 object, which may hang)."},
		},
		{name: "foreground, a dependent that hangs holds its owner", cascade: metav1.DeletePropagationForeground,
			objects: []string{manager(), top, configMap("mid", ownedBy(true, below)+", "+held)}, target: "configmaps/top",
			outcome: result.MayHang, goes: "configmaps/mid configmaps/top"},
		{name: "foreground, a dependent that does not block goes after its owner",
			cascade: metav1.DeletePropagationForeground, target: "configmaps/top", outcome: result.WouldGo,
			objects: []string{manager(), top, configMap("blocks", ownedBy(true, below)), secret("mid", ownedBy(false, below))},
			goes:    "configmaps/blocks configmaps/top secrets/mid"},
		{name: "foreground, a dependent that hangs and does not block its owner",
			cascade: metav1.DeletePropagationForeground, target: "configmaps/top", outcome: result.MayHang,
			objects: []string{manager(), top, secret("mid", ownedBy(false, below)+", "+held)},
			goes:    "configmaps/top secrets/mid",
			says:    []string{"ConfigMap shop/top would go, but what is deleted with it may not."}},
		{
			name: "orphan", cascade: metav1.DeletePropagationOrphan, objects: []string{manager(), top, mid},
			target:  "configmaps/top",
			outcome: result.WouldGo, goes: "configmaps/top", stays: "Orphaned mid",
			says: []string{"Secret shop/mid stays, without this owner", "--cascade=orphan"},
		},
		{
			name: "orphan, with a webhook by URL on the update of the dependent", cascade: metav1.DeletePropagationOrphan,
			objects: []string{
				manager(), namespace(), top, mid, hookCalledBy("url: 'https://192.0.2.9/x'", "UPDATE", "", "secrets"),
			},
			target: "configmaps/top", outcome: result.MayHang, goes: "configmaps/top", stays: "Orphaned mid",
			says: []string{"ValidatingWebhookConfiguration hook has a webhook that is asked about that by URL"},
		},
		{
			name: "orphan, with a webhook by URL on the update of others", cascade: metav1.DeletePropagationOrphan,
			objects: []string{
				manager(), namespace(), top, mid, hookCalledBy("url: 'https://192.0.2.9/x'", "UPDATE", "", "services"),
			},
			target: "configmaps/top", outcome: result.WouldGo, goes: "configmaps/top", stays: "Orphaned mid",
		},
		{name: "two owners, one stays", objects: []string{manager(), top, configMap("other", ""),
			secret("mid", ownedBy(false, below, "ConfigMap/other"))}, target: "configmaps/top",
			outcome: result.WouldGo, goes: "configmaps/top", stays: "KeptByOwner mid",
			says: []string{"because ConfigMap shop/other also owns"}},
		{name: "two owners, both go", objects: []string{manager(), namespace(), top, configMap("other", ""),
			secret("mid", ownedBy(false, below, "ConfigMap/other"))}, target: "namespaces/shop", outcome: result.WouldGo,
			goes: "configmaps/other configmaps/top secrets/mid namespaces/shop"},
		{name: "an owner without namespace, dependents in several", objects: []string{
			manager(), object("v1", "PersistentVolume", "/root", "", ""),
			configMap("a/one", ownedBy(false, "PersistentVolume/root")),
			configMap("b/two", ownedBy(false, "PersistentVolume/root"))}, target: "persistentvolumes/root",
			outcome: result.WouldGo, goes: "persistentvolumes/root configmaps/one configmaps/two"},
		{name: "a definition's instances", objects: []string{manager(), definition(), database("")},
			target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", outcome: result.WouldGo,
			goes: "databases.shop.example.com/orders customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com"},
		{name: "a definition's instances are not asked about", objects: []string{
			manager(), definition(), database(""), hook("DELETE", "shop.example.com", "databases")},
			target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", outcome: result.WouldGo,
			goes: "databases.shop.example.com/orders customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com"},
		{name: "content whose deletion is refused", objects: []string{
			manager(), namespace(), database(""), hook("DELETE", "shop.example.com", "databases")},
			target: "namespaces/shop", outcome: result.WouldHang, goes: "databases.shop.example.com/orders namespaces/shop",
			refuses: "ValidatingWebhookConfiguration/hook"},
		{name: "pods of a Job that another controller manages go with it", objects: []string{manager(),
			object("batch/v1", "Job", "run", "", "spec: {managedBy: example.com/queue}"),
			object("v1", "Pod", "run-1", "finalizers: [batch.kubernetes.io/job-tracking], "+
				"ownerReferences: [{apiVersion: batch/v1, kind: Job, name: run, uid: job-run, controller: true}]", "spec: {}")},
			target: "jobs.batch/run", outcome: result.WouldGo, goes: "jobs.batch/run pods/run-1",
			says: []string{"kube-controller-manager, which is running, removes it"}},
		{name: "content of several kinds that one webhook refuses", objects: []string{
			manager(), namespace(), top, secret("key", ""), hook("DELETE", "", "'*'")},
			target: "namespaces/shop", outcome: result.WouldBeRefused, goes: "configmaps/top secrets/key namespaces/shop",
			refuses: "ValidatingWebhookConfiguration/hook",
			says:    []string{"It would refuse the deletion of ConfigMap shop/top and Secret shop/key, too."}},
		{name: "content that a webhook in the namespace refuses, whose backend is missing", objects: []string{
			manager(), namespace(), top, hookCalledBy("service: {namespace: shop, name: hook}", "DELETE", "", "configmaps")},
			target: "namespaces/shop", outcome: result.WouldHang, goes: "configmaps/top namespaces/shop",
			refuses: "ValidatingWebhookConfiguration/hook", never: "install it again",
			says: []string{"set its failurePolicy to Ignore"}},
		{name: "the request itself is refused", objects: []string{manager(), top, hook("DELETE", "", "configmaps")},
			target: "configmaps/top", outcome: result.WouldBeRefused, goes: "configmaps/top",
			refuses: "ValidatingWebhookConfiguration/hook",
			says:    []string{"ValidatingWebhookConfiguration hook would refuse the deletion"}},
		{name: "content whose deletion a webhook outside has to allow", objects: []string{manager(), namespace(), top,
			hookCalledBy("url: 'https://192.0.2.9/x'", "DELETE", "", "configmaps")}, target: "namespaces/shop",
			outcome: result.MayHang, goes: "configmaps/top namespaces/shop", says: []string{
				"it is not clear whether ValidatingWebhookConfiguration hook allows it.", "WEBHOOKS THAT WOULD BE CALLED",
				"about the deletion of ConfigMap shop/top, and it may refuse.",
				"It is called by URL (https://192.0.2.9/x), which this tool can't check. With failurePolicy Fail, " +
					"the API server refuses the deletion if the webhook does not answer."}},
		{
			name:    "a webhook without a backend that may be ignored",
			objects: []string{manager(), top, ignored(hook("DELETE", "", "configmaps"))},
			target:  "configmaps/top", outcome: result.WouldGo, goes: "configmaps/top", never: "webhook",
		},
		{
			name:    "a webhook that may be ignored and is up is asked",
			objects: append(answering(), manager(), top, ignored(hook("DELETE", "", "configmaps"))),
			target:  "configmaps/top", outcome: result.WouldGo, goes: "configmaps/top", says: []string{
				"asks webhook hook.example.com about the deletion of ConfigMap shop/top, and it may refuse. Its answer"},
		},
		{
			name: "a webhook that may be ignored, and whose backend could not be read", deny: "services",
			objects: []string{manager(), top, ignored(hook("DELETE", "", "configmaps"))},
			target:  "configmaps/top", outcome: result.MayHang, goes: "configmaps/top", unread: "services",
			says: []string{"about the deletion of ConfigMap shop/top, and it may refuse. Its answer can't be known"},
		},
		{
			name:    "a webhook that is up is asked",
			objects: append(answering(), manager(), top, hook("DELETE", "", "configmaps")),
			target:  "configmaps/top", outcome: result.WouldGo, goes: "configmaps/top", says: []string{
				"asks webhook hook.example.com about the deletion of ConfigMap shop/top, and it may refuse. Its answer"},
		},
		{name: "a pod on a dead node", objects: []string{manager(), pod("web", ""), node("Unknown")}, target: "pods/web",
			outcome: result.WouldHang, goes: "pods/web", causes: "NodeNotReady Node/n1",
			says: []string{"Until then, the object would stay Terminating."}},
		{name: "a pod on a node that was created a moment ago", target: "pods/web", outcome: result.MayHang,
			objects: []string{manager(), pod("web", ""), object("v1", "Node", "/n1",
				"creationTimestamp: '2026-01-02T11:59:30Z'", "")}, goes: "pods/web",
			says: []string{"was created 30s ago, has not reported yet and may still be starting"}},
		{
			name:    "a claim in use by a pod that stays",
			objects: []string{manager(), node("True"), pod("web", "data"), claim(), volume("Retain")},
			target:  "persistentvolumeclaims/data", outcome: result.WouldHang, goes: "persistentvolumeclaims/data",
			causes: "StillInUse Pod/web",
			says:   []string{"with its data (reclaim policy Retain)", "It would wait for Pod shop/web, which still uses it"},
		},
		{name: "a claim that was deleted before goes with its last pod, and its volume with it", target: "pods/web",
			outcome: result.WouldGo, goes: "pods/web persistentvolumeclaims/data",
			objects: []string{manager(), node("True"), pod("web", "data"), volume("Delete"), driver(), strings.Replace(claim(),
				"finalizers:", "deletionTimestamp: '2026-01-02T11:00:00Z', finalizers:", 1)},
			says: []string{"ALL ITS DATA", `"Retain"`, "Data would be lost for good.",
				"- PersistentVolumeClaim shop/data has been Terminating for 1h. This deletion also releases it."}},
		{name: "a claim that was deleted before stays with another pod", target: "pods/web", outcome: result.WouldGo,
			objects: []string{manager(), node("True"), pod("web", "data"), pod("other", "data"), volume("Delete"),
				strings.Replace(claim(), "finalizers:", "deletionTimestamp: '2026-01-02T11:00:00Z', finalizers:", 1)},
			goes: "pods/web", never: "PersistentVolumeClaim"},
		{name: "a step that keeps data is told once", target: "persistentvolumeclaims/data", outcome: result.WouldHang,
			objects: []string{manager(), node("True"), pod("web", "data"), claim(), volume("Delete"), driver()},
			goes:    "persistentvolumeclaims/data", causes: "StillInUse Pod/web", says: []string{`"Retain"`}},
		{name: "a claim in use by a pod that goes too", objects: []string{
			manager(), namespace(), node("True"), pod("web", "data"), claim(), volume("Delete"), driver()},
			target: "namespaces/shop", outcome: result.WouldGo, goes: "pods/web persistentvolumeclaims/data namespaces/shop",
			says: []string{"size 10Gi", "ALL ITS DATA", `"Retain"`}},
		{name: "a webhook's Service goes", objects: []string{manager(), object("v1", "Service", "hooks/hook", "", "spec: {}"),
			hook("CREATE", "apps", "deployments")}, target: "services/hook", outcome: result.WouldGo, goes: "services/hook",
			says: []string{"loses its backend Service hooks/hook. The API server then refuses every request"}},
		{name: "a load balancer", objects: []string{manager(), object("v1", "Service", "lb", "",
			"spec: {type: LoadBalancer}\nstatus: {loadBalancer: {ingress: [{ip: 192.0.2.7}]}}")}, target: "services/lb",
			outcome: result.WouldGo, goes: "services/lb", says: []string{"The load balancer of Service shop/lb (192.0.2.7)"}},
		{name: "a load balancer that nobody has made", objects: []string{manager(), object("v1", "Service", "lb", "",
			"spec: {type: LoadBalancer}")}, target: "services/lb", outcome: result.WouldGo, goes: "services/lb",
			never: "load balancer"},
		{name: "a volume that nothing is known to delete", objects: []string{manager(), node("True"), claim(),
			strings.Replace(volume("Delete"), "pv.kubernetes.io/provisioned-by", "example.com/made-by", 1)},
			target: "persistentvolumeclaims/data", outcome: result.WouldGo, goes: "persistentvolumeclaims/data",
			says: []string{"Data may be lost for good", "Perhaps PersistentVolume disk"}, never: "Data would be lost"},
		{name: "what hangs, and what may", objects: []string{manager(), namespace(), node("Unknown"), pod("web", ""),
			configMap("unclear", "finalizers: [example.com/hold]")}, target: "namespaces/shop", outcome: result.WouldHang,
			goes:   "pods/web configmaps/unclear namespaces/shop",
			causes: "NodeNotReady Node/n1, ControllerUnknown ConfigMap/unclear",
			says: []string{"Pod shop/web would hang. ConfigMap shop/unclear may also hang.",
				"example.com/hold on configmaps (1 object, which may hang)."}},
		{name: "all that one node holds is named", target: "namespaces/shop", outcome: result.WouldHang,
			objects: []string{manager(), namespace(), node("Unknown"), pod("web", "data"), pod("other", ""), claim(),
				volume("Retain")}, goes: "pods/other pods/web persistentvolumeclaims/data namespaces/shop",
			causes: "NodeNotReady Node/n1", says: []string{"finish: Pod shop/other and Pod shop/web would hang."}},
		{name: "a namespace that is never deleted", objects: []string{manager(), object("v1", "Namespace", "/default", "",
			"spec: {finalizers: [kubernetes]}\nstatus: {phase: Active}")}, target: "namespaces/default",
			outcome: result.WouldBeRefused, says: []string{"the API server always refuses to delete it."}},
		{name: "a definition hangs on its instances", objects: append(running(), definition(), database(cleanup),
			object("shop.example.com/v1", "Database", "other", cleanup, "")),
			target:  "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com",
			outcome: result.WouldHang, goes: "databases.shop.example.com/orders databases.shop.example.com/other " +
				"customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com",
			causes: "ControllerMissing Database/orders", says: []string{
				"customresourcedefinitions.apiextensions.k8s.io (1 object, which would hang): kube-apiserver removes it",
				"The same applies to Database shop/other."}},
		{name: "refused, and hangs after that", objects: append(running(), database(cleanup),
			hook("DELETE", "shop.example.com", "databases")), target: "databases.shop.example.com/orders",
			outcome: result.WouldBeRefused, goes: "databases.shop.example.com/orders",
			causes:  "ControllerMissing Database/orders",
			refuses: "ValidatingWebhookConfiguration/hook",
			says:    []string{"Without that refusal, Database shop/orders would hang."}},
		{name: "an event of what hangs goes too, and stays true", objects: []string{
			manager(), namespace(), object("v1", "Service", "lb",
				"finalizers: [service.kubernetes.io/load-balancer-cleanup], deletionTimestamp: '2026-01-02T11:00:00Z'",
				"spec: {type: LoadBalancer}\nstatus: {loadBalancer: {ingress: [{ip: 192.0.2.1}]}}"),
			object("v1", "Event", "told", "", "involvedObject: {uid: service-lb}\ntype: Warning\n"+
				"reason: SyncLoadBalancerFailed\nmessage: it is in use by a VPN\nlastTimestamp: '2026-01-02T11:59:00Z'\n"+
				"source: {component: service-controller}")},
			target: "namespaces/shop", outcome: result.WouldHang, goes: "services/lb events/told namespaces/shop",
			says: []string{"it is in use by a VPN"}},
		{
			name:    "events are nothing to miss",
			objects: []string{manager(), namespace(), top, object("v1", "Event", "told", "", "")},
			target:  "namespaces/shop", outcome: result.WouldGo, says: []string{"and delete 2 objects"}, never: "events",
		},
		{name: "pods come first", objects: []string{manager(), namespace(), node("True"), top, pod("web", "")},
			target: "namespaces/shop", outcome: result.WouldGo, goes: "pods/web configmaps/top namespaces/shop"},
		{name: "what is in it was deleted before", objects: append(running(), namespace(), top, pod("web", ""),
			configMap("going", held+`, deletionTimestamp: "2026-01-02T11:00:00Z"`)), target: "namespaces/shop",
			outcome: result.MayHang, goes: "pods/web configmaps/going configmaps/top namespaces/shop", says: []string{
				"ConfigMap shop/going, which is already being deleted.", "\nALREADY TERMINATING\n",
				"- ConfigMap shop/going has been Terminating for 1h.",
			}},
		{name: "already deleted", objects: []string{configMap("top", held+`, deletionTimestamp: "2026-01-02T11:00:00Z"`)},
			target: "configmaps/top", outcome: result.AlreadyDeleted,
			says: []string{"is already being deleted", "\nTO SEE WHAT BLOCKS IT\n"}},
		{name: "an owner that can't be read", deny: "persistentvolumes", objects: []string{
			manager(), top, secret("mid", ownedBy(false, below, "PersistentVolume/other"))}, target: "configmaps/top",
			outcome: result.MayHang, goes: "configmaps/top", stays: "OwnerNotRead mid", says: []string{"may stay"},
			unread: "persistentvolumes"},
	}
}
