package prometheus

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
)

func TestMain(m *testing.M) { controlplane.Main(m) }

// requiredEnv makes the tests that need Prometheus fail where it has not been built. Without it, they are skipped.
const requiredEnv = "PROMETHEUS_REQUIRED"

// exporterUser is in whose name the exporter asks.
const exporterUser = "system:serviceaccount:finalizers-metrics:finalizers-metrics"

// longest is how long something may take: a bound for what hangs.
const longest = 10 * time.Minute

// binary returns the path of a program that hack/prometheus/binaries builds.
func binary(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "bin", "prometheus", name))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		if os.Getenv(requiredEnv) != "" {
			t.Fatal(err)
		}
		t.Skip("make prometheus builds it: ", err)
	}
	return path
}

// rulesIn writes the rules of a file of docs into a folder.
func rulesIn(t *testing.T, dir, file string, change func(*Rule)) {
	t.Helper()
	rules, err := ReadRules(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range rules.Groups {
		for i := range group.Rules {
			change(&group.Rules[i])
		}
	}
	if err := rules.Write(filepath.Join(dir, "rules.yaml")); err != nil {
		t.Fatal(err)
	}
}

// TestRules has promtool check the rules, and play what is in testdata with them.
func TestRules(t *testing.T) {
	promtool := binary(t, "promtool")
	for file, played := range map[string]string{
		ExporterRules: "rules_test.yaml", StateRules: "kube_state_metrics_test.yaml",
	} {
		dir := t.TempDir()
		rulesIn(t, dir, file, func(*Rule) {})
		data, err := os.ReadFile(filepath.Join("testdata", played))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "rules_test.yaml"), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{
			{"check", "rules", "--lint=all", "--lint-fatal", "rules.yaml"}, {"test", "rules", "rules_test.yaml"},
		} {
			command := exec.CommandContext(t.Context(), promtool, args...)
			command.Dir = dir
			if said, err := command.CombinedOutput(); err != nil {
				t.Errorf("%s: promtool %v: %v\n%s", file, args, err, said)
			}
		}
	}
}

// TestOnce has promtool check what --once prints.
func TestOnce(t *testing.T) {
	promtool := binary(t, "promtool")
	var out, errOut bytes.Buffer
	args := []string{"metrics", "--once", "--snapshot", filepath.Join("..", "demo", "demo.snapshot")}
	if code := cli.Execute(t.Context(), genericiooptions.IOStreams{Out: &out, ErrOut: &errOut}, args); code != 0 {
		t.Fatalf("%d: %s", code, &errOut)
	}
	command := exec.CommandContext(t.Context(), promtool, "check", "metrics")
	command.Stdin = &out
	if said, err := command.CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("promtool check metrics: %v\n%s", err, said)
	}
}

// TestPrometheus runs the exporter in the name of its own ServiceAccount, behind TLS and authentication, has Prometheus
// scrape it, breaks a namespace, waits for the alert, asks its runbook, repairs the namespace, and waits for the end of
// the alert.
func TestPrometheus(t *testing.T) {
	program := binary(t, "prometheus")
	l := &lab{plane: controlplane.ForTest(t), dir: t.TempDir()}
	var err error
	if l.breaker, err = zoo.NewBreaker(l.plane); err != nil {
		t.Fatal(err)
	}
	l.install(t)
	l.startExporter(t)
	l.refuses(t)
	l.startPrometheus(t, program, ExporterRules, l.exporterScrape(t))
	const verdict = `finalizers_verdicts{verdict="Stuck"}`
	l.until(t, "the first scrape", func() bool { return l.query(t, verdict) == "0" })
	l.until(t, "no alert of a cluster in which all is well", func() bool { return len(l.alerts(t)) == 0 })

	l.play(t, "S19")
	fired := l.fires(t, "NamespaceStuckTerminating")
	if fired.Labels["namespace"] != "s19" || fired.Annotations["runbook"] != "kubectl finalizers why ns/s19" {
		t.Errorf("the alert says %+v", fired)
	}
	for query, want := range map[string]string{
		verdict: "3", `sum(finalizers_terminating_objects{namespace="s19",reason="ControllerMissing"})`: "3",
		`finalizers_terminating_object_info{name="s19",resource="namespaces"}`: "1",
		`finalizers_last_look_successful`:                                      "1",
	} {
		if got := l.query(t, query); got != want {
			t.Errorf("%s is %s, want %s", query, got, want)
		}
	}
	for title, expression := range dashboard(t) {
		// Nothing here will get stuck only later.
		results, answered := l.results(t, expression)
		if !answered || len(results) == 0 && !strings.Contains(expression, "finalizers_check_findings") {
			t.Errorf("the panel %q has nothing to draw: %s", title, expression)
		}
	}
	said := l.ask(t, strings.Fields(fired.Annotations["runbook"])[2:]...)
	if !strings.Contains(said, "s19.example.com/cleanup") {
		t.Errorf("the runbook says\n%s", said)
	}

	for _, name := range []string{"orders", "carts"} {
		l.steps(t, "- patch: {object: database/"+name+", namespace: s19, merge: {metadata: {finalizers: null}}}\n")
	}
	l.until(t, "the end of the alert", func() bool { return len(l.alerts(t)) == 0 && l.query(t, verdict) == "0" })
	l.onlyReads(t)
}
