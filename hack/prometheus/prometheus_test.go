package prometheus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/cert"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
)

func TestMain(m *testing.M) { controlplane.Main(m) }

// requiredEnv makes the tests that need Prometheus fail where it has not been built. Without it, they are skipped.
const requiredEnv = "PROMETHEUS_REQUIRED"

// longest is how long something may take: a bound for what hangs.
const longest = 2 * time.Minute

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

// rulesIn writes the rules into a folder.
func rulesIn(t *testing.T, dir string, change func(*Rule)) {
	t.Helper()
	rules, err := ReadRules()
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
	promtool, dir := binary(t, "promtool"), t.TempDir()
	rulesIn(t, dir, func(*Rule) {})
	played, err := os.ReadFile(filepath.Join("testdata", "rules_test.yaml"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "rules_test.yaml"), played, 0o600)
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
			t.Errorf("promtool %v: %v\n%s", args, err, said)
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

// lab is a control plane with the exporter's manifests, the exporter, and a Prometheus.
type lab struct {
	plane   *controlplane.ControlPlane
	breaker *zoo.Breaker
	dir     string

	exporter   string // its address
	prometheus string
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
	l.startPrometheus(t, program)
	const verdict = `finalizers_verdicts{verdict="Stuck"}`
	l.until(t, "the first scrape", func() bool { return l.query(t, verdict) == "0" })
	l.until(t, "no alert of a cluster in which all is well", func() bool { return len(l.alerts(t)) == 0 })

	l.play(t, "S19")
	var fired alert
	l.until(t, "the alert", func() bool {
		at := slices.IndexFunc(l.alerts(t), func(one alert) bool {
			return one.Labels["alertname"] == "NamespaceStuckTerminating" && one.State == "firing"
		})
		if at >= 0 {
			fired = l.alerts(t)[at]
		}
		return at >= 0
	})
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
	if said := l.ask(t, strings.Fields(fired.Annotations["runbook"])[2:]...); !strings.Contains(said, "s19.example.com/cleanup") {
		t.Errorf("the runbook says\n%s", said)
	}

	for _, name := range []string{"orders", "carts"} {
		l.steps(t, "- patch: {object: database/"+name+", namespace: s19, merge: {metadata: {finalizers: null}}}\n")
	}
	l.until(t, "the end of the alert", func() bool { return len(l.alerts(t)) == 0 && l.query(t, verdict) == "0" })
}

// install applies the manifests of docs, as they are. That pod security lets the pod in shows in the ReplicaSet.
func (l *lab) install(t *testing.T) {
	t.Helper()
	var all []string
	for _, path := range []string{"../rbac/reader.yaml", "deployment.yaml", "authentication.yaml"} {
		documents, err := manifests(filepath.Join(Docs, path))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, documents...)
	}
	text := strings.ReplaceAll("    "+strings.Join(all, "\n---\n"), "\n", "\n    ")
	// What custom-resources.yaml does for the kinds that are there.
	text += "\n    ---\n    apiVersion: rbac.authorization.k8s.io/v1\n    kind: ClusterRole\n    metadata: {name: s19-reader, " +
		"labels: {finalizers.kubectl/aggregate-to-reader: \"true\"}}\n" +
		"    rules: [{apiGroups: [s19.example.com], resources: [\"*\"], verbs: [get, list, watch]}]\n"
	const of = "{object: deployment/finalizers-metrics, namespace: finalizers-metrics, "
	l.steps(t, "- apply: |\n    apiVersion: v1\n    kind: Namespace\n    metadata: {name: monitoring}\n"+
		"    ---\n    apiVersion: v1\n    kind: ServiceAccount\n    metadata: {name: prometheus-k8s, namespace: monitoring}\n"+
		"- apply: |\n"+text+"\n- until: "+of+"path: '{.status.replicas}', is: \"1\"}\n"+
		"- until: "+of+"path: '{.status.unavailableReplicas}', is: \"1\"}\n")
	client, err := l.plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	pods, err := client.CoreV1().Pods("finalizers-metrics").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(pods.Items) != 1 {
		t.Fatalf("%d pods: %v", len(pods.Items), err)
	}
}

func (l *lab) play(t *testing.T, id string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "zoo", "scenarios", id+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	scenario, err := zoo.Parse(data)
	if err == nil {
		err = l.breaker.Break(t.Context(), scenario)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (l *lab) steps(t *testing.T, steps string) {
	t.Helper()
	scenario, err := zoo.ParseSteps([]byte("id: metrics\ntarget: ns/default\nsteps:\n" + steps))
	if err == nil {
		err = l.breaker.Break(t.Context(), scenario)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// tokenOf returns a token of a ServiceAccount.
func (l *lab) tokenOf(t *testing.T, namespace, name string) string {
	t.Helper()
	client, err := l.plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	token, err := client.CoreV1().ServiceAccounts(namespace).
		CreateToken(t.Context(), name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return token.Status.Token
}

// kubeconfigOf writes a kubeconfig with a ServiceAccount's token.
func (l *lab) kubeconfigOf(t *testing.T, namespace, name string) string {
	t.Helper()
	config, err := l.plane.AdminConfig()
	if err == nil {
		err = rest.LoadTLSFiles(config)
	}
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(l.dir, name+".kubeconfig")
	err = clientcmd.WriteToFile(clientcmdapi.Config{
		CurrentContext: "lab", Contexts: map[string]*clientcmdapi.Context{"lab": {Cluster: "lab", AuthInfo: "lab"}},
		Clusters: map[string]*clientcmdapi.Cluster{
			"lab": {Server: config.Host, CertificateAuthorityData: config.CAData},
		},
		AuthInfos: map[string]*clientcmdapi.AuthInfo{"lab": {Token: l.tokenOf(t, namespace, name)}},
	}, path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// startExporter runs the exporter as in its pod, but for its address, an interval of a second, and its end.
func (l *lab) startExporter(t *testing.T) {
	t.Helper()
	certificate, key, err := cert.GenerateSelfSignedCertKey("localhost", []net.IP{net.IPv4(127, 0, 0, 1)}, nil)
	if err == nil {
		err = errors.Join(os.WriteFile(filepath.Join(l.dir, "tls.crt"), certificate, 0o600),
			os.WriteFile(filepath.Join(l.dir, "tls.key"), key, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	said := &lines{}
	ended := make(chan int, 1)
	go func() {
		ended <- cli.Execute(ctx, genericiooptions.IOStreams{In: strings.NewReader(""), Out: io.Discard, ErrOut: said}, []string{
			"metrics", "--interval=1s", "--listen-address=127.0.0.1:0", "--authenticate",
			"--tls-cert-file", filepath.Join(l.dir, "tls.crt"), "--tls-private-key-file", filepath.Join(l.dir, "tls.key"),
			"--kubeconfig", l.kubeconfigOf(t, "finalizers-metrics", "finalizers-metrics"), "--cache-dir", l.dir,
		})
	}()
	t.Cleanup(func() {
		cancel()
		if code := <-ended; code != 0 {
			t.Errorf("the exporter ended with %d: %s", code, said)
		}
	})
	l.until(t, "the exporter's address", func() bool {
		found := regexp.MustCompile(`https://(\S+)/metrics`).FindStringSubmatch(said.String())
		if len(found) == 2 {
			l.exporter = found[1]
		}
		return l.exporter != ""
	})
}

// lines is a stream that can be read while it is written to.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *lines) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(data)
}

// String implements fmt.Stringer.
func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// refuses tries to read the metrics without a token, with a wrong one, and with one whose owner may not.
func (l *lab) refuses(t *testing.T) {
	t.Helper()
	config := &rest.Config{Host: "https://" + l.exporter, TLSClientConfig: rest.TLSClientConfig{CAFile: filepath.Join(l.dir, "tls.crt")}}
	for token, want := range map[string]int{
		"": 401, "wrong": 401, l.tokenOf(t, "monitoring", "default"): 403, l.tokenOf(t, "monitoring", "prometheus-k8s"): 200,
	} {
		config.BearerToken = token
		client, err := rest.HTTPClientFor(config)
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Get(config.Host + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("with the token %.20q: %s, want %d", token, response.Status, want)
		}
	}
}

// startPrometheus has it scrape the exporter and evaluate the rules each second, without their patience.
func (l *lab) startPrometheus(t *testing.T, program string) {
	t.Helper()
	rulesIn(t, l.dir, func(rule *Rule) { rule.For = "" })
	token := filepath.Join(l.dir, "token")
	config := fmt.Sprintf(`
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [rules.yaml]
scrape_configs:
- job_name: finalizers
  scheme: https
  honor_labels: true
  tls_config: {ca_file: tls.crt}
  authorization: {credentials_file: token}
  static_configs: [{targets: [%q], labels: {namespace: finalizers-metrics}}]
`, l.exporter)
	err := errors.Join(os.WriteFile(token, []byte(l.tokenOf(t, "monitoring", "prometheus-k8s")), 0o600),
		os.WriteFile(filepath.Join(l.dir, "prometheus.yml"), []byte(config), 0o600))
	listener, failed := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0") // for a free port
	if err = errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	l.prometheus = listener.Addr().String()
	_ = listener.Close()
	command := exec.CommandContext(t.Context(), program, "--config.file=prometheus.yml", "--storage.tsdb.path=data",
		"--web.listen-address="+l.prometheus)
	said := &lines{}
	command.Dir, command.Stdout, command.Stderr = l.dir, said, said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait()
		if t.Failed() {
			t.Logf("Prometheus says\n%s", said)
		}
	})
}

// of asks Prometheus' API, and tells whether it has answered.
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
	var data struct {
		Result []struct{ Value [2]any }
	}
	request := http.Request{Form: map[string][]string{"query": {expression}}}
	if !l.of(t, "query?"+request.Form.Encode(), &data) || len(data.Result) != 1 {
		return fmt.Sprintf("%d results", len(data.Result))
	}
	return fmt.Sprint(data.Result[0].Value[1])
}

// alert is an alert as Prometheus has it.
type alert struct {
	Labels, Annotations map[string]string
	State               string
}

// alerts returns those that fire.
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
	err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, longest, true, func(context.Context) (bool, error) {
		return holds(), nil
	})
	if err != nil {
		t.Fatalf("%s: not within %s; alerts: %+v", what, longest, l.alerts(t))
	}
}
