package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// boundClaim is a deleted claim that a backup operator's finalizer holds last, and its volume.
func boundClaim(name, policy string) string {
	return fmt.Sprintf(`
- apply: |
    apiVersion: v1
    kind: PersistentVolume
    metadata: {name: losses-%[1]s, annotations: {pv.kubernetes.io/provisioned-by: losses.csi.example.com}}
    spec:
      storageClassName: losses-%[1]s
      capacity: {storage: 1Gi}
      accessModes: [ReadWriteOnce]
      persistentVolumeReclaimPolicy: %[2]s
      csi: {driver: losses.csi.example.com, volumeHandle: handle-%[1]s}
    ---
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: {name: %[1]s, namespace: losses, finalizers: [backup.example.com/hold]}
    spec: {storageClassName: losses-%[1]s, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
- until: {object: pvc/%[1]s, namespace: losses, path: '{.status.phase}', is: Bound}
- delete: {object: pvc/%[1]s, namespace: losses}
- until: {object: pvc/%[1]s, namespace: losses, path: '{.metadata.finalizers}', is: '["backup.example.com/hold"]'}
`, name, policy)
}

// TestLosses removes what takes data along, and brings it back.
func TestLosses(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	mustBreak(t, plane, "- apply: |\n    apiVersion: v1\n    kind: Namespace\n    metadata: {name: losses}\n"+
		boundClaim("kept", "Retain")+boundClaim("gone", "Delete")+boundClaim("changed", "Delete"))
	l := newLab(t, plane, "remove-losses", controlplane.ClusterAdmins)
	claim := func(name string) []string {
		return []string{"pvc/" + name, "-n", "losses", "--finalizer", "backup.example.com/hold"}
	}

	t.Run("what goes with the claim is said, and how to keep it", func(t *testing.T) {
		plan := l.remove(t, claim("changed")...).report
		item := plan.Items[0]
		if len(item.Takes) != 1 || item.Takes[0].Situation != "VolumeDeleted" || item.Risk != finding.DataLoss {
			t.Errorf("it takes along %+v (%s)", item.Takes, item.Risk)
		}
		l.shell(t, item.Better[0].Command.String())
		if item = l.remove(t, claim("changed")...).report.Items[0]; len(item.Takes) != 1 ||
			item.Takes[0].Situation != "VolumeKept" || item.Risk != finding.NoRisk {
			t.Errorf("after %s it takes along %+v (%s)", plan.Items[0].Better[0].Command, item.Takes, item.Risk)
		}
		if done := l.remove(t, append(claim("changed"), "--force", "--confirm", plan.Token)...); done.code != 5 {
			t.Errorf("the token of a plan that loses something else fits: %s", done.report.Summary)
		}
	})
	t.Run("a restored claim is bound again to the volume that was kept", func(t *testing.T) {
		done := l.confirmed(t, claim("kept")...)
		if done.report.Outcome != result.Gone {
			t.Fatalf("%s: %s", done.report.Outcome, done.report.Summary)
		}
		steps := done.report.Items[0].Backup.Restore
		l.shell(t, steps[0].Command.String())
		l.shell(t, steps[len(steps)-1].Command.String())
		mustBreak(t, plane, "- until: {object: pvc/kept, namespace: losses, path: '{.status.phase}{.spec.volumeName}', "+
			"is: Boundlosses-kept}\n")
	})
	t.Run("a restored claim is bound again to a volume that was restored", func(t *testing.T) {
		done := l.confirmed(t, claim("gone")...)
		if done.report.Outcome != result.Gone {
			t.Fatalf("%s: %s", done.report.Outcome, done.report.Summary)
		}
		backup := done.report.Items[0].Backup
		content, err := os.ReadFile(backup.Volume)
		if err != nil || strings.Contains(string(content), "pv.kubernetes.io/") {
			t.Errorf("the volume is saved with what its driver and the controller wrote: %v\n%s", err, content)
		}
		l.shell(t, "kubectl --kubeconfig "+l.kubeconfig+" delete pv/losses-gone --wait=true")
		for _, step := range backup.Restore[1:] {
			l.shell(t, step.Command.String())
		}
		mustBreak(t, plane, "- until: {object: pvc/gone, namespace: losses, path: '{.status.phase}{.spec.volumeName}', "+
			"is: Boundlosses-gone}\n")
	})
	t.Run("each request says whose it is", func(t *testing.T) {
		requests, err := plane.Requests(t.Context(), l.user, l.kubeconfig)
		if err != nil || len(requests) == 0 {
			t.Fatalf("no requests: %v", err)
		}
		for _, request := range requests {
			ours := strings.HasPrefix(request.UserAgent, "kubectl-finalizers/")
			if !ours && !strings.HasPrefix(request.UserAgent, "kubectl/") { // which the test runs
				t.Errorf("%s %s came from %q", request.Verb, request.RequestURI, request.UserAgent)
			}
		}
	})
	t.Run("what was saved can be created as it is", func(t *testing.T) { testCreatable(t, plane, l) })
}

// testCreatable removes objects of kinds that can't be created just as they were, and creates them again.
func testCreatable(t *testing.T, plane *controlplane.ControlPlane, l *lab) {
	mustBreak(t, plane, `
- apply: |
    apiVersion: v1
    kind: Service
    metadata: {name: web, namespace: losses, finalizers: [example.com/hold]}
    spec: {ports: [{port: 80}]}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: migrate, namespace: losses, finalizers: [example.com/hold]}
    spec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: main, image: none}]}}}
    ---
    apiVersion: v1
    kind: Namespace
    metadata: {name: losses-inner, finalizers: [example.com/hold]}
    ---
    apiVersion: v1
    kind: PersistentVolume
    metadata: {name: losses-free, finalizers: [example.com/hold]}
    spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /nowhere}}
- delete: {object: services/web, namespace: losses}
- delete: {object: jobs.batch/migrate, namespace: losses}
- delete: {object: namespaces/losses-inner}
- delete: {object: persistentvolumes/losses-free}
- until: {object: namespaces/losses-inner, path: '{.status.conditions[?(@.type=="NamespaceContentRemaining")].status}',
    is: "False"}
- until: {object: persistentvolumes/losses-free, path: '{.metadata.finalizers}', is: '["example.com/hold"]'}
- until: {object: jobs.batch/migrate, namespace: losses, path: '{.metadata.finalizers}', is: '["example.com/hold"]'}
`)
	for _, target := range []string{"services/web", "jobs.batch/migrate", "namespaces/losses-inner",
		"persistentvolumes/losses-free"} {
		done := l.confirmed(t, target, "-n", "losses", "--finalizer", "example.com/hold")
		if done.report.Outcome != result.Gone {
			t.Errorf("%s: %s", target, done.report.Summary)
			continue
		}
		steps := done.report.Items[0].Backup.Restore
		l.shell(t, steps[len(steps)-1].Command.String())
	}
}

// shell runs a command as it is printed, with kubectl on the PATH.
func (l *lab) shell(t *testing.T, command string) {
	t.Helper()
	binaries, err := controlplane.FindBinaries()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), "sh", "-c", command)
	path := strings.Join([]string{filepath.Dir(binaries.Kubectl), os.Getenv("PATH")}, string(os.PathListSeparator))
	run.Env = slices.Concat(os.Environ(), []string{"PATH=" + path})
	if output, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, output)
	}
}
