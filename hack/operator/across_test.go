package operator_test

import (
	"encoding/base64"
	"encoding/json"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/operator"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestAcross has an operator on a hub wait for something on another control plane: Cluster API's core for a Node whose
// Pod a budget keeps, Argo CD and Open Cluster Management's agent for a claim that a Pod uses. The hub's answer names
// that Pod, with the other cluster's context; and says how to ask it, where it may not be asked.
func TestAcross(t *testing.T) {
	t.Run("cluster-api", func(t *testing.T) {
		across(t, "cluster-api", "shop/web", "machines.cluster.x-k8s.io/worker", "-n", "clusters")
	})
	t.Run("argo-cd", func(t *testing.T) {
		across(t, "argo-cd", "shop/backup", "applications.argoproj.io/web", "-n", "argocd")
	})
	t.Run("ocm", func(t *testing.T) {
		across(t, "ocm", "shop/backup", "manifestworks.work.open-cluster-management.io/web", "-n", "prod")
	})
}

// across gets two control planes into the situation of a folder, and asks the hub why an object is Terminating.
func across(t *testing.T, folder, pod string, target ...string) {
	t.Helper()
	hubFile, spokeFile := filepath.Join(folder, "hub.yaml"), filepath.Join(folder, "spoke.yaml")
	bin := built(t, acrossFile(t, hubFile, nil))
	config := api.NewConfig()
	planes, files := map[string]*controlplane.ControlPlane{}, map[string]string{}
	for _, name := range []string{"hub", "spoke"} {
		planes[name] = controlplane.ForTest(t)
		files[name] = addContext(t, planes[name], config, name)
	}
	for _, one := range []struct{ plane, file string }{{"spoke", spokeFile}, {"hub", hubFile}} {
		harness := start(t, planes[one.plane], bin)
		harness.LeadsTo(planes["hub"])
		if err := harness.Break(t.Context(), acrossFile(t, one.file, replacements(t, config))); err != nil {
			t.Fatal(err)
		}
	}
	config.CurrentContext = "hub"
	kubeconfig := filepath.Join(t.TempDir(), "config")
	if err := clientcmd.WriteToFile(*config, kubeconfig); err != nil {
		t.Fatal(err)
	}
	ask := asker{t: t, from: []string{"--kubeconfig", kubeconfig}, shows: true}
	target = append([]string{"why"}, target...)
	t.Log(ask.run(append(target, "--across")...))

	var across, alone result.Diagnosis
	ask.decode(&across, append(target, "--across")...)
	if across.Verdict != result.Stuck || len(across.RootCauses) != 1 {
		t.Fatalf("it is %s, with %d causes: %s", across.Verdict, len(across.RootCauses), across.Summary)
	}
	if cause := across.RootCauses[0]; cause.Reason != "StillInUse" || cause.Object.Kind != "Pod" ||
		cause.Object.Path() != pod || cause.Object.Cluster != "spoke" {
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
func acrossFile(t *testing.T, name string, replacements []string) (read operator.Scenario) {
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

// replacements are where the spoke is, and how the hub's controllers get there: a kubeconfig, or certificates alone.
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
	cluster, user := config.Clusters["spoke"], config.AuthInfos["spoke"]
	access, err := json.Marshal(map[string]any{"tlsClientConfig": map[string]any{
		"caData": cluster.CertificateAuthorityData, "certData": user.ClientCertificateData, "keyData": user.ClientKeyData,
	}})
	if err != nil {
		t.Fatal(err)
	}
	return []string{
		"KUBECONFIG", strconv.Quote(string(data)), "HOST", host, "PORT", port,
		"SERVER", cluster.Server, "ACCESS", strconv.Quote(string(access)),
		"AUTHORITY", base64.StdEncoding.EncodeToString(cluster.CertificateAuthorityData),
	}
}
