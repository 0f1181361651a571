package diagnosis_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestListOfKinds reads only some kinds, once for all of them that are Terminating, and in a namespace finds nothing
// that has none. It says what may not be listed; if that is all of it, it is the error.
func TestListOfKinds(t *testing.T) {
	memory, err := clustertest.New(now, strings.Join(append(stuckDatabases(40),
		object("v1", "PersistentVolume", "", "disk", deleted(time.Hour, "example.com/hold"), ""), managerAlive()), "---\n"))
	if err != nil {
		t.Fatal(err)
	}
	servedKinds, err := memory.ServedKinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(servedKinds.Resources, func(one cluster.Resource) bool { return one.Kind == "Database" })
	kinds := []cluster.Resource{servedKinds.Resources[at], cluster.PersistentVolumes()}
	ask := func() (*result.List, error) {
		memory.Reads = nil
		return diagnosis.List(t.Context(), memory, diagnosis.ListOptions{Options: asking(t), Namespace: "shop", Kinds: kinds})
	}
	got, err := ask()
	if err != nil || len(got.Items) != 41 || len(got.Unreadable) > 0 {
		t.Fatalf("%v, %d objects, unreadable %v", err, len(got.Items), got.Unreadable)
	}
	if len(memory.Reads) > 40 {
		t.Errorf("%d reads for 41 objects: %s", len(memory.Reads), strings.Join(memory.Reads, "\n"))
	}
	memory.Deny("persistentvolumes")
	if got, err = ask(); err != nil || len(got.Items) != 40 || len(got.Unreadable) == 0 {
		t.Errorf("%v, %d objects, unreadable %v", err, len(got.Items), got.Unreadable)
	}
	kinds = kinds[1:]
	if _, err = ask(); err == nil || !strings.Contains(err.Error(), "you are not allowed to list persistentvolumes:") {
		t.Errorf("error %v", err)
	}
}

// TestListNamesUndiscovered makes sure that a list says which API groups it knows nothing about, whatever it selects.

// TestListNamesUndiscovered makes sure that a list says which API groups it knows nothing about, whatever it selects.
func TestListNamesUndiscovered(t *testing.T) {
	memory, err := clustertest.New(now, configMap("web", "labels: {app: web}, "+deleted(time.Hour, "example.com/hold")))
	if err != nil {
		t.Fatal(err)
	}
	gone := schema.GroupVersion{Group: "metrics.example.com", Version: "v1"}
	memory.Failed = map[schema.GroupVersion]error{gone: errors.New("the server is currently unable to handle the request")}
	for name, options := range map[string]diagnosis.ListOptions{
		"everything": {}, "one namespace": {Namespace: "shop"}, "labels": {Labels: "app=web"},
		"labels of none": {Labels: "app=db"},
		"no causes":      {Bare: true},
	} {
		options.Options = asking(t)
		found, err := diagnosis.List(t.Context(), memory, options)
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Unreadable) != 1 || found.Unreadable[0].Resource != "*."+gone.String() {
			t.Errorf("%s: unreadable is %+v", name, found.Unreadable)
		}
	}
}

// TestListKnowsMirrors lists an object once that an aggregated API server shows under other names, too: as Kubernetes
// calls it, and else by one name whichever is listed first.
