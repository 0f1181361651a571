package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// starting is a stage with three Databases beside its ConfigMaps, and an API server that, for a while, doesn't serve
// them, as one that has just started.
type starting struct {
	*stage
	group  string              // of the Databases
	behind atomic.Bool         // the server doesn't serve them
	missed atomic.Int32        // requests for Databases that were answered with 404
	asked  atomic.Int32        // of discovery while it is behind
	after  func(*http.Request) // is told each request that was answered; it is set between two runs of the program
}

func newStarting(t *testing.T, plane *controlplane.ControlPlane, name string) *starting {
	t.Helper()
	s := &starting{stage: &stage{plane: plane, namespace: "starting-" + name}, group: name + ".example.com"}
	s.prepare(t)
	steps := definition("databases."+s.group, "Database", "Namespaced")
	for _, text := range []string{"a", "b", "c"} {
		steps += fmt.Sprintf("- apply: |\n    apiVersion: %s/v1\n    kind: Database\n    metadata: "+
			"{name: %s, namespace: %s, finalizers: [example.com/hold, example.com/other]}\n", s.group, text, s.namespace)
	}
	for _, text := range []string{"a", "b", "c"} {
		steps += fmt.Sprintf("- delete: {object: databases.%s/%s, namespace: %s}\n", s.group, text, s.namespace)
	}
	mustBreak(t, plane, steps)
	config, err := plane.AdminConfig()
	if err != nil {
		t.Fatal(err)
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	s.kubeconfig = answering(t, plane, func(w http.ResponseWriter, r *http.Request, pass func()) {
		switch {
		case !s.behind.Load():
			pass()
			if s.after != nil {
				s.after(r)
			}
		case strings.HasPrefix(r.URL.Path, "/apis/"+s.group):
			s.missed.Add(1)
			http.Error(w, "404 page not found", http.StatusNotFound)
		case r.URL.Path == "/apis":
			s.asked.Add(1)
			s.withoutGroup(w, r, client, config.Host)
		default:
			pass()
		}
	})
	return s
}

// withoutGroup answers discovery without the group of the Databases.
func (s *starting) withoutGroup(w http.ResponseWriter, r *http.Request, client *http.Client, host string) {
	request, _ := http.NewRequestWithContext(r.Context(), http.MethodGet, host+r.URL.Path, nil)
	request.Header.Set("Accept", r.Header.Get("Accept"))
	response, err := client.Do(request)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer func() { _ = response.Body.Close() }()
	var groups map[string]any
	if err := json.NewDecoder(response.Body).Decode(&groups); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	for _, name := range []string{"items", "groups"} { // aggregated, and not
		all, _ := groups[name].([]any)
		var others []any
		for _, one := range all {
			if text, _ := json.Marshal(one); !strings.Contains(string(text), `"name":"`+s.group+`"`) {
				others = append(others, one)
			}
		}
		if all != nil {
			groups[name] = others
		}
	}
	w.Header().Set("Content-Type", response.Header.Get("Content-Type"))
	text, _ := json.Marshal(groups)
	_, _ = w.Write(text)
}

// deleteNamespace deletes the namespace, and waits until its controller has told what is in it.
func (s *starting) deleteNamespace(t *testing.T) {
	t.Helper()
	mustBreak(t, s.plane, fmt.Sprintf("- delete: {object: namespace/%s}\n- until: {object: namespace/%[1]s, path: "+
		`'{.status.conditions[?(@.type=="NamespaceContentRemaining")].status}', is: "True"}`+"\n", s.namespace))
}

func (s *starting) databases(t *testing.T) dynamic.ResourceInterface {
	t.Helper()
	config, err := s.plane.AdminConfig()
	if err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	databases := schema.GroupVersionResource{Group: s.group, Version: "v1", Resource: "databases"}
	return client.Resource(databases).Namespace(s.namespace)
}

// free removes finalizers of Databases.
func (s *starting) free(t *testing.T, names ...string) {
	t.Helper()
	databases := s.databases(t)
	for _, name := range names {
		var err error
		until(t, "Database "+name+" is free", func() bool { // a server that has just started may not serve it yet
			_, err = databases.Patch(t.Context(), name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`),
				metav1.PatchOptions{})
			return err == nil
		}, func() string { return fmt.Sprint(err) })
	}
}

// finalizers returns those of a Database.
func (s *starting) finalizers(t *testing.T, name string) []string {
	t.Helper()
	found, err := s.databases(t).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return found.GetFinalizers()
}

// saysNoLies fails if something was said of the Databases that wasn't so.
func saysNoLies(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		for _, lie := range []string{"gone", "no longer"} {
			if strings.Contains(line, "Database") && strings.Contains(line, lie) {
				t.Errorf("it was there all the time: %s", line)
			}
		}
	}
}
