package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/testenv"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// sortOfCluster is what becomes of a question to a cluster.
type sortOfCluster struct {
	name  string
	count int
	says  string // in its error; empty for one that answers
	serve http.HandlerFunc
}

func sortsOfClusters(stop <-chan struct{}) []sortOfCluster {
	return []sortOfCluster{
		{name: "well", count: 60, serve: serveSynthetic},
		{name: "quiet", count: 10, serve: serveSynthetic},
		{name: "silent", count: 15, says: "answer within ", serve: func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-stop:
			case <-r.Context().Done():
			}
		}},
		{name: "expired", count: 5, says: "does not accept your credentials; perhaps they have expired. Log in again",
			serve: func(w http.ResponseWriter, _ *http.Request) { answerStatus(w, http.StatusUnauthorized, "Unauthorized") }},
		{name: "broken", count: 5, says: "server ", serve: func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "<html>", http.StatusBadGateway)
		}},
		{name: "down", count: 5, says: "can't be reached"},
	}
}

// TestHundredClusters asks a hundred clusters. Thirty don't answer, for several reasons.
func TestHundredClusters(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	config, all := api.NewConfig(), sortsOfClusters(stop)
	for _, sort := range all {
		for i := range sort.count {
			name, address := fmt.Sprintf("%s-%02d", sort.name, i), fmt.Sprintf("http://127.0.0.1:1/%d", i)
			if sort.serve != nil {
				server := httptest.NewServer(sort.serve)
				t.Cleanup(server.Close)
				address = server.URL + "/" + sort.name
			}
			config.Clusters[name] = &api.Cluster{Server: address}
			config.Contexts[name] = &api.Context{Cluster: name}
		}
	}
	t.Cleanup(func() { close(stop) })
	list, rss := listAll(t, config)
	states := map[string]int{}
	for _, one := range list.Clusters {
		sort := all[0]
		for _, other := range all {
			if strings.HasPrefix(one.Name, other.name+"-") {
				sort = other
			}
		}
		if asked := one.State == result.Answered; asked != (sort.says == "") || !strings.Contains(one.Error, sort.says) {
			t.Errorf("%s: %s %s", one.Name, one.State, one.Error)
		}
		states[string(one.State)]++
	}
	if len(list.Clusters) != 100 || states["Answered"] != 70 || states["Failed"] != 30 {
		t.Errorf("got %d clusters: %v", len(list.Clusters), states)
	}
	if len(list.Items) != 60 || len(list.Shared) != 1 || len(list.Shared[0].Clusters) != 60 {
		t.Errorf("got %d objects with %d causes", len(list.Items), len(list.Shared))
	}
	if most := int64(300 << 10); rss > most {
		t.Errorf("it took %d MiB of memory", rss>>10)
	}
	t.Logf("it took %d MiB of memory", rss>>10)
}

// listAll runs list for all contexts, and returns what it prints and how much memory it took, in KiB.
func listAll(t *testing.T, config *api.Config) (list result.List, rss int64) {
	t.Helper()
	dir := t.TempDir()
	kubeconfig := filepath.Join(dir, "config")
	if err := clientcmd.WriteToFile(*config, kubeconfig); err != nil {
		t.Fatal(err)
	}
	program := exec.CommandContext(t.Context(), os.Args[0])
	program.Args = []string{"kubectl-finalizers", "list", "-A", "--contexts", "all", "--kubeconfig", kubeconfig,
		"--cluster-timeout", "20s", "--cache-dir", dir, "-o", "json"}
	program.Env = append(os.Environ(), testenv.Fixed()...)
	var out, said bytes.Buffer
	program.Stdout, program.Stderr = &out, &said
	if err := program.Run(); err != nil {
		t.Fatalf("%v: %s", err, &said)
	}
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	rss = program.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS == "darwin" {
		rss >>= 10 // in bytes there
	}
	return list, rss
}

func answerStatus(w http.ResponseWriter, code int, reason metav1.StatusReason) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: "Failure", Code: int32(code), Reason: reason,
		Message: string(reason),
	})
}

// serveSynthetic is a small API server: of its kinds, one has an object that is Terminating, unless it is quiet.
func serveSynthetic(w http.ResponseWriter, r *http.Request) {
	quiet, path := strings.HasPrefix(r.URL.Path, "/quiet/"), strings.TrimPrefix(r.URL.Path, "/well")
	path = strings.TrimPrefix(path, "/quiet")
	switch {
	case path == "/api":
		serveGroups(w, "", "namespaces", "configmaps", "pods", "secrets", "serviceaccounts", "events")
	case path == "/apis":
		serveGroups(w, "bench.example.com", "things")
	case !strings.HasSuffix(path, "s"):
		answerStatus(w, http.StatusNotFound, metav1.StatusReasonNotFound)
	default:
		list := metav1.PartialObjectMetadataList{
			TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadataList"},
			ListMeta: metav1.ListMeta{ResourceVersion: "7"}, Items: []metav1.PartialObjectMetadata{},
		}
		if strings.HasSuffix(path, "/configmaps") && !quiet {
			at := metav1.Now()
			list.Items = append(list.Items, metav1.PartialObjectMetadata{
				TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"},
				ObjectMeta: metav1.ObjectMeta{
					Name: "held", Namespace: "bench", UID: "7f1f9a5e-0000-4000-8000-000000000000", ResourceVersion: "6",
					Finalizers: []string{"bench.example.com/hold"}, DeletionTimestamp: &at, CreationTimestamp: at,
				},
			})
		}
		w.Header().Set("Content-Type", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io")
		_ = json.NewEncoder(w).Encode(list)
	}
}

func serveGroups(w http.ResponseWriter, group string, resources ...string) {
	var of []apidiscovery.APIResourceDiscovery
	for _, name := range resources {
		kind := strings.ToUpper(name[:1]) + strings.TrimSuffix(name[1:], "s")
		of = append(of, apidiscovery.APIResourceDiscovery{
			Resource: name, ResponseKind: &metav1.GroupVersionKind{Group: group, Version: "v1", Kind: kind},
			Scope: apidiscovery.ScopeNamespace, Verbs: []string{"get", "list", "watch", "delete"},
		})
	}
	w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
	_ = json.NewEncoder(w).Encode(apidiscovery.APIGroupDiscoveryList{
		TypeMeta: metav1.TypeMeta{APIVersion: "apidiscovery.k8s.io/v2", Kind: "APIGroupDiscoveryList"},
		Items: []apidiscovery.APIGroupDiscovery{{
			ObjectMeta: metav1.ObjectMeta{Name: group},
			Versions: []apidiscovery.APIVersionDiscovery{{
				Version: "v1", Resources: of, Freshness: apidiscovery.DiscoveryFreshnessCurrent,
			}},
		}},
	})
}
