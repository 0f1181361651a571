package operator

import (
	"context"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// Kubeconfig is a Secret with a file kubeconfig, by which a program gets to the hub as a user.
type Kubeconfig struct {
	Namespace string   `json:"namespace"`
	Secret    string   `json:"secret"`
	User      string   `json:"user"`
	Groups    []string `json:"groups,omitempty"`
}

// LeadsTo makes the kubeconfigs of scenarios lead to another control plane than the harness's own.
func (h *Harness) LeadsTo(hub *controlplane.ControlPlane) { h.hub = hub }

// writeKubeconfig creates the Secret of a kubeconfig.
func (h *Harness) writeKubeconfig(ctx context.Context, wanted Kubeconfig) error {
	name, err := h.hub.UserKubeconfig(ctx, "hub", wanted.User, wanted.Groups...)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(name) }()
	config, err := clientcmd.LoadFromFile(name)
	if err != nil {
		return err
	}
	if err := api.FlattenConfig(config); err != nil {
		return err
	}
	data, err := clientcmd.Write(*config)
	if err != nil {
		return err
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: wanted.Secret}, Data: map[string][]byte{"kubeconfig": data},
	}
	_, err = h.client.CoreV1().Secrets(wanted.Namespace).Create(ctx, secret, metav1.CreateOptions{})
	return err
}
