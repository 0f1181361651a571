package controlplane_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

func TestMain(m *testing.M) { controlplane.Main(m) }

// crashEnv makes this test binary boot a control plane and panic, for TestNothingSurvivesAPanic.
const crashEnv = "CONTROLPLANE_TEST_CRASH"

func adminClient(t *testing.T, plane *controlplane.ControlPlane) kubernetes.Interface {
	t.Helper()
	client, err := plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestTwoSideBySide(t *testing.T) {
	first, second := controlplane.ForTest(t), controlplane.ForTest(t)
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "only-in-the-first"}}
	if _, err := adminClient(t, first).CoreV1().Namespaces().Create(t.Context(), namespace,
		metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	_, err := adminClient(t, second).CoreV1().Namespaces().Get(t.Context(), namespace.Name, metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("the second control plane answers %v for a namespace of the first, want not found", err)
	}
}

func TestUsersAndAudit(t *testing.T) {
	plane := controlplane.ForTest(t)
	kubeconfig, err := plane.UserKubeconfig(t.Context(), "lab", "ann")
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	list := func() error {
		_, err := client.CoreV1().ConfigMaps("default").List(t.Context(), metav1.ListOptions{})
		return err
	}
	if err := list(); !apierrors.IsForbidden(err) {
		t.Fatalf("ann lists configmaps without a role: %v", err)
	}
	rule := rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"list"}}
	if err := plane.Grant(t.Context(), "ann", "default", rule); err != nil {
		t.Fatal(err)
	}
	eventually(t, "ann may list configmaps", func() bool { return list() == nil })

	requests, err := plane.Requests(t.Context(), "ann", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range requests {
		if request.Verb != "list" || request.Writes() {
			t.Errorf("the audit log has %s %s for ann, want nothing but lists", request.Verb, request.RequestURI)
		}
	}
	if len(requests) < 2 {
		t.Errorf("the audit log has %d requests of ann, want the refused and the allowed one", len(requests))
	}
}

func TestControllerManagerPausesAndResumes(t *testing.T) {
	plane := controlplane.ForTest(t)
	client := adminClient(t, plane)
	if err := plane.PauseControllerManager(t.Context()); err != nil {
		t.Fatal(err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "waiting"}}
	if _, err := client.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	hasServiceAccount := func() bool {
		_, err := client.CoreV1().ServiceAccounts(namespace.Name).Get(t.Context(), "default", metav1.GetOptions{})
		return err == nil
	}
	if running := processesOf(t, plane.Dir); runsControllers(running) || hasServiceAccount() {
		t.Errorf("the controller manager is paused, and acts or runs: %q", running)
	}
	if err := plane.ResumeControllerManager(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the namespace has its ServiceAccount", hasServiceAccount)
	if running := processesOf(t, plane.Dir); !runsControllers(running) {
		t.Errorf("it acts, and is not among what runs: %q", running)
	}
}

func runsControllers(commands []string) bool {
	return slices.ContainsFunc(commands, func(command string) bool {
		program, _, _ := strings.Cut(command, " ")
		return filepath.Base(program) == "kube-controller-manager"
	})
}

func TestNodes(t *testing.T) {
	plane := controlplane.ForTest(t)
	client := adminClient(t, plane)
	if err := plane.DeadNode(t.Context(), "dead"); err != nil {
		t.Fatal(err)
	}
	if err := plane.AliveNode(t.Context(), "alive"); err != nil {
		t.Fatal(err)
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec:       corev1.PodSpec{NodeName: "alive", Containers: []corev1.Container{{Name: "web", Image: "none"}}},
	}
	if _, err := client.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the pod on the alive node runs", func() bool {
		current, err := client.CoreV1().Pods("default").Get(t.Context(), pod.Name, metav1.GetOptions{})
		return err == nil && current.Status.Phase == corev1.PodRunning
	})
}

func TestPutRaw(t *testing.T) {
	plane := controlplane.ForTest(t)
	client := adminClient(t, plane)
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "broken"}}
	if _, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := plane.PutRaw(t.Context(), "/registry/configmaps/default/broken", []byte("garbage")); err != nil {
		t.Fatal(err)
	}
	_, err := client.CoreV1().ConfigMaps("default").Get(t.Context(), "broken", metav1.GetOptions{})
	if err == nil || apierrors.IsNotFound(err) {
		t.Errorf("reading an object whose bytes are garbage: %v, want a storage error", err)
	}
	has := func(want bool) {
		t.Helper()
		if found, err := plane.HasRaw(t.Context(), "/registry/configmaps/default/broken"); err != nil || found != want {
			t.Errorf("etcd has the key: %v (%v), want %v", found, err, want)
		}
	}
	has(true)
	if err := plane.DeleteRaw(t.Context(), "/registry/configmaps/default/broken"); err != nil {
		t.Fatal(err)
	}
	has(false)
	if _, err := client.CoreV1().ConfigMaps("default").Get(t.Context(), "broken",
		metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("reading an object whose key is gone: %v, want not found", err)
	}
}

// TestNothingSurvivesAPanic runs this test binary again, lets it panic while a control plane of its
// own is up, and looks for processes that are left.
func TestNothingSurvivesAPanic(t *testing.T) {
	if dir := os.Getenv(crashEnv); dir != "" {
		if _, err := controlplane.Start(t.Context(), controlplane.Options{Dir: dir}); err != nil {
			t.Fatal(err)
		}
		panic("as intended")
	}
	if _, err := controlplane.FindBinaries(); err != nil {
		controlplane.ForTest(t) // skips or fails, as everywhere
	}
	dir, err := os.MkdirTemp("", "crash-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	crash := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestNothingSurvivesAPanic$")
	crash.Env = append(os.Environ(), crashEnv+"="+dir, "TMPDIR="+dir) // what it can't clean up goes with the folder
	output, err := crash.CombinedOutput()
	if err == nil || !bytes.Contains(output, []byte("as intended")) {
		t.Fatalf("the inner test did not panic as intended: %v\n%s", err, output)
	}
	eventually(t, "no process of the control plane is left", func() bool { return len(processesOf(t, dir)) == 0 })
}

func TestInterruptStopsTheSupervisor(t *testing.T) {
	plane := controlplane.ForTest(t)
	if len(processesOf(t, plane.Dir)) == 0 {
		t.Fatal("no process of a running control plane is found: this test could not fail")
	}
	if err := syscall.Kill(plane.PID, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	eventually(t, "no process of the control plane is left", func() bool { return len(processesOf(t, plane.Dir)) == 0 })
}

// processesOf returns the command lines of the processes that name dir in theirs.
func processesOf(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Skip("needs /proc to look for processes: ", err)
	}
	var found []string
	for _, entry := range entries {
		commandLine, err := os.ReadFile("/proc/" + entry.Name() + "/cmdline")
		if err == nil && strings.Contains(string(commandLine), dir) {
			found = append(found, string(bytes.ReplaceAll(commandLine, []byte{0}, []byte(" "))))
		}
	}
	return found
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for !is() {
		select {
		case <-ctx.Done():
			t.Fatalf("it didn't come to pass that %s", what)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
