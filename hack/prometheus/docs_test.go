package prometheus

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/metrics"
)

// served returns the names of all metrics that the exporter has.
func served(t *testing.T) []string {
	t.Helper()
	names := append(metrics.Names(), "finalizers_build_info")
	if len(names) < 10 {
		t.Fatalf("the exporter has %v", names)
	}
	return names
}

// known fails for a metric in an expression that the exporter doesn't have.
func known(t *testing.T, where, expression string) {
	t.Helper()
	for _, name := range regexp.MustCompile(`finalizers_[a-z_]+`).FindAllString(expression, -1) {
		if !slices.Contains(served(t), name) {
			t.Errorf("%s asks for %s, which the exporter doesn't have", where, name)
		}
	}
}

// TestRulesAndDashboard ask for nothing that isn't served.
func TestRulesAndDashboard(t *testing.T) {
	for _, rule := range alertsIn(t, ExporterRules) {
		known(t, rule.Alert, rule.Expr)
	}
	for title, expression := range dashboard(t) {
		known(t, title, expression)
	}
}

// alertsIn returns the alerts of a file of docs.
func alertsIn(t *testing.T, file string) (alerts []Rule) {
	t.Helper()
	rules, err := ReadRules(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range rules.Groups {
		alerts = append(alerts, group.Rules...)
	}
	if len(alerts) < 5 {
		t.Fatalf("%s has %d alerts", file, len(alerts))
	}
	return alerts
}

// TestRunbooks are commands that there are.
func TestRunbooks(t *testing.T) {
	commands := cli.Command()
	for _, file := range []string{ExporterRules, StateRules} {
		for _, rule := range alertsIn(t, file) {
			for _, name := range []string{"summary", "description", "runbook"} {
				if rule.Annotations[name] == "" {
					t.Errorf("%s has no %s", rule.Alert, name)
				}
			}
			words := strings.Fields(rule.Annotations["runbook"])
			if len(words) < 3 || words[0] != "kubectl" {
				t.Errorf("%s: the runbook is no command: %q", rule.Alert, words)
			} else if words[1] == "finalizers" {
				if found, _, err := commands.Find(words[2:3]); err != nil || found == commands {
					t.Errorf("%s: there is no command %s", rule.Alert, words[2])
				}
			}
		}
	}
}

// dashboard returns the queries of the dashboard's panels by their titles.
func dashboard(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(Docs, "monitoring", "dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	var drawn struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(data, &drawn); err != nil {
		t.Fatal(err)
	}
	queries := map[string]string{}
	for _, panel := range drawn.Panels {
		for _, target := range panel.Targets {
			queries[panel.Title] = target.Expr
		}
	}
	if len(queries) < 5 {
		t.Fatalf("%d panels", len(queries))
	}
	return queries
}

// TestEveryMetricIsDocumented, and no other is.
func TestEveryMetricIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range served(t) {
		if !strings.Contains(string(page), "\n| `"+name) {
			t.Errorf("docs/metrics.md has no row for %s", name)
		}
	}
	known(t, "docs/metrics.md", string(page))
}

// TestManifests are what they say, and their pod is a restricted one with arguments that the command takes.
func TestManifests(t *testing.T) {
	var deployment appsv1.Deployment
	decode(t, "exporter/deployment.yaml", map[string]any{
		"Namespace": &corev1.Namespace{}, "ServiceAccount": &corev1.ServiceAccount{}, "Deployment": &deployment,
		"ClusterRoleBinding": &rbacv1.ClusterRoleBinding{}, "Service": &corev1.Service{},
	})
	decode(t, "exporter/authentication.yaml", map[string]any{
		"ClusterRoleBinding": &rbacv1.ClusterRoleBinding{}, "ClusterRole": &rbacv1.ClusterRole{},
	})
	containers := deployment.Spec.Template.Spec.Containers
	if len(containers) != 1 {
		t.Fatalf("%d containers", len(containers))
	}
	command, rest, err := cli.Command().Find(containers[0].Args)
	if err == nil {
		err = command.ParseFlags(rest)
	}
	if err != nil || command.Name() != "metrics" {
		t.Errorf("the arguments %v: %v", containers[0].Args, err)
	}
}

func decode(t *testing.T, name string, kinds map[string]any) {
	t.Helper()
	documents, err := manifests(filepath.Join(Docs, name))
	if err != nil || len(documents) == 0 {
		t.Fatalf("%s: %d documents, %v", name, len(documents), err)
	}
	for _, document := range documents {
		var is struct{ Kind string }
		if err := yaml.Unmarshal([]byte(document), &is); err != nil {
			t.Fatal(err)
		}
		if kinds[is.Kind] == nil {
			t.Errorf("%s holds a %q", name, is.Kind)
		} else if err := yaml.UnmarshalStrict([]byte(document), kinds[is.Kind]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
