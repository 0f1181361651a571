package operator_test

import (
	"encoding/json"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/operator"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestAcross has Cluster API's own core on a hub drain a Node of another control plane, where a budget keeps a Pod: the
// hub's answer names that Pod, with the other cluster's context; and says how to ask it, where it may not be asked.
func TestAcross(t *testing.T) {
	hub, spoke := acrossFile[operator.Scenario](t, "hub.yaml", nil), acrossFile[zoo.Scenario](t, "spoke.yaml", nil)
	bin := built(t, hub)
	config := api.NewConfig()
	planes, files := map[string]*controlplane.ControlPlane{}, map[string]string{}
	for _, name := range []string{"hub", "spoke"} {
		planes[name] = controlplane.ForTest(t)
		files[name] = addContext(t, planes[name], config, name)
	}
	breaker, err := zoo.NewBreaker(planes["spoke"])
	if err != nil {
		t.Fatal(err)
	}
	if err := breaker.Break(t.Context(), spoke); err != nil {
		t.Fatal(err)
	}
	harness := start(t, planes["hub"], bin)
	hub = acrossFile[operator.Scenario](t, "hub.yaml", replacements(t, config))
	if err := harness.Break(t.Context(), hub); err != nil {
		t.Fatal(err)
	}
	config.CurrentContext = "hub"
	kubeconfig := filepath.Join(t.TempDir(), "config")
	if err := clientcmd.WriteToFile(*config, kubeconfig); err != nil {
		t.Fatal(err)
	}
	ask := asker{t: t, from: []string{"--kubeconfig", kubeconfig}, shows: true}
	target := []string{"why", "machines.cluster.x-k8s.io/worker", "-n", "clusters"}
	t.Log(ask.run(append(target, "--across")...))

	var across, alone result.Diagnosis
	ask.decode(&across, append(target, "--across")...)
	if across.Verdict != result.Stuck || len(across.RootCauses) != 1 {
		t.Fatalf("it is %s, with %d causes: %s", across.Verdict, len(across.RootCauses), across.Summary)
	}
	if cause := across.RootCauses[0]; cause.Reason != "StillInUse" || cause.Object.Kind != "Pod" ||
		cause.Object.Path() != "shop/web" || cause.Object.Cluster != "spoke" {
		t.Errorf("the cause is %s of %s in %q", cause.Reason, cause.Object, cause.Object.Cluster)
	}
	ask.decode(&alone, target...)
	for _, node := range alone.Graph.Nodes {
		if node.Cluster != "" {
			t.Errorf("without --across the other cluster was asked about %s", node.Ref)
		}
	}
	requests, err := planes["spoke"].Requests(t.Context(), "across", files["spoke"])
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range requests {
		if strings.HasPrefix(request.UserAgent, "kubectl-finalizers/") && (request.Writes() || request.ReadsSecrets()) {
			t.Errorf("it sent %s %s to the other cluster", request.Verb, request.RequestURI)
		}
	}
	if text := ask.run(target...); !strings.Contains(text, "--across") {
		t.Errorf("it doesn't say how to ask the other cluster:\n%s", text)
	}
}

// acrossFile reads a file of the folder, with some text replaced.
func acrossFile[T any](t *testing.T, name string, replacements []string) (read T) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("across", name))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(replacements...).Replace(string(data))
	if err := yaml.Unmarshal([]byte(text), &read); err != nil {
		t.Fatal(err)
	}
	return read
}

// addContext adds a context for a control plane to a kubeconfig, of its name, and returns the file that it is from.
func addContext(t *testing.T, plane *controlplane.ControlPlane, config *api.Config, name string) string {
	t.Helper()
	file, err := plane.UserKubeconfig(t.Context(), name, "across", controlplane.ClusterAdmins)
	if err != nil {
		t.Fatal(err)
	}
	read, err := clientcmd.LoadFromFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := api.FlattenConfig(read); err != nil {
		t.Fatal(err)
	}
	config.Clusters[name] = read.Clusters[read.Contexts[name].Cluster]
	config.AuthInfos[name] = read.AuthInfos[read.Contexts[name].AuthInfo]
	config.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name}
	return file
}

// replacements are where the spoke is, and the kubeconfig by which the hub's controllers get there.
func replacements(t *testing.T, config *api.Config) []string {
	t.Helper()
	server, err := url.Parse(config.Clusters["spoke"].Server)
	if err != nil {
		t.Fatal(err)
	}
	host, port, err := net.SplitHostPort(server.Host)
	if err != nil {
		t.Fatal(err)
	}
	leads := api.NewConfig()
	leads.Clusters["spoke"], leads.AuthInfos["spoke"] = config.Clusters["spoke"], config.AuthInfos["spoke"]
	leads.Contexts["spoke"], leads.CurrentContext = config.Contexts["spoke"], "spoke"
	data, err := clientcmd.Write(*leads)
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(string(data))
	if err != nil {
		t.Fatal(err)
	}
	return []string{"KUBECONFIG", string(quoted), "HOST", host, "PORT", port}
}
