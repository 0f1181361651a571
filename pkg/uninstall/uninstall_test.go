package uninstall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/uninstall"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

type planCase struct {
	name      string
	objects   []string
	target    string   // RESOURCE/NAMESPACE/NAME
	manifests []string // the same
	release   string
	project   string
	deny      string

	state  result.UninstallState
	steps  string // PHASE KIND/NAME ...
	causes string // REASON KIND/NAME
	says   []string
	never  []string
}

func (c planCase) ask(t *testing.T) (*result.UninstallPlan, error) {
	t.Helper()
	memory, err := clustertest.New(now, strings.Join(c.objects, "\n---\n"))
	if err != nil {
		t.Fatal(err)
	}
	if c.deny != "" {
		memory.Deny(c.deny)
	}
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	options := uninstall.Options{Options: mechanism.Options{Plugins: known}, Release: c.release, Project: c.project}
	if c.target != "" {
		options.Object = new(targetOf(t, memory, c.target))
	}
	for _, name := range c.manifests {
		options.Manifests = append(options.Manifests, targetOf(t, memory, name))
	}
	return uninstall.Plan(t.Context(), memory, options)
}

func targetOf(t *testing.T, memory *clustertest.Memory, name string) session.Target {
	t.Helper()
	servedKinds, err := memory.ServedKinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(name, "/")
	resource, found := servedKinds.Find(schema.ParseGroupResource(parts[0]))
	if !found {
		t.Fatalf("no %s", parts[0])
	}
	return session.Target{Resource: resource, Namespace: parts[1], Name: parts[2]}
}

func printed(t *testing.T, plan *result.UninstallPlan, format string) string {
	t.Helper()
	var out strings.Builder
	style := print.Style{Width: 80, Table: table.Draw}
	if err := print.Result(t.Context(), &out, plan, format, style); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestPlan plans for clusters in memory.
func TestPlan(t *testing.T) {
	for _, c := range planCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			plan, err := c.ask(t)
			if err != nil {
				t.Fatal(err)
			}
			text := printed(t, plan, "wide")
			t.Log("\n" + text)
			if plan.State != c.state {
				t.Errorf("it is %s, want %s", plan.State, c.state)
			}
			if steps := stepsOf(plan); steps != c.steps {
				t.Errorf("the steps are\n%s\nwant\n%s", steps, c.steps)
			}
			var causes []string
			for _, cause := range plan.RootCauses {
				causes = append(causes, fmt.Sprintf("%s %s/%s", cause.Reason, cause.Object.Kind, cause.Object.Name))
			}
			if is := strings.Join(causes, ", "); is != c.causes {
				t.Errorf("the causes are %s, want %s", is, c.causes)
			}
			flat := strings.Join(strings.Fields(strings.ReplaceAll(text, "\\\n", "")), " ")
			for _, says := range c.says {
				if !strings.Contains(flat, says) {
					t.Errorf("it doesn't say %q", says)
				}
			}
			for _, never := range append(c.never, "has no words") {
				if strings.Contains(flat, never) {
					t.Errorf("it says %q", never)
				}
			}
		})
	}
}

// stepsOf are the steps that delete or release something, with what they name.
func stepsOf(plan *result.UninstallPlan) string {
	var lines []string
	for _, step := range plan.Steps {
		words := []string{string(step.Phase)}
		for _, object := range step.Objects {
			words = append(words, object.Kind+"/"+object.Name)
		}
		slices.Sort(words[1:])
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, "\n")
}

const parts = `Hooks ValidatingWebhookConfiguration/operator
Operator Deployment/operator
Definition CustomResourceDefinition/databases.shop.example.com
Rest ClusterRole/operator ClusterRoleBinding/operator Service/operator ServiceAccount/operator`

func planCases() []planCase {
	held := database("orders", ours, "")
	paused := database("orders", ours+", annotations: {shop.example.com/paused: 'true'}", "")
	return []planCase{
		{
			name: "a deployment", objects: append(operator(1), held), target: "deployments.apps/system/operator",
			state: result.UninstallReady, steps: "Keep\nInstances Database/orders\n" + parts,
			says: []string{
				"Ready: Deployment system/operator can be uninstalled in 6 steps without leaving anything stuck.",
				"1 object of 1 kind must be deleted first, while it runs.",
				"> databases.shop.example.com.yaml",
				"kubectl -n shop delete databases.shop.example.com/orders --ignore-not-found --wait=false",
				"kubectl finalizers why databases.shop.example.com/orders -n shop --watch --until stuck --timeout 10m",
			},
		},
		{
			name: "an object that is being deleted already", target: "deployments.apps/system/operator",
			objects: append(operator(1), database("orders", ours+", deletionTimestamp: '2026-01-02T11:59:58Z'", "")),
			state:   result.UninstallReady, steps: "Keep\nInstances Database/orders\n" + parts,
			says: []string{"Wait until Database shop/orders, whose deletion was requested before, is gone. Until then, " +
				"Deployment system/operator must run."},
			never: []string{"Delete Database shop/orders"},
		},
		{
			name: "another workload runs as its account", target: "deployments.apps/system/operator",
			objects: append(operator(1), held, runsAs("operator")), state: result.UninstallUnclear,
			causes: "ControllerUnknown Database/orders", // which of the two is it?
			steps: "Keep\nInstances Database/orders\n" +
				strings.NewReplacer("ClusterRole/operator ClusterRoleBinding/operator ", "", " ServiceAccount/operator",
					"").Replace(parts),
			says: []string{"DaemonSet system/agent runs as ServiceAccount system/operator too, and is not part of the plan."},
		},
		{
			name: "another workload runs as another account", target: "deployments.apps/system/operator",
			objects: append(operator(1), held, runsAs("agent")), state: result.UninstallReady,
			steps: "Keep\nInstances Database/orders\n" + parts, never: []string{"is not part of the plan"},
		},
		{
			name: "a deployment that has only just been started", objects: append(starting(), held),
			target: "deployments.apps/system/operator", state: result.UninstallUnclear,
			steps: "Keep\nInstances Database/orders\n" + parts, never: []string{"Ready:"},
		},
		{
			name: "a definition, whose controller has only just been started", objects: append(starting(), held),
			target: "customresourcedefinitions.apiextensions.k8s.io//databases.shop.example.com",
			state:  result.UninstallUnclear, steps: "Keep\nInstances Database/orders\n" +
				"Definition CustomResourceDefinition/databases.shop.example.com",
			says:  []string{"Deployment system/operator has only just been started: make the plan again when it runs."},
			never: []string{"while it runs"},
		},
		{
			name: "objects that are made for one which stays", target: "deployments.apps/system/operator",
			objects: append(operator(1), controlled("controller: true"), object("v1", "ConfigMap", "job", "", "")),
			state:   result.UninstallUnclear, steps: "Keep\nInstances Database/orders\n" + parts,
			says: []string{"ConfigMap shop/job owns objects that the steps delete. What created these may create them again"},
		},
		{
			name: "objects with an owner that does not control them", target: "deployments.apps/system/operator",
			objects: append(operator(1), controlled("controller: false"), object("v1", "ConfigMap", "job", "", "")),
			state:   result.UninstallReady, steps: "Keep\nInstances Database/orders\n" + parts,
		},
		{
			name: "a release", objects: append(operator(1), held), release: "store",
			state: result.UninstallReady, steps: "Keep\nInstances Database/orders\n" + parts,
		},
		{
			name: "another release", objects: append(operator(1), held), release: "other",
			state: result.UninstallDone, says: []string{"Nothing of release other was found in this cluster."},
		},
		{
			name: "a release whose name is misspelt", objects: append(operator(1), held), release: "stroe",
			state: result.UninstallDone,
			says:  []string{"Nothing of release stroe was found in this cluster. Did you mean store?"},
		},
		{
			name: "manifests", objects: append(operator(1), held),
			manifests: []string{
				"deployments.apps/system/operator", "customresourcedefinitions.apiextensions.k8s.io//databases.shop.example.com",
				"namespaces//system", "configmaps/system/none",
			},
			state: result.UninstallReady,
			steps: "Keep\nInstances Database/orders\n" + parts + "\nNamespace Namespace/system",
		},
		{
			name: "a definition", objects: append(operator(1), held),
			target: "customresourcedefinitions.apiextensions.k8s.io//databases.shop.example.com",
			state:  result.UninstallReady,
			steps:  "Keep\nInstances Database/orders\nDefinition CustomResourceDefinition/databases.shop.example.com",
			says:   []string{"the operator stays"},
		},
		{
			name: "a namespace", objects: append(operator(1), held), target: "namespaces//system",
			state: result.UninstallReady,
			steps: "Keep\nInstances Database/orders\n" + parts + "\nNamespace Namespace/system",
		},
		{
			name: "it is scaled to zero", objects: append(operator(0), held), target: "deployments.apps/system/operator",
			state: result.UninstallBlocked, steps: "Keep\nInstances Database/orders\n" + parts,
			causes: "ControllerDown Deployment/operator",
			says: []string{
				"Blocked: Deployment system/operator is not running. It can't be uninstalled yet without " +
					"leaving objects stuck: Database shop/orders would hang.",
				"scale deployments.apps/operator",
			},
		},
		{
			name:    "it is gone",
			objects: append(controlPlane(), held, definition("databases", "shop.example.com", "Database", "")),
			manifests: []string{
				"deployments.apps/system/operator", "customresourcedefinitions.apiextensions.k8s.io//databases.shop.example.com",
			},
			state:  result.UninstallBlocked,
			steps:  "Keep\nInstances Database/orders\nDefinition CustomResourceDefinition/databases.shop.example.com",
			causes: "ControllerMissing Database/orders", says: []string{"The controller was not found in this cluster."},
		},
		{
			name: "nothing is left of its objects", objects: operator(1), target: "deployments.apps/system/operator",
			state: result.UninstallReady, steps: parts,
		},
		{
			name: "it is paused", objects: append(operator(1), paused), target: "deployments.apps/system/operator",
			state: result.UninstallBlocked, steps: "Keep\nInstances Database/orders\n" + parts,
			causes: "ReconciliationPaused Database/orders",
		},
		{
			name: "volumes", objects: append(append(operator(1), held), claim()...),
			target: "deployments.apps/system/operator", state: result.UninstallReady,
			steps: "Keep\nKeep\nInstances Database/orders\n" + parts,
			says: []string{"Data may be lost for good", "persistentVolumeReclaimPolicy",
				"Also deletes: PersistentVolumeClaim shop/data."},
		},
		{
			name: "its controller reports trouble", objects: append(operator(1), database("orders", ours,
				"status: {conditions: [{type: Ready, status: 'False', reason: ConnectFailed, "+
					"message: 'cannot connect to provider: connection refused', lastTransitionTime: '2026-01-02T10:00:00Z'}]}")),
			target: "deployments.apps/system/operator", state: result.UninstallUnclear,
			steps: "Keep\nInstances Database/orders\n" + parts, causes: "ControllerFailing Database/orders",
			says: []string{"connection refused", "MAY HANG"}, never: []string{"WOULD HANG"},
		},
		{
			name: "what is left in its namespace", objects: append(operator(1),
				object("coordination.k8s.io/v1", "Lease", "system/operator-lock", "", "")),
			target: "deployments.apps/system/operator", state: result.UninstallReady, steps: parts,
			says: []string{"Lease system/operator-lock stays in Namespace system, in which nothing else runs."},
		},
		{
			name: "another operator's kind in a group below", objects: append(operator(1),
				definition("buckets", "infra.example.net", "Bucket", ""),
				object("infra.example.net/v1", "Bucket", "b", "finalizers: [bucket.shop.example.com]", "")),
			target: "deployments.apps/system/operator", state: result.UninstallReady, steps: parts,
			never: []string{"Bucket"},
		},
		{
			name: "an operator that Argo CD applies", objects: append(operator(1),
				object("v1", "ConfigMap", "system/settings", "annotations: {meta.helm.sh/release-name: store, "+
					"meta.helm.sh/release-namespace: system, argocd.argoproj.io/tracking-id: 'shop:/ConfigMap:system/settings'}", "")),
			target: "deployments.apps/system/operator", state: result.UninstallReady,
			steps: strings.Replace(parts, " Service/", " ConfigMap/settings Service/", 1),
			says:  []string{"ConfigMap system/settings and perhaps others are applied by Application shop"},
		},
		{
			name: "a project", objects: append(operator(1),
				object("apps/v1", "Deployment", "certs/cert-manager", "", "spec: {replicas: 1, selector: {matchLabels: {a: b}}, "+
					"template: {metadata: {labels: {a: b}}, spec: {containers: [{name: m, image: m}]}}}"),
				definition("challenges", "acme.cert-manager.io", "Challenge", "")),
			project: "cert-manager", state: result.UninstallReady,
			steps: "Operator Deployment/cert-manager\nDefinition CustomResourceDefinition/challenges.acme.cert-manager.io",
		},
		{
			name: "references", objects: append(operator(1),
				database("a", ours, "spec: {databaseRef: {name: b}}"), database("b", ours, "spec: {databaseRef: {name: c}}"),
				database("c", ours, "")),
			target: "deployments.apps/system/operator", state: result.UninstallReady,
			steps: "Keep\nInstances Database/a\nInstances Database/b\nInstances Database/c\n" + parts,
		},
		{
			name: "guests", objects: append(operator(1), held,
				object("v1", "Service", "other/web", "finalizers: [shop.example.com/dns]", "spec: {}")),
			target: "deployments.apps/system/operator", state: result.UninstallReady,
			steps: "Keep\nInstances Database/orders\n" +
				strings.Replace(parts, "\nDefinition", "\nRelease Service/web\nDefinition", 1),
			says: []string{"Remove the finalizer shop.example.com/dns from Service other/web",
				`{"op":"remove","path":"/metadata/finalizers/0"}`},
		},
		{
			name: "a guest with two finalizers", objects: append(operator(1), held,
				object("v1", "Service", "other/web", "finalizers: [shop.example.com/dns, shop.example.com/log]", "spec: {}")),
			target: "deployments.apps/system/operator", state: result.UninstallReady,
			steps: "Keep\nInstances Database/orders\n" +
				strings.Replace(parts, "\nDefinition", "\nRelease Service/web\nRelease Service/web\nDefinition", 1),
			says: []string{`"path":"/metadata/finalizers/0","value":"shop.example.com/dns"`,
				`"path":"/metadata/finalizers/0","value":"shop.example.com/log"`},
		},
		{
			name: "a class in use", objects: append(operator(1),
				object("storage.k8s.io/v1", "StorageClass", "/fast", byHelm, "provisioner: shop.example.com"),
				object("v1", "PersistentVolumeClaim", "data", "", "spec: {storageClassName: fast}")),
			target: "deployments.apps/system/operator", state: result.UninstallReady,
			steps: strings.Replace(parts, "Hooks ", "Hooks StorageClass/fast ", 1),
			says:  []string{"PersistentVolumeClaim shop/data uses StorageClass fast, which is deleted."},
		},
		{
			name: "its objects can't be listed", objects: append(operator(1), held),
			target: "deployments.apps/system/operator", deny: "databases",
			state: result.UninstallUnclear, steps: parts,
			says: []string{"Some things could not be read, so the plan may lack objects.", "NOT LOOKED AT",
				"databases.shop.example.com: the objects of its kind could not be listed"},
			never: []string{"without leaving anything stuck."},
		},
	}
}

// TestPlanWithEverythingDenied has no read succeed: nothing is concluded.
func TestPlanWithEverythingDenied(t *testing.T) {
	c := planCase{objects: append(operator(1), database("orders", ours, "")), release: "store", deny: "*"}
	plan, err := c.ask(t)
	if err != nil {
		t.Fatal(err)
	}
	if plan.State != result.UninstallUnclear || len(plan.Unreadable) == 0 {
		t.Errorf("%s, with %d unread", plan.State, len(plan.Unreadable))
	}
	c.release, c.target = "", "deployments.apps/system/operator"
	if plan, err := c.ask(t); err == nil {
		t.Errorf("it plans without having read the target: %+v", plan)
	}
}

// TestPlanWithEachReadDenied has each kind denied in turn: a plan that lacks a read is never ready, and says so.
func TestPlanWithEachReadDenied(t *testing.T) {
	for _, kind := range []string{
		"pods", "services", "secrets", "namespaces", "persistentvolumeclaims", "persistentvolumes", "deployments",
		"serviceaccounts", "clusterroles", "clusterrolebindings", "rolebindings", "databases", "customresourcedefinitions",
		"validatingwebhookconfigurations", "apiservices", "storageclasses", "leases",
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			objects := append(append(operator(1), database("orders", ours, "")), claim()...)
			plan, err := planCase{objects: objects, release: "store", deny: kind}.ask(t)
			if err != nil {
				t.Fatal(err)
			}
			if plan.State == result.UninstallReady || plan.State == result.UninstallDone || len(plan.Unreadable) == 0 {
				t.Errorf("%s: %s (%v)", plan.State, plan.Summary, plan.Unreadable)
			}
		})
	}
}
