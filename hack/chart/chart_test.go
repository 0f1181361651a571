package chart

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
)

func TestMain(m *testing.M) { controlplane.Main(m) }

// requiredEnv makes the tests that need Helm fail where it has not been built. Without it, they are skipped.
const requiredEnv = "CHART_REQUIRED"

const folder = "../../charts/finalizers-metrics"

// everything switches on what is optional.
func everything() []string {
	return []string{"--set", "serviceMonitor.enabled=true,podMonitor.enabled=true,prometheusRule.enabled=true," +
		"prometheusRule.kubeStateMetrics=true,dashboard.enabled=true"}
}

// guarded has the exporter ask for tokens.
const guarded = "authentication.enabled=true,authentication.secretName=tls," +
	"authentication.tokenSecret.name=scraper,authentication.tokenSecret.key=token"

// TestAuthentication: the command takes the arguments, the pod has the files that they name, and there is none of this
// without TLS.
func TestAuthentication(t *testing.T) {
	rendered, _ := pod(t, objects(t, template(t, "--set", guarded))["Deployment/finalizers-metrics"]).(map[string]any)
	containers, _ := rendered["containers"].([]any)
	container, _ := containers[0].(map[string]any)
	listed, _ := container["args"].([]any)
	var args []string
	for _, arg := range listed {
		text, _ := arg.(string)
		args = append(args, text)
	}
	command, rest, err := cli.Command().Find(args)
	if err == nil {
		err = command.ParseFlags(rest)
	}
	if err != nil || command.Name() != "metrics" || !slices.Contains(args, "--authenticate") {
		t.Errorf("the arguments %v: %v", args, err)
	}
	if mounts, _ := container["volumeMounts"].([]any); len(mounts) != 2 {
		t.Errorf("the pod mounts %v", mounts)
	}
	if out, err := helm(t, "template", "x", folder, "--set", "authentication.enabled=true"); err == nil ||
		!strings.Contains(out, "authentication.secretName is needed") {
		t.Errorf("without a Secret: %v\n%s", err, out)
	}
}

// built returns the path of what build.sh has built.
func built(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "bin", "chart", name))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		if os.Getenv(requiredEnv) != "" {
			t.Fatal(err)
		}
		t.Skip("make chart builds it: ", err)
	}
	return path
}

// helm runs Helm, which neither reads nor writes settings of this machine, and returns what it prints.
func helm(t *testing.T, args ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), built(t, "helm"), args...)
	home := t.TempDir()
	command.Env = []string{
		"HOME=" + home, "HELM_CACHE_HOME=" + home, "HELM_CONFIG_HOME=" + home, "HELM_DATA_HOME=" + home,
	}
	var out, errOut bytes.Buffer
	command.Stdout, command.Stderr = &out, &errOut
	if err := command.Run(); err != nil {
		return errOut.String(), err
	}
	return out.String(), nil
}

// template renders the chart under the names that the manifests of docs have.
func template(t *testing.T, args ...string) string {
	t.Helper()
	args = append([]string{"template", "finalizers-metrics", folder, "--namespace", "finalizers-metrics",
		"--kube-version", "1.37.0"}, args...)
	out, err := helm(t, args...)
	if err != nil {
		t.Fatalf("helm %v: %v\n%s", args, err, out)
	}
	return out
}

// objects are YAML documents by kind and name.
func objects(t *testing.T, text string) map[string]map[string]any {
	t.Helper()
	found := map[string]map[string]any{}
	for document := range strings.SplitSeq("\n"+text, "\n---\n") {
		var object struct {
			Kind     string
			Metadata struct{ Name string }
		}
		var whole map[string]any
		if err := yaml.UnmarshalStrict([]byte(document), &whole); err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
		if len(whole) == 0 {
			continue
		}
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			t.Fatal(err)
		}
		found[object.Kind+"/"+object.Metadata.Name] = whole
	}
	return found
}

// inDocs returns the objects of a file of docs.
func inDocs(t *testing.T, path string) map[string]map[string]any {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../docs", path))
	if err != nil {
		t.Fatal(err)
	}
	return objects(t, string(data))
}

// TestLint has Helm check the chart.
func TestLint(t *testing.T) {
	if out, err := helm(t, "lint", "--strict", folder); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestValues that the schema refuses, and the field that it names.
func TestValues(t *testing.T) {
	for value, field := range map[string]string{
		"image.digest=latest": "/image/digest", "image.pullPolicy=Sometimes": "/image/pullPolicy",
		"interval=1 minute": "/interval", "replicas=-1": "/replicas", "netwrokPolicy.enabled=false": "netwrokPolicy",
		"rbac.extraRules[0].verbs[0]=delete": "/rbac/extraRules/0",
		"networkPolicy.apiServerPorts[0]=0":  "/networkPolicy",
	} {
		out, err := helm(t, "template", "x", folder, "--set", value)
		if err == nil || !strings.Contains(out, field) {
			t.Errorf("--set %s: %v, want a word of %s\n%s", value, err, field, out)
		}
	}
}

// TestOneSource: under the same names, the chart has the pod, alerts and dashboard that docs has.
func TestOneSource(t *testing.T) {
	rendered := objects(t, template(t, everything()...))
	spec := func(of map[string]map[string]any, key string) any {
		if of[key] == nil {
			t.Fatalf("there is no %s", key)
		}
		return of[key]["spec"]
	}
	for key, want := range map[string]any{
		"PrometheusRule/finalizers-metrics": spec(inDocs(t, "metrics/monitoring/prometheusrule.yaml"),
			"PrometheusRule/finalizers-metrics"),
		"PrometheusRule/finalizers-metrics-kube-state-metrics": spec(
			inDocs(t, "metrics/kube-state-metrics/prometheusrule.yaml"), "PrometheusRule/finalizers-kube-state-metrics"),
	} {
		if got := spec(rendered, key); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	dashboard, err := os.ReadFile("../../docs/metrics/monitoring/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	data, _ := rendered["ConfigMap/finalizers-metrics-dashboard"]["data"].(map[string]any)
	if text, _ := data["finalizers.json"].(string); strings.TrimSpace(text) != strings.TrimSpace(string(dashboard)) {
		t.Error("the dashboard isn't that of docs")
	}
	ours := pod(t, rendered["Deployment/finalizers-metrics"])
	theirs := pod(t, inDocs(t, "metrics/exporter/deployment.yaml")["Deployment/finalizers-metrics"])
	if !reflect.DeepEqual(ours, theirs) {
		t.Errorf("the pod is %v, want %v", ours, theirs)
	}
}

// pod returns the pod of a Deployment without its image, which docs can't know.
func pod(t *testing.T, deployment map[string]any) any {
	t.Helper()
	spec, _ := deployment["spec"].(map[string]any)
	template, _ := spec["template"].(map[string]any)
	pod, _ := template["spec"].(map[string]any)
	containers, _ := pod["containers"].([]any)
	if len(containers) != 1 {
		t.Fatalf("%d containers", len(containers))
	}
	container, _ := containers[0].(map[string]any)
	delete(container, "image")
	delete(container, "imagePullPolicy")
	return pod
}

// TestRights: the role reads, and reads no Secrets.
func TestRights(t *testing.T) {
	var role rbacv1.ClusterRole
	data, err := yaml.Marshal(objects(t, template(t))["ClusterRole/finalizers-metrics-finalizers-metrics"])
	if err == nil {
		err = yaml.UnmarshalStrict(data, &role)
	}
	if err != nil || len(role.Rules) < 10 {
		t.Fatalf("%v: %d rules", err, len(role.Rules))
	}
	for _, rule := range role.Rules {
		for _, verb := range rule.Verbs {
			if !slices.Contains([]string{"get", "list", "watch"}, verb) {
				t.Errorf("it may %s %v", verb, rule.Resources)
			}
		}
		if slices.Contains(rule.Resources, "secrets") || slices.Contains(rule.Resources, "*") {
			t.Errorf("it may read %v", rule.Resources)
		}
	}
}

// TestOnAControlPlane has a real one take what Helm and kubectl render, as a dry run: first where there is no
// Prometheus operator, then with its definitions.
func TestOnAControlPlane(t *testing.T) {
	built(t, "helm")
	plane := controlplane.ForTest(t)
	binaries, err := controlplane.FindBinaries()
	if err != nil {
		t.Fatal(err)
	}
	kubectl := func(input string, args ...string) string {
		t.Helper()
		command := exec.CommandContext(t.Context(), binaries.Kubectl,
			append([]string{"--kubeconfig", plane.Kubeconfig}, args...)...)
		command.Stdin = strings.NewReader(input)
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("kubectl %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	takes := func(what, manifests string, least int) {
		t.Helper()
		said := kubectl(manifests, "apply", "--dry-run=server", "--filename=-")
		if count := strings.Count(said, "(server dry run)"); count < least || strings.Contains(said, "Warning") {
			t.Errorf("%s: %d objects, want %d without warnings\n%s", what, count, least, said)
		}
	}
	const namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: finalizers-metrics, labels: " +
		"{pod-security.kubernetes.io/enforce: restricted, pod-security.kubernetes.io/warn: restricted}}}"
	kubectl(namespace, "apply", "--filename=-")
	takes("the chart", template(t), 6)
	takes("docs/metrics/exporter", kubectl("", "kustomize", "../../docs/metrics/exporter"), 8)
	for _, kind := range []string{"servicemonitors", "podmonitors", "prometheusrules"} {
		definition := "monitoring.coreos.com_" + kind + ".yaml"
		kubectl("", "create", "--filename="+built(t, definition))
		kubectl("", "wait", "--for=condition=Established", "--timeout=5m", "crd/"+kind+".monitoring.coreos.com")
	}
	takes("all of the chart", template(t, everything()...), 11)
	takes("all of it, with authentication", template(t, append(everything(), "--set", guarded)...), 14)
	takes("docs/metrics/monitoring", kubectl("", "kustomize", "../../docs/metrics/monitoring"), 11)
	rules, err := os.ReadFile("../../docs/metrics/kube-state-metrics/prometheusrule.yaml")
	if err != nil {
		t.Fatal(err)
	}
	takes("docs/metrics/kube-state-metrics", string(rules), 1)
}
