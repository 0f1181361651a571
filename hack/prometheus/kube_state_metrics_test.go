package prometheus

import (
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

// TestKubeStateMetrics has a real kube-state-metrics look at a control plane, and Prometheus scrape it, breaks a
// namespace, waits for the alerts of it and of the objects that hold it, and asks their runbooks. Nothing of this
// project runs in the cluster.
func TestKubeStateMetrics(t *testing.T) {
	program, prometheus := binary(t, "kube-state-metrics"), binary(t, "prometheus")
	l := &lab{plane: controlplane.ForTest(t), dir: t.TempDir()}
	var err error
	if l.breaker, err = zoo.NewBreaker(l.plane); err != nil {
		t.Fatal(err)
	}
	kinds, err := filepath.Abs(filepath.Join(Docs, "kube-state-metrics", "custom-resource-state.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	serves := freeAddress(t)
	l.run(t, program, "--kubeconfig="+l.plane.Kubeconfig, "--host=127.0.0.1", "--port="+portOf(t, serves),
		"--telemetry-host=127.0.0.1", "--telemetry-port="+portOf(t, freeAddress(t)),
		"--custom-resource-state-config-file="+kinds)
	l.startPrometheus(t, prometheus, StateRules, fmt.Sprintf(`
- job_name: kube-state-metrics
  honor_labels: true
  static_configs: [{targets: [%q]}]
`, serves))
	const terminating = `sum(kube_namespace_status_phase{phase="Terminating"})`
	l.until(t, "the first scrape", func() bool { return l.query(t, terminating) == "0" })
	l.until(t, "no alert of a cluster in which all is well", func() bool { return len(l.alerts(t)) == 0 })

	l.play(t, "S19")
	namespace := l.fires(t, "KubeNamespaceTerminating")
	if runbook := namespace.Annotations["runbook"]; runbook != "kubectl finalizers why ns/s19" {
		t.Errorf("the runbook of the namespace is %q", runbook)
	}
	// Its age is that of a test: the metric must exist, and have the labels that the alert needs.
	const deleted = `kube_customresource_finalizers_deletion_timestamp{customresource_kind="Database",namespace="s19"}`
	l.until(t, "the objects", func() bool { return l.query(t, "count("+deleted+")") == "2" })
	alerts := alertsIn(t, StateRules)
	rule := slices.IndexFunc(alerts, func(rule Rule) bool { return rule.Alert == "KubeObjectTerminating" })
	impatient := strings.Replace(alerts[rule].Expr, "> 30 * 60", "> 0", 1)
	l.until(t, "what the alert of objects asks for", func() bool { return l.query(t, "count("+impatient+")") == "2" })

	for _, runbook := range []string{
		namespace.Annotations["runbook"], "kubectl finalizers why Database.v1.s19.example.com/orders -n s19",
	} {
		said := l.ask(t, strings.Fields(runbook)[2:]...)
		if !strings.Contains(said, "s19.example.com/cleanup") {
			t.Errorf("%s says\n%s", runbook, said)
		}
	}
	for _, name := range []string{"orders", "carts"} {
		l.steps(t, "- patch: {object: database/"+name+", namespace: s19, merge: {metadata: {finalizers: null}}}\n")
	}
	l.until(t, "the end of the alert", func() bool { return len(l.alerts(t)) == 0 && l.query(t, terminating) == "0" })
}

// fires waits for an alert to fire, and returns it.
func (l *lab) fires(t *testing.T, name string) (fired alert) {
	t.Helper()
	l.until(t, "the alert "+name, func() bool {
		alerts := l.alerts(t)
		at := slices.IndexFunc(alerts, func(candidate alert) bool {
			return candidate.Labels["alertname"] == name && candidate.State == "firing"
		})
		if at >= 0 {
			fired = alerts[at]
		}
		return at >= 0
	})
	return fired
}

func portOf(t *testing.T, address string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	return port
}
