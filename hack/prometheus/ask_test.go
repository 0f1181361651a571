package prometheus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/streams"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
)

// exporterScrape returns how Prometheus scrapes the exporter, after it has saved the token for that.
func (l *lab) exporterScrape(t *testing.T) string {
	t.Helper()
	token := l.tokenOf(t, "monitoring", "prometheus-k8s")
	if err := os.WriteFile(filepath.Join(l.dir, "token"), []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`
- job_name: finalizers
  scheme: https
  honor_labels: true
  tls_config: {ca_file: tls.crt}
  authorization: {credentials_file: token}
  static_configs: [{targets: [%q], labels: {namespace: finalizers-metrics}}]
`, l.exporter)
}

// startPrometheus has it scrape and evaluate the rules of a file of docs each second, without their patience.
func (l *lab) startPrometheus(t *testing.T, program, rules, scrape string) {
	t.Helper()
	rulesIn(t, l.dir, rules, func(rule *Rule) { rule.For = "" })
	config := "global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [rules.yaml]\nscrape_configs:" + scrape
	if err := os.WriteFile(filepath.Join(l.dir, "prometheus.yml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	l.prometheus = freeAddress(t)
	l.run(t, program, "--config.file=prometheus.yml", "--storage.tsdb.path=data", "--web.listen-address="+l.prometheus)
}

// freeAddress returns an address that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// run runs a program in the lab's folder until the test ends, and shows what it said if the test has failed.
func (l *lab) run(t *testing.T, program string, args ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, args...)
	said := &streams.Buffer{}
	command.Dir, command.Stdout, command.Stderr = l.dir, said, said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait()
		if t.Failed() {
			t.Logf("%s says\n%s", filepath.Base(program), said)
		}
	})
}

// of asks Prometheus' API, and reports whether it has answered.
func (l *lab) of(t *testing.T, path string, data any) bool {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.prometheus+"/api/v1/"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false // it starts
	}
	defer func() { _ = response.Body.Close() }()
	answer := struct {
		Status string
		Data   any
	}{Data: data}
	return json.NewDecoder(response.Body).Decode(&answer) == nil && answer.Status == "success"
}

// query returns the value of an expression with one result, or what else there is.
func (l *lab) query(t *testing.T, expression string) string {
	t.Helper()
	results, _ := l.results(t, expression)
	if len(results) != 1 {
		return fmt.Sprintf("%d results", len(results))
	}
	return fmt.Sprint(results[0].Value[1])
}

// result is one of those of a query: when, and what.
type result struct{ Value [2]any }

func (l *lab) results(t *testing.T, expression string) (results []result, answered bool) {
	t.Helper()
	var data struct{ Result []result }
	answered = l.of(t, "query?"+url.Values{"query": {expression}}.Encode(), &data)
	return data.Result, answered
}

// alert is an alert as Prometheus has it.
type alert struct {
	Labels, Annotations map[string]string
	State               string
}

// alerts returns the alerts that fire.
func (l *lab) alerts(t *testing.T) []alert {
	t.Helper()
	var data struct{ Alerts []alert }
	l.of(t, "alerts", &data)
	return data.Alerts
}

func (l *lab) ask(t *testing.T, args ...string) string {
	t.Helper()
	var out, errOut bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
	if code := cli.Execute(t.Context(), streams, append(args, "--kubeconfig", l.plane.Kubeconfig)); code != 0 {
		t.Errorf("%v: exit code %d\n%s", args, code, &errOut)
	}
	return out.String()
}

func (l *lab) until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	condition := func(context.Context) (bool, error) { return holds(), nil }
	err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, longest, true, condition)
	if err != nil {
		t.Fatalf("%s: not within %s; alerts: %+v", what, longest, l.alerts(t))
	}
}

// onlyReads proves from the audit log that the exporter has changed nothing, the reviews of tokens included.
func (l *lab) onlyReads(t *testing.T) {
	t.Helper()
	kubeconfig := l.kubeconfigOf(t, "finalizers-metrics", "finalizers-metrics")
	requests, err := l.plane.Requests(t.Context(), exporterUser, kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	reviews := 0
	for _, request := range requests {
		if strings.Contains(request.RequestURI, "reviews") {
			reviews++
		}
		if request.Writes() {
			t.Errorf("the exporter wrote: %s %s", request.Verb, request.RequestURI)
		}
	}
	if reviews < 2 || len(requests) < 100 {
		t.Errorf("%d requests and %d reviews in the audit log: nothing was proven", len(requests), reviews)
	}
}
