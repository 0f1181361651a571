package snapshot_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestWhatIsKeptOfConfigMaps has what a recording holds of ConfigMaps that give programs variables: what says which
// objects these act on, and nothing else.
func TestWhatIsKeptOfConfigMaps(t *testing.T) {
	memory, err := clustertest.New(moment(), `
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: ops, name: operator}
spec:
  template:
    spec:
      containers:
      - name: main
        args: ["--namespaces=$(PLACES)"]
        env:
        - {name: PLACES, valueFrom: {configMapKeyRef: {name: one, key: places}}}
        - {name: LEVEL, valueFrom: {configMapKeyRef: {name: one, key: level}}}
        envFrom: [{configMapRef: {name: all}}]
---
apiVersion: v1
kind: ConfigMap
metadata: {namespace: ops, name: one}
data: {places: "a,b", level: planted, watched: planted}
---
apiVersion: v1
kind: ConfigMap
metadata: {namespace: ops, name: all}
data: {WATCH_NAMESPACE: "c", PASSWORD: planted, URL: "https://planted"}
---
apiVersion: v1
kind: ConfigMap
metadata: {namespace: ops, name: other}
data: {WATCH_NAMESPACE: planted}
`)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"one", "all", "other"}
	recording := recorded(t, memory, func(recorder *snapshot.Recorder) error {
		if _, err := recorder.List(t.Context(), cluster.Deployments(), "ops", cluster.Selector{}); err != nil {
			return err
		}
		for _, name := range names {
			if _, err := recorder.Get(t.Context(), cluster.ConfigMaps(), "ops", name); err != nil {
				return err
			}
		}
		return nil
	})
	want := map[string]any{
		"one": map[string]any{"places": "a,b", "(not recorded)": ""},
		"all": map[string]any{"WATCH_NAMESPACE": "c", "(not recorded)": ""},
	}
	got := map[string]any{}
	for _, name := range names {
		whole, err := recording.Get(t.Context(), cluster.ConfigMaps(), "ops", name)
		if err == nil {
			got[name] = whole.Object["data"]
		} else if !cluster.NotRecorded(err) {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
