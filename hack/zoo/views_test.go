package zoo_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
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

// TestViews breaks one control plane in more than twenty ways at once, and looks at all of it: list, tree and
// check, as somebody who may do everything and as somebody with rights in two namespaces, and again with
// a dead APIService and a conversion webhook that is gone.
func TestViews(t *testing.T) {
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
	far, err := zoo.ParseSteps([]byte("id: far\nsteps:\n- apply: |\n    apiVersion: v1\n    kind: Namespace\n    metadata: {name: views-far}\n    ---\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: far, namespace: views-far}\n"))
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

// viewer looks at the whole cluster.
type viewer struct {
	t     *testing.T
	plane *controlplane.ControlPlane
	admin string
}

func (v *viewer) with(t *testing.T) *viewer { return &viewer{t: t, plane: v.plane, admin: v.admin} }

func (v *viewer) run(kubeconfig string, args ...string) reply {
	var out, errOut strings.Builder
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
	code := cli.Execute(context.WithoutCancel(v.t.Context()), streams, append(args, "--kubeconfig", kubeconfig))
	return reply{code: code, out: out.String(), errOut: errOut.String()}
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

// checkList compares each scenario's target in one list of everything with its true answer. With a dead
// APIService, namespaces wait for that as well.
func (v *viewer) checkList(scenarios []zoo.Scenario, broken bool) {
	v.t.Helper()
	var list report.List
	v.decode(&list, v.admin, "list", "-A")
	v.t.Log(v.run(v.admin, "list", "-A").out)
	for _, scenario := range scenarios {
		for _, question := range scenario.Questions() {
			kind, name, _ := strings.Cut(question.Target, "/")
			at := slices.IndexFunc(list.Items, func(item report.ListItem) bool {
				return item.Target.Name == name && (item.Target.Namespace == question.Namespace || item.Target.Namespace == "") && sameKind(kind, item)
			})
			if at < 0 {
				v.t.Errorf("%s: %s is not listed", scenario.ID, question.Target)
				continue
			}
			if broken && (list.Items[at].Target.Kind == "Namespace" || scenario.ID == "S50") {
				continue // what holds these, or since when, is another matter by now
			}
			v.compare(scenario.ID, question.Want, list.Items[at])
		}
	}
	if !broken {
		return
	}
	for ns, reason := range map[string]graph.Reason{"s16": graph.APIServiceUnavailable, "s22": graph.ConversionWebhookUnavailable} {
		if !slices.ContainsFunc(list.Items, func(item report.ListItem) bool {
			return item.Target.Kind == "Namespace" && item.Target.Name == ns && slices.ContainsFunc(item.RootCauses, func(cause report.ItemCause) bool { return cause.Reason == reason })
		}) {
			v.t.Errorf("namespace %s doesn't wait for %s", ns, reason)
		}
	}
	if !slices.ContainsFunc(list.Unreadable, func(one report.Unreadable) bool { return strings.Contains(one.Resource, "s16.example.com") }) {
		v.t.Errorf("that s16.example.com can't be discovered is not said: %+v", list.Unreadable)
	}
}

// sameKind tells whether a type as kubectl takes it may be that of a listed object.
func sameKind(kind string, item report.ListItem) bool {
	short := map[string]string{"ns": "namespace", "cm": "configmap", "pvc": "persistentvolumeclaim", "pv": "persistentvolume", "crd": "customresourcedefinition", "vac": "volumeattributesclass"}
	if long := short[kind]; long != "" {
		kind = long
	}
	kind, _, _ = strings.Cut(kind, ".")
	return strings.EqualFold(kind, item.Target.Kind) || strings.HasPrefix(item.Resource, kind)
}

func (v *viewer) compare(id string, want zoo.Answer, item report.ListItem) {
	v.t.Helper()
	var wanted, got []string
	for _, cause := range want.Causes {
		wanted = append(wanted, fmt.Sprintf("%s × %d", cause.Reason, max(1, cause.Count)))
	}
	for _, cause := range item.RootCauses {
		reason := string(cause.Reason)
		for _, one := range want.Causes {
			if zoo.OneOf(one.Reason, reason) {
				reason = one.Reason
			}
		}
		got = append(got, fmt.Sprintf("%s × %d", reason, cause.Count))
	}
	slices.Sort(wanted)
	slices.Sort(got)
	if diff := cmp.Diff(wanted, got); diff != "" || !zoo.OneOf(want.Verdict, string(item.Verdict)) {
		v.t.Errorf("%s: %s is %s, want %s: %s\n%s", id, item.Target, item.Verdict, want.Verdict, item.Summary, diff)
	}
}

// flaws are what is wrong in owners.yaml, by dependent.
func flaws() map[string]graph.Ownership {
	return map[string]graph.Ownership{
		"a02-absent": graph.OwnerAbsent, "a03-replaced": graph.OwnerReplaced, "a04-misnamed": graph.OwnerMisnamed, "a06-unserved": graph.OwnerUnserved,
		"a07-elsewhere": graph.OwnerElsewhere, "views-a08-cluster-scoped": graph.DependentClusterScoped, "a19-self": graph.OwnersCycle, "cycle-1": graph.OwnersCycle, "cycle-2": graph.OwnersCycle,
	}
}

func (v *viewer) checkCheck() {
	v.t.Helper()
	var check report.Check
	v.decode(&check, v.admin, "check", "-A")
	v.t.Log(v.run(v.admin, "check", "-A").out)
	found := map[string]map[graph.Ownership]bool{}
	reasons := map[graph.Reason]bool{}
	for _, finding := range check.Findings {
		for _, ref := range append([]graph.Ref{finding.Object}, finding.Others...) {
			if found[ref.Name] == nil {
				found[ref.Name] = map[graph.Ownership]bool{}
			}
			found[ref.Name][finding.Reference] = true
			if ref.Name == "plain" {
				reasons[finding.Reason] = true
			}
		}
	}
	for name, flaw := range flaws() {
		if !found[name][flaw] {
			v.t.Errorf("%s: %s is not found, but %v", name, flaw, found[name])
		}
	}
	for _, name := range []string{"a01-valid", "a05-version", "a09-cluster-owner", "owner"} {
		if found[name] != nil {
			v.t.Errorf("%s is fine, and %v is found", name, found[name])
		}
	}
	if !reasons[report.DuplicateFinalizer] || !reasons[report.UnqualifiedFinalizer] {
		v.t.Errorf("the finalizers of widget/plain: %v", reasons)
	}
	v.checkControllers(check)
	if code := v.run(v.admin, "check", "-A", "--exit-code").code; code != 2 {
		v.t.Errorf("check --exit-code ends with %d", code)
	}
}

// checkControllers looks for the live objects whose operator is missing or down among the findings, each kind once.
func (v *viewer) checkControllers(check report.Check) {
	v.t.Helper()
	found := map[string]string{}
	for _, finding := range check.Findings {
		if finding.Finalizer == "keep.example.com/cleanup" {
			found[finding.Object.Kind] += fmt.Sprintf("%s × %d", finding.Reason, finding.Count)
		}
	}
	want := map[string]string{"Left": "ControllerMissing × 3", "Paused": "ControllerDown × 2"}
	if diff := cmp.Diff(want, found); diff != "" {
		v.t.Errorf("finalizers of operators that are missing, down and running (-want +got):\n%s", diff)
	}
}

func (v *viewer) checkTree() {
	v.t.Helper()
	for name, flaw := range flaws() {
		target := []string{"tree", "configmap/" + name, "-n", "views"}
		if strings.HasPrefix(name, "views-") {
			target = []string{"tree", "clusterrole/" + name}
		}
		var tree report.Tree
		v.decode(&tree, v.admin, target...)
		if !slices.ContainsFunc(tree.Edges, func(edge report.TreeEdge) bool {
			return edge.Type == graph.Owns && edge.Reference == flaw && tree.Nodes[edge.To].Name == name
		}) {
			v.t.Errorf("the tree of %s doesn't show %s: %+v", name, flaw, tree.Edges)
		}
	}
	var tree report.Tree
	v.decode(&tree, v.admin, "tree", "configmap/owner", "-n", "views")
	v.t.Log(v.run(v.admin, "tree", "configmap/owner", "-n", "views").out)
	below := map[string]graph.Ownership{}
	for _, edge := range tree.Edges {
		if edge.Type == graph.Owns && tree.Nodes[edge.From].Name == "owner" {
			below[tree.Nodes[edge.To].Name] = edge.Reference
		}
	}
	want := map[string]graph.Ownership{"a01-valid": graph.Honoured, "a04-misnamed": graph.OwnerMisnamed, "views-a08-cluster-scoped": graph.DependentClusterScoped}
	if diff := cmp.Diff(want, below); diff != "" {
		v.t.Errorf("dependents of configmap/owner (-want +got):\n%s", diff)
	}
	v.t.Log(v.run(v.admin, "tree", "-A").out)
}

// checkFewRights looks as somebody who may read all of two namespaces, and nothing else.
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
	var list report.List
	v.decode(&list, kubeconfig, "list", "-n", "s02")
	if len(list.Items) != 2 || len(list.RootCauses) != 1 || list.RootCauses[0].Frees != 2 {
		v.t.Errorf("list -n s02: %+v", list)
	}
	if all := v.run(kubeconfig, "list", "-A"); all.code != 1 || !strings.Contains(all.errOut, "-n") {
		v.t.Errorf("list -A with rights in two namespaces: %d %s%s", all.code, all.out, all.errOut)
	}
	var check report.Check
	v.decode(&check, kubeconfig, "check", "-n", "views")
	if !slices.ContainsFunc(check.Findings, func(finding report.Finding) bool { return finding.Reference == graph.OwnerUnserved }) {
		v.t.Errorf("check -n views: %+v", check)
	}
	var tree report.Tree
	v.decode(&tree, kubeconfig, "tree", "configmap/dependent", "-n", "s02")
	if len(tree.Nodes) != 2 || len(tree.Unreadable) == 0 {
		v.t.Errorf("tree -n s02: %+v", tree)
	}
}
