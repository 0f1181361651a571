package controlplane

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// managerLease is the Lease by which kube-controller-managers elect the one that acts.
const managerLease = "kube-controller-manager"

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
	_, _ = leases.Patch(ctx, managerLease, types.MergePatchType, released, metav1.PatchOptions{})
}

// waitForLeader returns when some kube-controller-manager holds the Lease.
func waitForLeader(ctx context.Context, client kubernetes.Interface) error {
	held := func(ctx context.Context) (bool, error) {
		lease, err := client.CoordinationV1().Leases(metav1.NamespaceSystem).Get(ctx, managerLease, metav1.GetOptions{})
		return err == nil && lease.Spec.HolderIdentity != nil && *lease.Spec.HolderIdentity != "", nil
	}
	if err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, startTimeout, true, held); err != nil {
		return fmt.Errorf("wait for kube-controller-manager to hold its Lease: %w", err)
	}
	return nil
}
