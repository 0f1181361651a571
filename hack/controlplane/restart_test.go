package controlplane_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// TestRestartAPIServer looks for what must outlive the API server: objects, addresses, users, and controllers that
// continue.
func TestRestartAPIServer(t *testing.T) {
	plane := controlplane.ForTest(t)
	client := adminClient(t, plane)
	kubeconfig, err := plane.UserKubeconfig(t.Context(), "lab", "ben", controlplane.ClusterAdmins)
	if err != nil {
		t.Fatal(err)
	}
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "kept"}}
	if _, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := plane.RestartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := client.CoreV1().ConfigMaps("default").Get(t.Context(), "kept", metav1.GetOptions{}); err != nil {
		t.Errorf("after a restart: %v", err)
	}
	if _, err := plane.Requests(t.Context(), "ben", kubeconfig); err != nil {
		t.Errorf("a user from before the restart: %v", err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "after"}}
	if _, err := client.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a namespace made after the restart has its ServiceAccount", func() bool {
		_, err := client.CoreV1().ServiceAccounts(namespace.Name).Get(t.Context(), "default", metav1.GetOptions{})
		return err == nil
	})
}
