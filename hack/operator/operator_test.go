package operator_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

func TestMain(m *testing.M) { controlplane.Main(m) }

const account = "system:serviceaccount:kube-system:snapshot-controller"

// TestOperator asks why a VolumeSnapshot is Terminating while its operator runs, while it may not write,
// and after it was scaled away.
func TestOperator(t *testing.T) {
	built := binaries(t)
	plane := controlplane.ForTest(t)
	breaker, err := zoo.NewBreaker(plane)
	if err != nil {
		t.Fatal(err)
	}
	do := func(steps ...zoo.Step) {
		t.Helper()
		if err := breaker.Break(t.Context(), zoo.Scenario{ID: "operator", Steps: steps}); err != nil {
			t.Fatal(err)
		}
	}
	do(zoo.Step{AliveNode: "operator-node"}, zoo.Step{Apply: read(t, filepath.Join(built, "definitions.yaml"))}, zoo.Step{Apply: read(t, "testdata/operator.yaml")},
		until("deployments.apps/snapshot-controller", "kube-system", "{.status.readyReplicas}", "1"))
	stop := run(t, plane, built)
	do(until("leases.coordination.k8s.io/snapshot-controller-leader", "kube-system", "{.spec.holderIdentity}", ""))

	// Running: it lets go of what it held.
	do(snapshot("released"), deleted("released"))
	do(zoo.Step{Until: &zoo.Until{Object: object("released"), Gone: true}})

	// Running, and not allowed to write any more.
	do(snapshot("forbidden"), zoo.Step{Patch: &zoo.Patch{Object: zoo.Object{Object: "clusterroles/snapshot-controller-runner"}, Merge: map[string]any{"rules": []any{
		map[string]any{"apiGroups": []any{"snapshot.storage.k8s.io"}, "resources": []any{"*"}, "verbs": []any{"get", "list", "watch"}},
	}}}}, deleted("forbidden"))
	expect(t, plane, "forbidden", finding.ControllerForbidden, "VolumeSnapshot backups/forbidden")

	// Scaled away.
	stop()
	do(zoo.Step{Patch: &zoo.Patch{Object: zoo.Object{Object: "deployments.apps/snapshot-controller", Namespace: "kube-system"}, Merge: map[string]any{"spec": map[string]any{"replicas": 0}}}},
		until("deployments.apps/snapshot-controller", "kube-system", "{.status.observedGeneration}", "2"),
		zoo.Step{Until: &zoo.Until{Object: zoo.Object{Object: "leases.coordination.k8s.io/snapshot-controller-leader", Namespace: "kube-system"}, LeaseStale: true}})
	expect(t, plane, "forbidden", finding.ControllerDown, "Deployment kube-system/snapshot-controller")
}

// binaries returns the folder with the built operator. Building it takes minutes, so that plain tests go
// without it.
func binaries(t *testing.T) string {
	t.Helper()
	_, self, _, _ := runtime.Caller(0)
	dir := filepath.Join(filepath.Dir(self), "..", "..", "bin", "operator")
	if _, err := os.Stat(filepath.Join(dir, "definitions.yaml")); err != nil {
		if os.Getenv("OPERATOR_REQUIRED") != "" {
			t.Fatal(err)
		}
		t.Skip("the operator isn't built: run 'make test-operator'")
	}
	return dir
}

// run starts the operator with its account's rights, and returns what ends it.
func run(t *testing.T, plane *controlplane.ControlPlane, built string) (stop func()) {
	t.Helper()
	kubeconfig, err := plane.UserKubeconfig(t.Context(), "operator", account, "system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated")
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	process := exec.CommandContext(t.Context(), filepath.Join(built, "snapshot-controller"), "--kubeconfig", kubeconfig,
		"--leader-election", "--leader-election-namespace", "kube-system", "--resync-period", "5s", "--retry-interval-max", "5s")
	process.Stdout, process.Stderr = &log, &log
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	stop = func() {
		if !ended {
			_ = process.Process.Kill()
			_ = process.Wait()
			ended = true
		}
	}
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			t.Logf("the operator said:\n%s", tail(log.String()))
		}
	})
	return stop
}

func tail(text string) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-30):], "\n")
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func object(name string) zoo.Object {
	return zoo.Object{Object: "volumesnapshots.snapshot.storage.k8s.io/" + name, Namespace: "backups"}
}

// snapshot is a VolumeSnapshot of which the content is gone, so that nothing but the operator holds it.
func snapshot(name string) zoo.Step {
	return zoo.Step{Apply: `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: {name: ` + name + `, namespace: backups, finalizers: [snapshot.storage.kubernetes.io/volumesnapshot-bound-protection]}
spec: {source: {volumeSnapshotContentName: gone}}
`}
}

func deleted(name string) zoo.Step { return zoo.Step{Delete: &zoo.Delete{Object: object(name)}} }

func until(name, namespace, path, is string) zoo.Step {
	return zoo.Step{Until: &zoo.Until{Object: zoo.Object{Object: name, Namespace: namespace}, Path: path, Is: is}}
}

// expect asks why a VolumeSnapshot is still there, and wants one and the same cause for all that holds it.
func expect(t *testing.T, plane *controlplane.ControlPlane, name string, reason finding.Reason, of string) {
	t.Helper()
	kubeconfig, err := plane.UserKubeconfig(t.Context(), "operator", "asks", controlplane.ClusterAdmins)
	if err != nil {
		t.Fatal(err)
	}
	var out, errOut bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
	if code := cli.Execute(t.Context(), streams, []string{"why", "volumesnapshot/" + name, "-n", "backups", "-o", "json", "--kubeconfig", kubeconfig}); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, &out, &errOut)
	}
	var diagnosis report.Diagnosis
	if err := json.Unmarshal(out.Bytes(), &diagnosis); err != nil {
		t.Fatal(err)
	}
	t.Log(diagnosis.Summary)
	if len(diagnosis.RootCauses) == 0 {
		t.Errorf("there is no cause, want %s of %s", reason, of)
	}
	for _, cause := range diagnosis.RootCauses { // the operator holds the object by more than one finalizer
		if cause.Reason != reason || cause.Object.String() != of {
			t.Errorf("the cause is %s of %s, want %s of %s", cause.Reason, cause.Object, reason, of)
		}
	}
}
