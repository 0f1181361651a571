package zoo_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

//go:embed views/owners.yaml
var ownersData string

//go:embed views/controllers.yaml
var controllersData string

// atOnce are scenarios that can be broken side by side, without long waits, and whose questions list
// can answer.
func atOnce() []string {
	return []string{
		"S01", "S02", "S03", "S04", "S07", "S08", "S13", "S14", "S15", "S20", "S21", "S24", "S25", "S26", "S29", "S30", "S31",
		"S33", "S36", "S37", "S40", "S43", "S50", "S57",
	}
}

// TestViews breaks one control plane in more than twenty ways at once, and looks at all of it: list, tree and check, as
// a user who may do everything and as a user with rights in two namespaces, and again with a dead APIService and a
// conversion webhook that is gone.
func TestViews(t *testing.T) {
	t.Parallel() // it waits more than it works
	plane := controlplane.ForTest(t)
	breaker, err := zoo.NewBreaker(plane)
	if err != nil {
		t.Fatal(err)
	}
	scenarios := breakAtOnce(t, breaker)
	breakOwners(t, plane, breaker)
	controllers, err := zoo.ParseSteps([]byte(controllersData))
	if err != nil {
		t.Fatal(err)
	}
	if err := breaker.Break(t.Context(), controllers); err != nil {
		t.Fatal(err)
	}
	v := &viewer{t: t, plane: plane}
	if v.admin, err = plane.UserKubeconfig(t.Context(), "zoo", "views-admin", controlplane.ClusterAdmins); err != nil {
		t.Fatal(err)
	}
	t.Run("list", func(t *testing.T) { v.with(t).checkList(scenarios, false) })
	t.Run("check", func(t *testing.T) { v.with(t).checkCheck() })
	t.Run("tree", func(t *testing.T) { v.with(t).checkTree() })
	t.Run("metrics", func(t *testing.T) { v.with(t).checkMetrics() })
	t.Run("from a recording", func(t *testing.T) { v.with(t).checkRecorded() })
	t.Run("a thousand alike", func(t *testing.T) { v.with(t).checkMany() })
	t.Run("few rights", func(t *testing.T) { v.with(t).checkFewRights() })
	t.Run("with a dead APIService and a broken conversion webhook", func(t *testing.T) {
		all, _ := zoo.All()
		for _, scenario := range all {
			if scenario.ID == "S16" || scenario.ID == "S22" {
				if err := breaker.Break(t.Context(), scenario); err != nil {
					t.Fatal(err)
				}
			}
		}
		v := v.with(t)
		v.checkList(scenarios, true)
		v.checkCheck()
		v.checkTree()
		v.checkMetrics()
	})
	asker := &asker{plane: plane, user: "views-admin", kubeconfig: v.admin}
	checkReads(t, asker.requests(t))
}

func breakAtOnce(t *testing.T, breaker *zoo.Breaker) []zoo.Scenario {
	t.Helper()
	all, err := zoo.All()
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(scenario zoo.Scenario) bool { return !slices.Contains(atOnce(), scenario.ID) })
	var breaking sync.WaitGroup
	for _, scenario := range all {
		breaking.Go(func() {
			if err := breaker.Break(t.Context(), scenario); err != nil {
				t.Errorf("%s: %v", scenario.ID, err)
			}
		})
	}
	breaking.Wait()
	return all
}

// breakOwners makes the dependents of each row, and the owner in another namespace.
func breakOwners(t *testing.T, plane *controlplane.ControlPlane, breaker *zoo.Breaker) {
	t.Helper()
	far, err := zoo.ParseSteps([]byte("id: far\nsteps:\n- apply: |\n    apiVersion: v1\n    kind: Namespace\n" +
		"    metadata: {name: views-far}\n    ---\n    apiVersion: v1\n    kind: ConfigMap\n" +
		"    metadata: {name: far, namespace: views-far}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := breaker.Break(t.Context(), far); err != nil {
		t.Fatal(err)
	}
	client, err := plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	owner, err := client.CoreV1().ConfigMaps("views-far").Get(t.Context(), "far", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := zoo.ParseSteps([]byte(strings.ReplaceAll(ownersData, "${far}", string(owner.UID))))
	if err != nil {
		t.Fatal(err)
	}
	if err := breaker.Break(t.Context(), rows); err != nil {
		t.Fatal(err)
	}
}

// viewer looks at the whole cluster, as of one moment: what is compared may take long to ask for.
type viewer struct {
	t     *testing.T
	plane *controlplane.ControlPlane
	admin string
	at    time.Time
}

func (v *viewer) with(t *testing.T) *viewer {
	return &viewer{t: t, plane: v.plane, admin: v.admin, at: time.Now()}
}

func (v *viewer) run(kubeconfig string, args ...string) reply {
	asks := &asker{at: v.at}
	return asks.run(context.WithoutCancel(v.t.Context()), append(args, "--kubeconfig", kubeconfig)...)
}

// show logs the whole answer of a command for who wants to read all: a failure says what differs.
func (v *viewer) show(args ...string) {
	if testing.Verbose() {
		v.t.Log(v.run(v.admin, args...).out)
	}
}

func (v *viewer) decode(into any, kubeconfig string, args ...string) {
	v.t.Helper()
	answer := v.run(kubeconfig, append(args, "-o", "json")...)
	if answer.code != 0 {
		v.t.Fatalf("%v: exit code %d: %s", args, answer.code, answer.errOut)
	}
	if err := json.Unmarshal([]byte(answer.out), into); err != nil {
		v.t.Fatal(err)
	}
}

func (v *viewer) checkTree() {
	v.t.Helper()
	for name, flaw := range flaws() {
		target := []string{"tree", "configmap/" + name, "-n", "views"}
		if strings.HasPrefix(name, "views-") {
			target = []string{"tree", "clusterrole/" + name}
		}
		var tree result.Tree
		v.decode(&tree, v.admin, target...)
		if !slices.ContainsFunc(tree.Edges, func(edge result.TreeEdge) bool {
			return edge.Type == finding.Owns && edge.Reference == flaw && tree.Nodes[edge.To].Name == name
		}) {
			v.t.Errorf("the tree of %s doesn't show %s: %+v", name, flaw, tree.Edges)
		}
	}
	var tree result.Tree
	v.decode(&tree, v.admin, "tree", "configmap/owner", "-n", "views")
	v.show("tree", "configmap/owner", "-n", "views")
	below := map[string]finding.Ownership{}
	for _, edge := range tree.Edges {
		if edge.Type == finding.Owns && tree.Nodes[edge.From].Name == "owner" {
			below[tree.Nodes[edge.To].Name] = edge.Reference
		}
	}
	want := map[string]finding.Ownership{
		"a01-valid": finding.Honoured, "a04-misnamed": finding.OwnerMisnamed,
		"views-a08-cluster-scoped": finding.DependentClusterScoped,
	}
	if diff := cmp.Diff(want, below); diff != "" {
		v.t.Errorf("dependents of configmap/owner (-want +got):\n%s", diff)
	}
	v.show("tree", "-A")
}

// checkFewRights looks as a user who may read all of two namespaces, and nothing else.
func (v *viewer) checkFewRights() {
	v.t.Helper()
	kubeconfig, err := v.plane.UserKubeconfig(v.t.Context(), "zoo", "views-few")
	if err != nil {
		v.t.Fatal(err)
	}
	for _, ns := range []string{"s02", "views"} {
		rule := rbacv1.PolicyRule{APIGroups: []string{"*"}, Resources: []string{"*"}, Verbs: []string{"get", "list"}}
		if err := v.plane.Grant(v.t.Context(), "views-few", ns, rule); err != nil {
			v.t.Fatal(err)
		}
	}
	var list result.List
	v.decode(&list, kubeconfig, "list", "-n", "s02")
	// The dependent is removed; which object of an unreadable kind holds its owner is not known.
	if len(list.Items) != 2 || len(list.RootCauses) != 1 || list.RootCauses[0].Frees != 1 {
		v.t.Errorf("list -n s02: %+v\n%s", list, v.run(kubeconfig, "list", "-n", "s02").out)
	}
	if all := v.run(kubeconfig, "list", "-A"); all.code != 1 || !strings.Contains(all.errOut, "-n") {
		v.t.Errorf("list -A with rights in two namespaces: %d %s%s", all.code, all.out, all.errOut)
	}
	var check result.Check
	v.decode(&check, kubeconfig, "check", "-n", "views")
	if !slices.ContainsFunc(check.Findings,
		func(reported result.Finding) bool { return reported.Reference == finding.OwnerUnserved }) {
		v.t.Errorf("check -n views: %+v", check)
	}
	var tree result.Tree
	v.decode(&tree, kubeconfig, "tree", "configmap/dependent", "-n", "s02")
	if len(tree.Nodes) != 2 || len(tree.Unreadable) == 0 {
		v.t.Errorf("tree -n s02: %+v", tree)
	}
}
