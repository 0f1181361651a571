package uninstall_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/uninstall"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func TestMain(m *testing.M) {
	uninstall.RunPlugin()
	controlplane.Main(m)
}

// lab is a control plane with operators on it.
type lab struct {
	*uninstall.People
	plane   *controlplane.ControlPlane
	breaker *zoo.Breaker
	client  dynamic.Interface
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{plane: controlplane.ForTest(t)}
	config, err := l.plane.AdminConfig()
	if err != nil {
		t.Fatal(err)
	}
	if l.client, err = dynamic.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	if l.breaker, err = zoo.NewBreaker(l.plane); err != nil {
		t.Fatal(err)
	}
	if l.People, err = uninstall.NewPeople(t.Context(), l.plane, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	return l
}

func operatorsOf(t *testing.T) []uninstall.Operator {
	t.Helper()
	all, err := uninstall.Operators()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// install installs an operator, and has its controller run until the test ends. It returns its manifests.
func (l *lab) install(t *testing.T, operator uninstall.Operator) (manifests string) {
	t.Helper()
	config, err := l.plane.AdminConfig()
	if err != nil {
		t.Fatal(err)
	}
	controller, err := uninstall.NewController(config, operator)
	if err != nil {
		t.Fatal(err)
	}
	server, ca := uninstall.Webhook(controller.Runs)
	t.Cleanup(server.Close)
	manifests = operator.Installed(server.URL, ca)
	const namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n"
	steps := []zoo.Step{
		{AliveNode: operator.Name + "-node"},
		{Apply: fmt.Sprintf(namespace+"---\n"+namespace, operator.Name, operator.Name+"-system")},
		{Apply: manifests},
		{Until: &zoo.Until{
			Object: zoo.Object{Object: "pod/app=" + operator.Name, Namespace: operator.Name + "-system"},
			Path:   `{.status.conditions[?(@.type=="Ready")].status}`, Is: "True",
		}},
		{Apply: operator.Objects},
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan struct{})
	go func() { controller.Run(ctx); close(done) }()
	t.Cleanup(func() { stop(); <-done })
	l.do(t, operator, steps)
	l.do(t, operator, operator.Before)
	return manifests
}

func (l *lab) do(t *testing.T, operator uninstall.Operator, steps []zoo.Step) {
	t.Helper()
	if err := l.breaker.Break(t.Context(), zoo.Scenario{ID: operator.Name, Steps: steps}); err != nil {
		t.Fatal(err)
	}
}

// plan is the plan as the planner gets it.
func (l *lab) plan(t *testing.T, asks []string) *result.UninstallPlan {
	t.Helper()
	plan, err := l.Plan(t.Context(), asks)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// left are the objects of an operator's kinds, and the ones with its finalizers, that are there; stuck are the ones of
// them that are being deleted.
func (l *lab) left(t *testing.T, operator uninstall.Operator) (left, stuck []string) {
	t.Helper()
	for _, removal := range operator.Removes {
		version, rest, _ := strings.Cut(removal.Resource, "/")
		plural, group, _ := strings.Cut(rest, ".")
		kind := schema.GroupVersionResource{Group: group, Version: version, Resource: plural}
		list, err := l.client.Resource(kind).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			continue // it is not served any more
		}
		for _, object := range list.Items {
			if !slices.Contains(object.GetFinalizers(), removal.Finalizer) {
				continue
			}
			left = append(left, plural+"/"+object.GetName())
			if object.GetDeletionTimestamp() != nil {
				stuck = append(stuck, plural+"/"+object.GetName())
			}
		}
	}
	definitions := schema.GroupVersionResource{
		Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
	}
	for _, kind := range operator.Kinds {
		object, err := l.client.Resource(definitions).Get(t.Context(), kind.Plural+"."+kind.Group, metav1.GetOptions{})
		if err != nil {
			continue
		}
		left = append(left, "definition/"+object.GetName())
		if object.GetDeletionTimestamp() != nil {
			stuck = append(stuck, "definition/"+object.GetName())
		}
	}
	return left, stuck
}

// TestNaively deletes each operator first, and then all of its objects, as people do: some get stuck.
func TestNaively(t *testing.T) {
	l := newLab(t)
	for _, operator := range operatorsOf(t) {
		t.Run(operator.Name, func(t *testing.T) {
			t.Parallel()
			l.install(t, operator)
			shell := func(words ...string) {
				_, _ = l.Shell(t.Context(), "", t.TempDir(), words...) // what is refused is not deleted
			}
			shell("kubectl", "delete", "deployment", operator.Name, "-n", operator.Name+"-system")
			time.Sleep(time.Second) // its controller sees that
			for _, kind := range operator.Kinds {
				shell("kubectl", "delete", kind.Plural+"."+kind.Group, "--all", "-A", "--wait=false")
				shell("kubectl", "delete", "crd", kind.Plural+"."+kind.Group, "--wait=false")
			}
			for _, guest := range operator.Guests {
				shell("kubectl", "delete", guest.Object, "-n", guest.Namespace, "--wait=false")
			}
			time.Sleep(3 * time.Second)
			left, stuck := l.left(t, operator)
			t.Logf("%s: %d are left, and %d of these are stuck: %v", operator.Title, len(left), len(stuck), left)
			if len(stuck) == 0 {
				t.Error("nothing is stuck")
			}
		})
	}
}

// TestPlans carries out each plan as its script says: nothing is left, and nothing is stuck.
func TestPlans(t *testing.T) {
	l := newLab(t)
	t.Run("operators", func(t *testing.T) {
		for _, operator := range operatorsOf(t) {
			t.Run(operator.Name, func(t *testing.T) {
				t.Parallel()
				l.carryOut(t, operator)
			})
		}
	})
	wrong, requests, err := l.Wrote(t.Context(), l.plane)
	if err != nil || requests == 0 || len(wrong) > 0 {
		t.Errorf("of %d requests, these write or read Secrets: %v (%v)", requests, wrong, err)
	}
	t.Logf("the plans took %d requests, none of which writes", requests)
}

func (l *lab) carryOut(t *testing.T, operator uninstall.Operator) {
	t.Helper()
	manifests, folder := l.install(t, operator), t.TempDir()
	file := filepath.Join(folder, "manifests.yaml")
	if err := os.WriteFile(file, []byte(manifests), 0o600); err != nil {
		t.Fatal(err)
	}
	asks := slices.Clone(operator.Asks)
	for i := range asks {
		asks[i] = strings.ReplaceAll(asks[i], "MANIFESTS", file)
	}
	text, err := l.Ask(t.Context(), append([]string{"uninstall"}, asks...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s:\n%s", operator.Title, text)
	flat := strings.Join(strings.Fields(text), " ")
	for _, says := range operator.Says {
		if !strings.Contains(flat, says) {
			t.Errorf("it doesn't say %q", says)
		}
	}
	l.resolve(t, operator, asks)
	for range operator.Parts {
		before := l.plan(t, asks)
		if out, err := l.RunScript(t.Context(), folder, asks, operator.Parts); err == nil {
			t.Errorf("a script goes on without consent:\n%s", out)
		}
		if after := l.plan(t, asks); len(after.Steps) >= len(before.Steps) {
			t.Errorf("there are %d steps, and before some were done, there were %d", len(after.Steps), len(before.Steps))
		}
	}
	out, err := l.RunScript(t.Context(), folder, asks, 30)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(out)
	for _, object := range operator.Stays {
		const deleted = "jsonpath={.metadata.deletionTimestamp}"
		words := []string{"kubectl", "get", object.Object, "-n", object.Namespace, "-o", deleted}
		if out, err := l.Shell(t.Context(), "", folder, words...); err != nil || out != "" {
			t.Errorf("%s should stay: %v, deleted at %q", object.Object, err, out)
		}
	}
	for _, guest := range operator.Guests {
		words := []string{"kubectl", "delete", guest.Object, "-n", guest.Namespace, "--timeout=20s"}
		if out, err := l.Shell(t.Context(), "", folder, words...); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	if left, stuck := l.left(t, operator); len(left) > 0 {
		t.Errorf("%v are left, and of these %v are stuck", left, stuck)
	}
	consent := ""
	if operator.Unclear {
		consent = "yes\n" // to begin at all
	}
	if out, err := l.Shell(t.Context(), consent, folder, "sh", filepath.Join(folder, "uninstall.sh")); err != nil {
		t.Errorf("run again: %v\n%s", err, out)
	}
}

// resolve does what the plan wants resolved first, and holds its states to what is true.
func (l *lab) resolve(t *testing.T, operator uninstall.Operator, asks []string) {
	t.Helper()
	if len(operator.Resolve) > 0 {
		plan := l.plan(t, asks)
		var causes []string
		for _, cause := range plan.RootCauses {
			causes = append(causes, string(cause.Reason))
		}
		for _, refusal := range plan.Refusals {
			causes = append(causes, string(refusal.Reason))
		}
		if plan.State != result.UninstallBlocked || !slices.Equal(causes, operator.Causes) {
			t.Errorf("it is %s because of %v, want Blocked because of %v", plan.State, causes, operator.Causes)
		}
		if out, err := l.RunScript(t.Context(), t.TempDir(), asks, 30); err == nil {
			t.Errorf("a script that is blocked does something:\n%s", out)
		}
		l.do(t, operator, operator.Resolve)
	}
	want := result.UninstallReady
	if operator.Unclear {
		want = result.UninstallUnclear
	}
	if plan := l.plan(t, asks); plan.State != want {
		t.Errorf("it is %s, want %s: %s %+v", plan.State, want, plan.Summary, plan.Unreadable)
	}
}
