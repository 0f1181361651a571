package preview_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/preview"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

var now = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// object is one in namespace shop, or in none where its name begins with a slash; its uid is its kind and name.
func object(apiVersion, kind, name, meta, rest string) string {
	namespace := "shop"
	if strings.HasPrefix(name, "/") {
		namespace, name = "", name[1:]
	}
	if before, after, elsewhere := strings.Cut(name, "/"); elsewhere {
		namespace, name = before, after
	}
	if meta != "" {
		meta = ", " + meta
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {namespace: %q, name: %s, uid: %s-%s%s}\n%s",
		apiVersion, kind, namespace, name, strings.ToLower(kind), name, meta, rest)
}

func configMap(name, meta string) string { return object("v1", "ConfigMap", name, meta, "") }

func secret(name, meta string) string { return object("v1", "Secret", name, meta, "") }

// ownedBy are references to owners, each a KIND/NAME of core/v1.
func ownedBy(block bool, owners ...string) string {
	var references []string
	for _, owner := range owners {
		kind, name, _ := strings.Cut(owner, "/")
		references = append(references, fmt.Sprintf("{apiVersion: v1, kind: %s, name: %s, uid: %s-%s, blockOwnerDeletion: %t}",
			kind, name, strings.ToLower(kind), name, block))
	}
	return "ownerReferences: [" + strings.Join(references, ", ") + "]"
}

// manager is kube-controller-manager, alive.
func manager() string {
	return object("coordination.k8s.io/v1", "Lease", "kube-system/kube-controller-manager", "",
		fmt.Sprintf("spec: {holderIdentity: me, leaseDurationSeconds: 40, renewTime: %q}",
			now.Add(-2*time.Second).Format("2006-01-02T15:04:05.000000Z07:00")))
}

func namespace() string {
	return object("v1", "Namespace", "/shop", "", "spec: {finalizers: [kubernetes]}\nstatus: {phase: Active}")
}

func node(ready string) string {
	return object("v1", "Node", "/n1", "", fmt.Sprintf(
		"status: {conditions: [{type: Ready, status: %q, reason: Told, lastTransitionTime: %q}]}", ready,
		now.Add(-time.Hour).Format(time.RFC3339)))
}

func pod(name, claim string) string {
	volumes := ""
	if claim != "" {
		volumes = fmt.Sprintf(", volumes: [{name: v, persistentVolumeClaim: {claimName: %s}}]", claim)
	}
	return object("v1", "Pod", name, "", "spec: {nodeName: n1"+volumes+"}\nstatus: {phase: Running}")
}

func claim() string {
	return object("v1", "PersistentVolumeClaim", "data", "finalizers: [kubernetes.io/pvc-protection]",
		"spec: {volumeName: disk}")
}

func volume(policy string) string {
	return object("v1", "PersistentVolume", "/disk", "annotations: {pv.kubernetes.io/provisioned-by: csi.example.com}",
		"spec: {capacity: {storage: 10Gi}, persistentVolumeReclaimPolicy: "+policy+
			", claimRef: {namespace: shop, name: data, uid: persistentvolumeclaim-data}, csi: {driver: csi.example.com, volumeHandle: h}}")
}

func database(meta string) string {
	return object("shop.example.com/v1", "Database", "orders", meta, "")
}

func definition() string {
	return object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "/databases.shop.example.com", "",
		"spec: {group: shop.example.com, scope: Namespaced, names: {plural: databases, kind: Database}, "+
			"versions: [{name: v1, served: true, storage: true}]}")
}

// hook asks a Service that answers for nothing about an operation.
func hook(operation, group, resource string) string {
	return object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "/hook", "", fmt.Sprintf(
		"webhooks: [{name: hook.example.com, failurePolicy: Fail, sideEffects: None, admissionReviewVersions: [v1], "+
			"clientConfig: {service: {namespace: %s, name: hook}}, "+
			"rules: [{operations: [%s], apiGroups: [%q], apiVersions: ['*'], resources: [%s]}]}]", "hooks", operation, group, resource))
}

type previewCase struct {
	name    string
	objects []string
	target  string // RESOURCE/NAME
	cascade metav1.DeletionPropagation
	deny    string

	outcome report.Outcome
	goes    string // RESOURCE/NAME in the order of kinds
	causes  string // REASON KIND/NAME
	refuses string // KIND/NAME what would refuse
	stays   string // WHY NAME
	says    []string
	unread  string
}

const below = "ConfigMap/top"

func cases() []previewCase {
	top, held := configMap("top", ""), "finalizers: [example.com/hold]"
	mid := secret("mid", ownedBy(true, below))
	return []previewCase{
		{name: "nothing below", objects: []string{manager(), top}, target: "configmaps/top", outcome: report.WouldGo,
			goes: "configmaps/top", says: []string{"Deleting ConfigMap shop/top would finish."}},
		{name: "background", objects: []string{manager(), top, mid, pod("leaf", ""), node("True")}, target: "configmaps/top",
			outcome: report.WouldGo, goes: "configmaps/top secrets/mid",
			says: []string{"take 2 objects", "Data would be lost for good", "DATA of Secret shop/mid"}},
		{name: "background, a dependent that hangs", objects: []string{manager(), top, secret("mid", ownedBy(true, below)+", "+held)},
			target: "configmaps/top", outcome: report.MayHang, goes: "configmaps/top secrets/mid",
			says: []string{"example.com/hold on secrets (1): it may hang"}},
		{name: "foreground, a dependent that hangs holds its owner", cascade: metav1.DeletePropagationForeground,
			objects: []string{manager(), top, configMap("mid", ownedBy(true, below)+", "+held)}, target: "configmaps/top",
			outcome: report.MayHang, goes: "configmaps/top configmaps/mid"},
		{name: "orphan", cascade: metav1.DeletePropagationOrphan, objects: []string{manager(), top, mid}, target: "configmaps/top",
			outcome: report.WouldGo, goes: "configmaps/top", stays: "Orphaned mid",
			says: []string{"Secret shop/mid is left without this owner", "--cascade=orphan"}},
		{name: "two owners, one stays", objects: []string{manager(), top, configMap("other", ""),
			secret("mid", ownedBy(false, below, "ConfigMap/other"))}, target: "configmaps/top",
			outcome: report.WouldGo, goes: "configmaps/top", stays: "KeptByOwner mid",
			says: []string{"because of another owner, ConfigMap shop/other"}},
		{name: "two owners, both go", objects: []string{manager(), namespace(), top, configMap("other", ""),
			secret("mid", ownedBy(false, below, "ConfigMap/other"))}, target: "namespaces/shop", outcome: report.WouldGo,
			goes: "namespaces/shop configmaps/other configmaps/top secrets/mid"},
		{name: "an owner without namespace, dependents in several", objects: []string{
			manager(), object("v1", "PersistentVolume", "/root", "", ""), configMap("a/one", ownedBy(false, "PersistentVolume/root")),
			configMap("b/two", ownedBy(false, "PersistentVolume/root"))}, target: "persistentvolumes/root",
			outcome: report.WouldGo, goes: "persistentvolumes/root configmaps/one configmaps/two"},
		{name: "a definition's instances", objects: []string{manager(), definition(), database("")},
			target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", outcome: report.WouldGo,
			goes: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com databases.shop.example.com/orders"},
		{name: "a definition's instances are not asked about", objects: []string{
			manager(), definition(), database(""), hook("DELETE", "shop.example.com", "databases")},
			target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", outcome: report.WouldGo,
			goes: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com databases.shop.example.com/orders"},
		{name: "content whose deletion is refused", objects: []string{
			manager(), namespace(), database(""), hook("DELETE", "shop.example.com", "databases")},
			target: "namespaces/shop", outcome: report.WouldHang, goes: "namespaces/shop databases.shop.example.com/orders",
			refuses: "ValidatingWebhookConfiguration/hook"},
		{name: "the request itself is refused", objects: []string{manager(), top, hook("DELETE", "", "configmaps")},
			target: "configmaps/top", outcome: report.WouldBeRefused, goes: "configmaps/top",
			refuses: "ValidatingWebhookConfiguration/hook", says: []string{"would be refused by ValidatingWebhookConfiguration hook"}},
		{name: "a pod on a dead node", objects: []string{manager(), pod("web", ""), node("Unknown")}, target: "pods/web",
			outcome: report.WouldHang, goes: "pods/web", causes: "NodeNotReady Node/n1"},
		{name: "a claim in use by a pod that stays", objects: []string{manager(), node("True"), pod("web", "data"), claim(), volume("Retain")},
			target: "persistentvolumeclaims/data", outcome: report.WouldHang, goes: "persistentvolumeclaims/data",
			causes: "StillInUse Pod/web", says: []string{"and its data stay"}},
		{name: "a claim in use by a pod that goes too", objects: []string{
			manager(), namespace(), node("True"), pod("web", "data"), claim(), volume("Delete")}, target: "namespaces/shop",
			outcome: report.WouldGo, goes: "namespaces/shop pods/web persistentvolumeclaims/data",
			says: []string{"size 10Gi", "ALL ITS DATA are deleted", `"Retain"`}},
		{name: "a webhook's Service goes", objects: []string{manager(), object("v1", "Service", "hooks/hook", "", "spec: {}"),
			hook("CREATE", "apps", "deployments")}, target: "services/hook", outcome: report.WouldGo, goes: "services/hook",
			says: []string{"loses its backend Service hooks/hook, and then refuses every request"}},
		{name: "a load balancer", objects: []string{manager(), object("v1", "Service", "lb", "",
			"spec: {type: LoadBalancer}\nstatus: {loadBalancer: {ingress: [{ip: 192.0.2.7}]}}")}, target: "services/lb",
			outcome: report.WouldGo, goes: "services/lb", says: []string{"The load balancer of Service shop/lb (192.0.2.7)"}},
		{name: "already deleted", objects: []string{configMap("top", held+`, deletionTimestamp: "2026-01-02T11:00:00Z"`)},
			target: "configmaps/top", outcome: report.AlreadyDeleted, says: []string{"is being deleted already"}},
		{name: "an owner that can't be read", deny: "persistentvolumes", objects: []string{
			manager(), top, secret("mid", ownedBy(false, below, "PersistentVolume/other"))}, target: "configmaps/top",
			outcome: report.MayHang, goes: "configmaps/top", stays: "OwnerNotRead mid", says: []string{"may stay"},
			unread: "persistentvolumes"},
	}
}

func (c previewCase) memory(t *testing.T) *clustertest.Memory {
	t.Helper()
	memory, err := clustertest.New(now, strings.Join(c.objects, "\n---\n"))
	if err != nil {
		t.Fatal(err)
	}
	if c.deny != "" {
		memory.Deny(c.deny)
	}
	return memory
}

func (c previewCase) ask(t *testing.T, memory *clustertest.Memory) (*report.Preview, error) {
	t.Helper()
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := memory.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	kind, name, _ := strings.Cut(c.target, "/")
	resource, found := catalog.Find(schema.ParseGroupResource(kind))
	if !found {
		t.Fatalf("no %s", kind)
	}
	asked := session.Target{Resource: resource, Name: name}
	switch {
	case resource.Namespaced && name == "hook":
		asked.Namespace = "hooks"
	case resource.Namespaced:
		asked.Namespace = "shop"
	}
	options := preview.Options{Options: mechanism.Options{Plugins: known}, Cascade: c.cascade}
	return preview.Preview(t.Context(), memory, asked, options)
}

// TestPreview follows deletions through clusters in memory.
func TestPreview(t *testing.T) {
	for _, c := range cases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			told, err := c.ask(t, c.memory(t))
			if err != nil {
				t.Fatal(err)
			}
			same := func(what, is, want string) {
				t.Helper()
				if is != want {
					t.Errorf("%s: %q, want %q", what, is, want)
				}
			}
			same("outcome", string(told.Outcome), string(c.outcome))
			var goes, causes, refuses, stays, unread []string
			for _, kind := range told.Goes {
				for _, one := range kind.Objects {
					goes = append(goes, kind.Resource+"/"+one.Name)
				}
			}
			for _, cause := range told.RootCauses {
				causes = append(causes, string(cause.Reason)+" "+cause.Object.Kind+"/"+cause.Object.Name)
			}
			for _, refused := range told.Refusals {
				refuses = append(refuses, refused.By.Kind+"/"+refused.By.Name)
			}
			for _, one := range told.Stays {
				stays = append(stays, string(one.Why)+" "+one.Objects[0].Name)
			}
			for _, one := range told.Unreadable {
				unread = append(unread, one.Resource)
			}
			slices.Sort(unread)
			if c.goes != "" {
				same("goes", strings.Join(goes, " "), c.goes)
			}
			if c.causes != "" || told.Outcome == report.WouldGo {
				same("causes", strings.Join(causes, ", "), c.causes)
			}
			same("refuses", strings.Join(refuses, ", "), c.refuses)
			same("stays", strings.Join(stays, ", "), c.stays)
			same("unread", strings.Join(slices.Compact(unread), " "), c.unread)
			text := human(t, told)
			for _, says := range c.says {
				if !strings.Contains(text, says) {
					t.Errorf("it doesn't say %q:\n%s", says, text)
				}
			}
			if strings.Contains(text, "has no words") || strings.Contains(text, "0s ago") {
				t.Errorf("it says:\n%s", text)
			}
			for line := range strings.Lines(text) {
				if len(line) > 81 && strings.HasPrefix(line, "  ") && strings.Contains(strings.TrimSpace(line), "   ") &&
					!strings.Contains(line, "customresourcedefinitions") {
					t.Errorf("a table is wider than 80 columns: %s", line)
				}
			}
		})
	}
}

// human is what people read, in one line for each paragraph.
func human(t *testing.T, told *report.Preview) string {
	t.Helper()
	var out strings.Builder
	if err := report.Print(&out, told, "human", report.Style{}); err != nil {
		t.Fatal(err)
	}
	return out.String() + strings.Join(strings.Fields(out.String()), " ")
}

// TestWithEachReadDenied asks again without each resource in turn: somebody who sees less may know less, and is never told
// that it would finish.
func TestWithEachReadDenied(t *testing.T) {
	for _, c := range cases() {
		if c.deny != "" || c.outcome == report.AlreadyDeleted {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			memory := c.memory(t)
			full, err := c.ask(t, memory)
			if err != nil {
				t.Fatal(err)
			}
			target, _, _ := strings.Cut(strings.ReplaceAll(c.target, "/", "."), ".")
			tried := map[string]bool{target: true}
			for _, read := range memory.Reads {
				resource, _, _ := strings.Cut(read, " ")
				resource, _, _ = strings.Cut(resource, ".")
				if tried[resource] {
					continue
				}
				tried[resource] = true
				blind := c.memory(t)
				blind.Deny(resource)
				lesser, err := c.ask(t, blind)
				if err != nil {
					t.Errorf("without %s: %v", resource, err)
					continue
				}
				if strings.HasPrefix(resource, "clusterrole") || strings.HasPrefix(resource, "role") {
					continue // who releases what stays: that is about no object of this deletion
				}
				if lesser.Outcome == report.WouldGo || len(lesser.Unreadable) == 0 {
					t.Errorf("without %s: %s (%v)", resource, lesser.Summary, lesser.Unreadable)
				}
				if full.Outcome == report.WouldGo && lesser.Outcome != report.MayHang {
					t.Errorf("without %s it is %s: %s", resource, lesser.Outcome, lesser.Summary)
				}
			}
		})
	}
}

// TestNothingReadable can't list anything but the target: that isn't taken for nothing there.
func TestNothingReadable(t *testing.T) {
	c := previewCase{objects: []string{configMap("top", "")}, target: "configmaps/top"}
	memory := c.memory(t)
	first := true
	memory.Before = func(what string) {
		if !first {
			memory.Deny("*")
		}
		first = false
	}
	told, err := c.ask(t, memory)
	if err != nil {
		t.Fatal(err)
	}
	if told.Outcome != report.MayHang || len(told.Unreadable) == 0 || !strings.Contains(told.Summary, "could not be looked at") {
		t.Errorf("%s: %s (%v)", told.Outcome, told.Summary, told.Unreadable)
	}
}

// TestOperatorGoes deletes a namespace with its operator and what only that releases: to delete that first prevents it.
func TestOperatorGoes(t *testing.T) {
	c := previewCase{target: "namespaces/shop", objects: []string{
		manager(), namespace(), node("True"), database("finalizers: [shop.example.com/cleanup]"),
		object("v1", "ServiceAccount", "operator", "", ""),
		object("apps/v1", "Deployment", "operator", "", "spec: {replicas: 1, selector: {matchLabels: {app: operator}}, "+
			"template: {metadata: {labels: {app: operator}}, spec: {serviceAccountName: operator, containers: [{name: m, image: m}]}}}\n"+
			"status: {replicas: 1, readyReplicas: 1, availableReplicas: 1}"),
		object("v1", "Pod", "operator-1", "labels: {app: operator}", "spec: {nodeName: n1, serviceAccountName: operator, containers: "+
			"[{name: m, image: m}]}\nstatus: {phase: Running, conditions: [{type: Ready, status: 'True'}]}"),
		object("rbac.authorization.k8s.io/v1", "ClusterRole", "/operator", "",
			"rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: ['*']}]"),
		object("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "/operator", "",
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}\n"+
				"subjects: [{kind: ServiceAccount, namespace: shop, name: operator}]"),
		object("shop.example.com/v1", "Database", "other/far", "finalizers: [shop.example.com/cleanup]", ""),
	}}
	told, err := c.ask(t, c.memory(t))
	if err != nil {
		t.Fatal(err)
	}
	if told.Outcome != report.WouldHang || len(told.RootCauses) != 1 || told.RootCauses[0].Reason != finding.ControllerMissing {
		t.Fatalf("%s: %s %+v", told.Outcome, told.Summary, told.RootCauses)
	}
	first := told.RootCauses[0].Remedies[0]
	if want := "-n shop delete databases.shop.example.com/orders"; !strings.Contains(first.Command.String(), want) {
		t.Errorf("the first step is %s: %s", first.Action, first.Command)
	}
	text := human(t, told)
	if !strings.Contains(text, "other/far") {
		t.Errorf("it says nothing of what is elsewhere:\n%s", text)
	}
}
