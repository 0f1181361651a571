// Package door has a program of another module that asks through pkg/finalizers, as an operator's own command would.
package door

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// TestMain leaves the environment as it is: the go command needs its caches.
func TestMain(m *testing.M) {
	controlplane.SuperviseIfAsked()
	os.Exit(m.Run())
}

// TestProgram runs it on a real control plane, without network: what it needs is what this module needs.
func TestProgram(t *testing.T) {
	plane := controlplane.ForTest(t)
	client, err := plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	held := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Name: "orders", Finalizers: []string{"shop.example.com/cleanup"},
	}}
	objects := client.CoreV1().ConfigMaps(metav1.NamespaceDefault)
	if _, err := objects.Create(t.Context(), held, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := objects.Delete(t.Context(), held.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	folder := module(t)
	command := exec.CommandContext(t.Context(), "go", "run", ".", plane.Kubeconfig)
	command.Dir = folder
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, said := range []string{"ConfigMap default/orders", "shop.example.com/cleanup"} {
		if !strings.Contains(string(out), said) {
			t.Errorf("the answer doesn't name %s:\n%s", said, out)
		}
	}
}

// module writes a module with the program in testdata, which takes this one from the checkout.
func module(t *testing.T) string {
	t.Helper()
	folder, checkout := t.TempDir(), filepath.Join("..", "..")
	root, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile(filepath.Join(checkout, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	const name = "github.com/kubectl-finalizers/kubectl-finalizers"
	needs := strings.Replace(string(own), "module "+name, "module example.com/asks", 1) +
		"\nrequire " + name + " v0.0.0\n\nreplace " + name + " => " + root + "\n"
	program, err := os.ReadFile(filepath.Join("testdata", "main.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string][]byte{"go.mod": []byte(needs), "go.sum": sums, "main.go": program} {
		if err := os.WriteFile(filepath.Join(folder, file), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
