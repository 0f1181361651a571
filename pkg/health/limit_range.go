package health

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	podresources "k8s.io/component-helpers/resource"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// withDefaults is the spec of a new pod with what LimitRanges give to containers that request or limit nothing (k8s
// v1.37 plugin/pkg/admission/limitranger/admission.go:mergePodResourceRequirements). Before that, the API server takes
// a limit for the request that lacks.
func withDefaults(spec *corev1.PodSpec, ranges []*corev1.LimitRange) *corev1.PodSpec {
	spec = spec.DeepCopy()
	for _, container := range containersOf(spec) {
		resources := &container.Resources
		resources.Requests = filledIn(resources.Requests, resources.Limits)
		for _, limits := range ranges {
			for _, item := range limits.Spec.Limits {
				if item.Type == corev1.LimitTypeContainer {
					resources.Requests = filledIn(resources.Requests, item.DefaultRequest)
					resources.Limits = filledIn(resources.Limits, item.Default)
				}
			}
		}
	}
	return spec
}

// containersOf are all containers of a pod that LimitRanges are about.
func containersOf(spec *corev1.PodSpec) (all []*corev1.Container) {
	for i := range spec.InitContainers {
		all = append(all, &spec.InitContainers[i])
	}
	for i := range spec.Containers {
		all = append(all, &spec.Containers[i])
	}
	return all
}

func filledIn(amounts, defaults corev1.ResourceList) corev1.ResourceList {
	filled := maps.Clone(defaults)
	if filled == nil {
		filled = corev1.ResourceList{}
	}
	maps.Copy(filled, amounts)
	return filled
}

// outOfRange is the first thing for which a LimitRange refuses a new pod, or nil (…/limitranger/admission.go:
// PodValidateLimitFunc). Ratios of limits to requests are left to the start.
func outOfRange(limits *corev1.LimitRange, spec *corev1.PodSpec) *finding.Evidence {
	object := session.Named(cluster.LimitRanges(), limits.Namespace, limits.Name).Ref
	for _, item := range limits.Spec.Limits {
		var said string
		switch item.Type {
		case corev1.LimitTypeContainer:
			for _, container := range containersOf(spec) {
				asked := container.Resources
				if said = outOf(item, " of container "+container.Name, asked.Requests, asked.Limits); said != "" {
					break
				}
			}
		case corev1.LimitTypePod:
			pod, options := &corev1.Pod{Spec: *spec}, podresources.PodResourcesOptions{}
			said = outOf(item, "", podresources.PodRequests(pod, options), podresources.PodLimits(pod, options))
		}
		if said != "" {
			evidence := object.Observed("does not allow a pod of it: %s", said)
			return &evidence
		}
	}
	return nil
}

// outOf says which amount, and whose, is out of a range: a minimum needs a request, and a maximum a limit (…:
// minConstraint and maxConstraint).
func outOf(item corev1.LimitRangeItem, whose string, requests, limits corev1.ResourceList) string {
	unit := fmt.Sprintf("per %s", item.Type)
	for _, name := range slices.Sorted(maps.Keys(item.Min)) {
		least := item.Min[name]
		if said := out(requests, name, func(amount resource.Quantity) bool { return amount.Cmp(least) < 0 }); said != "" {
			return fmt.Sprintf("the minimum of %s %s is %s, and the request%s is %s", name, unit, least.String(), whose, said)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(item.Max)) {
		most := item.Max[name]
		if said := out(limits, name, func(amount resource.Quantity) bool { return amount.Cmp(most) > 0 }); said != "" {
			return fmt.Sprintf("the maximum of %s %s is %s, and the limit%s is %s", name, unit, most.String(), whose, said)
		}
	}
	return ""
}

// out is the amount that is bad, or that there is none.
func out(amounts corev1.ResourceList, name corev1.ResourceName, bad func(resource.Quantity) bool) string {
	amount, given := amounts[name]
	switch {
	case !given:
		return "not given"
	case bad(amount):
		return amount.String()
	}
	return ""
}
