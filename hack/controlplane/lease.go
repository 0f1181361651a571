package controlplane

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// releaseLease takes the name of a kube-controller-manager that has ended off its Lease, as one does itself that ends
// in order (k8s v1.37 client-go/tools/leaderelection/leaderelection.go:release). The next one acts at once, and
// not when the Lease has expired. Errors are no matter: then it waits.
func releaseLease(ctx context.Context, admin *rest.Config) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	client, err := kubernetes.NewForConfig(admin)
	if err != nil {
		return
	}
	leases := client.CoordinationV1().Leases(metav1.NamespaceSystem)
	released := []byte(`{"spec":{"holderIdentity":""}}`)
	_, _ = leases.Patch(ctx, "kube-controller-manager", types.MergePatchType, released, metav1.PatchOptions{})
}
