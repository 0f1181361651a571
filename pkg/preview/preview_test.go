package preview_test

import (
	"slices"
	"strings"
	"testing"
	"time"

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

func configMap(name, meta string) string { return object("v1", "ConfigMap", name, meta, "") }

func secret(name, meta string) string { return object("v1", "Secret", name, meta, "") }

const below = "ConfigMap/top"

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
