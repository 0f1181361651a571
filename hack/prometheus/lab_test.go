package prometheus

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/cert"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/streams"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
)

// lab is a control plane with the exporter's manifests, the exporter, and a Prometheus.
type lab struct {
	plane   *controlplane.ControlPlane
	breaker *zoo.Breaker
	dir     string

	exporter   string // its address
	prometheus string
}

// install applies the manifests of docs, as they are. That pod security lets the pod in shows in the ReplicaSet.
func (l *lab) install(t *testing.T) {
	t.Helper()
	var all []string
	for _, path := range []string{
		"../rbac/reader.yaml", "exporter/deployment.yaml", "exporter/authentication.yaml",
	} {
		documents, err := manifests(filepath.Join(Docs, path))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, documents...)
	}
	text := strings.ReplaceAll("    "+strings.Join(all, "\n---\n"), "\n", "\n    ")
	// What custom-resources.yaml does for the kinds that are there.
	text += `
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: s19-reader, labels: {finalizers.kubectl/aggregate-to-reader: "true"}}
    rules: [{apiGroups: [s19.example.com], resources: ["*"], verbs: [get, list, watch]}]
`
	const of = "{object: deployment/finalizers-metrics, namespace: finalizers-metrics, "
	const monitoring = `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: monitoring}
    ---
    apiVersion: v1
    kind: ServiceAccount
    metadata: {name: prometheus-k8s, namespace: monitoring}
`
	l.steps(t, monitoring+"- apply: |\n"+text+"- until: "+of+"path: '{.status.replicas}', is: \"1\"}\n"+
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
	said := &streams.Buffer{}
	ended := make(chan int, 1)
	iOStreams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: io.Discard, ErrOut: said}
	go func() {
		ended <- cli.Execute(ctx, iOStreams, []string{
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

// refuses tries to read the metrics without a token, with a wrong one, and with one whose owner may not.
func (l *lab) refuses(t *testing.T) {
	t.Helper()
	config := &rest.Config{Host: "https://" + l.exporter}
	config.CAFile = filepath.Join(l.dir, "tls.crt")
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
