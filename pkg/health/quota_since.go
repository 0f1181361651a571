package health

import (
	"context"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// noLongerRefused corrects an Outage if a ResourceQuota refused the pods, and is gone or has room for them since. What
// creates pods tries again after ever longer waits, up to a quarter of an hour, and says until then what it was told.
func noLongerRefused(ctx context.Context, reads *session.Session, workload *session.Object, found *Outage) {
	state, _ := found.Words.Details.(finding.WorkloadState)
	if state.By == nil || state.By.Kind != "ResourceQuota" {
		return
	}
	object := session.Named(cluster.ResourceQuotas(), state.By.Namespace, state.By.Name)
	quota, err := session.ReadAs[corev1.ResourceQuota](ctx, reads, object)
	seen := finding.Evidence{}
	switch {
	case apierrors.IsNotFound(err):
		seen = object.Ref.NotFound()
	case err == nil && hasRoom(quota, upTo(state.Words, "requested: ", " ")):
		limits := slices.Sorted(maps.Keys(quota.Status.Hard))
		seen = object.Ref.Observed("has room for them now: used %s", usedOf(quota, limits))
	default: // it still refuses them, or that is not clear
		return
	}
	found.Words.Situation, found.Evidence = "PodsAllowedAgain", append(found.Evidence, seen)
	again := finding.Remedy{
		Step: "TryPodsAgain", Details: finding.StepDetails{Object: &workload.Ref},
		Command: reads.Kubectl.Command(workload, "describe"),
	}
	if workload.Resource.Group == "apps" && workload.Resource.Kind != "ReplicaSet" {
		name := workload.Resource.QualifiedName() + "/" + workload.Ref.Name
		again.Command = reads.Kubectl.Prefix(workload.Ref, "rollout", "restart", name)
	}
	found.Remedies = []finding.Remedy{again}
}

// hasRoom reports whether a quota allows what was requested of it when it refused: "pods=1,requests.cpu=2", up to the
// comma that ends the list.
func hasRoom(quota *corev1.ResourceQuota, requested string) bool {
	wants := strings.Split(strings.TrimSuffix(requested, ","), ",")
	for _, want := range wants {
		name, amount, _ := strings.Cut(want, "=")
		more, err := resource.ParseQuantity(amount)
		most, limited := quota.Status.Hard[corev1.ResourceName(name)]
		if err != nil {
			return false
		}
		more.Add(quota.Status.Used[corev1.ResourceName(name)])
		if limited && more.Cmp(most) > 0 {
			return false
		}
	}
	return true
}

// beyond reports whether something requested of a quota is more than the quota allows altogether.
func beyond(requested, limited corev1.ResourceList) bool {
	for name, more := range requested {
		if limit, known := limited[name]; known && more.Cmp(limit) > 0 {
			return true
		}
	}
	return false
}

// amounts reads what was said when a quota refused: "pods=1,requests.cpu=2", up to the comma that ends the list.
func amounts(list string) corev1.ResourceList {
	found := corev1.ResourceList{}
	for _, text := range strings.Split(strings.TrimSuffix(list, ","), ",") {
		name, amount, _ := strings.Cut(text, "=")
		if quantity, err := resource.ParseQuantity(amount); err == nil {
			found[corev1.ResourceName(name)] = quantity
		}
	}
	return found
}

// usedOf is how much of some of its limits a quota counts as used.
func usedOf(quota *corev1.ResourceQuota, limits []corev1.ResourceName) string {
	var parts []string
	for _, name := range limits {
		used, most := quota.Status.Used[name], quota.Status.Hard[name]
		parts = append(parts, string(name)+" "+used.String()+" of "+most.String())
	}
	return strings.Join(parts, ", ")
}
