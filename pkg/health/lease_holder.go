package health

import (
	"context"
	"slices"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Holder is who holds a Lease, or held it last; nothing where it was given up.
func Holder(lease *coordinationv1.Lease) string { return ptr.Deref(lease.Spec.HolderIdentity, "") }

// HolderHost is the host in the name of a Lease's holder: its pod's, or that of a machine.
func HolderHost(lease *coordinationv1.Lease) string { return hostOf(Holder(lease)) }

// HeldByPod reports whether a Lease's holder is a pod, by what elections write.
func HeldByPod(holder, pod string) bool { return holder == pod || hostOf(holder) == pod }

// hostOf is the host in a holder's name, which is the name of its pod. client-go's and controller-runtime's elections
// write an underscore and a random part after it, or nothing. cert-manager's writes "-external-" and the lock's name
// (cert-manager v1.21 cmd/controller/app/controller.go:startLeaderElection). Where a pod's own name has that word, no
// generated name ends before it.
func hostOf(holder string) string {
	host, _, cut := strings.Cut(holder, "_")
	if before, _, external := strings.Cut(holder, "-external-"); !cut && external && naming.GeneratedName(before) {
		return before
	}
	return host
}

// HeldByPodOf reports whether a Lease's holder has the name of a pod of a workload, which need not exist any more. A
// name that only begins with the workload's may be that of another program's pod.
func HeldByPodOf(holder string, workload finding.Ref) bool {
	return naming.PodNameOf(hostOf(holder), workload.Kind, workload.Name)
}

// fresh reports whether a Lease was renewed as lately as by a leader that is well: they do so several times before it
// runs out (k8s v1.37 client-go/tools/leaderelection/leaderelection.go:renew; of 15 s, each 2 s by default).
func fresh(reads *session.Session, lease *coordinationv1.Lease) bool {
	const timesAtLeast = 3
	renewed, _ := Renewed(lease)
	return !renewed.IsZero() && reads.Now().Sub(renewed) <= lastsFor(lease)/timesAtLeast
}

// HolderGone reports whether the holder of a Lease is a pod that isn't there any more: what was killed a moment ago has
// left a Lease that looks renewed until it runs out. The holder's name must be one that the API server has generated,
// since it may be the name of any host; and no Node may have it, by whose name pods in the Node's network go. Pods of
// all namespaces are asked for: a Lease need not be where its holder is. An error says that it may be gone.
func HolderGone(ctx context.Context, reads *session.Session, lease *coordinationv1.Lease) (bool, error) {
	name := hostOf(Holder(lease))
	if !naming.GeneratedName(name) {
		return false, nil
	}
	named := cluster.Selector{Fields: cluster.FieldIs("metadata.name", name)}
	pods, err := reads.Reader.List(ctx, cluster.Pods(), "", named)
	if err != nil || len(pods) > 0 {
		return false, err
	}
	_, err = reads.Reader.Metadata(ctx, cluster.Nodes(), "", name)
	if apierrors.IsNotFound(err) {
		return true, nil
	}
	return false, err
}

// HolderPod returns the pod of a namespace that has the name of a Lease's holder, and nil if there is none.
func HolderPod(
	ctx context.Context, reads *session.Session, lease *coordinationv1.Lease, namespace string,
) (*corev1.Pod, error) {
	named := cluster.Selector{Fields: cluster.FieldIs("metadata.name", hostOf(Holder(lease)))}
	pods, err := reads.Reader.List(ctx, cluster.Pods(), "", named)
	at := slices.IndexFunc(pods, func(pod unstructured.Unstructured) bool { return pod.GetNamespace() == namespace })
	if err != nil || at < 0 {
		return nil, err
	}
	return session.As[corev1.Pod](&pods[at])
}

// holderLost reports whether the holder of a Lease is known to be gone.
func holderLost(ctx context.Context, reads *session.Session, lease *coordinationv1.Lease) bool {
	gone, err := HolderGone(ctx, reads, lease)
	return gone && err == nil
}
