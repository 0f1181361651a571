package health

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	podresources "k8s.io/component-helpers/resource"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// beforeStart adds to what to do about a workload that was stopped what has to come before its start: without that, no
// pod of it would be created, or stay. It looks at what the API server holds a new pod against and what can be read:
// the objects that its template names, and the namespace's LimitRanges and ResourceQuotas. It also looks at what would
// scale it to zero again. What can't be read is left to the start.
func (c *Checker) beforeStart(ctx context.Context, workload *session.Object, stopped Outage) Outage {
	template, found := podTemplate(workload)
	if !found {
		return stopped
	}
	against := c.heldAgainst(ctx, template, workload.Ref.Namespace)
	template = withDefaults(template, against.ranges)
	var first []finding.Remedy
	for _, named := range against.absent {
		stopped.Evidence = append(stopped.Evidence, named.Ref.NotFound())
		first = append(first, create(c.Session, &named.Ref, workload))
	}
	for _, limits := range against.ranges {
		if beyond := outOfRange(limits, template); beyond != nil {
			stopped.Evidence = append(stopped.Evidence, *beyond)
			first = append(first, finding.Remedy{
				Step: "FitLimitRange", Details: finding.StepDetails{Object: beyond.Object},
				Command: c.Session.Kubectl.CommandFor(*beyond.Object, "describe"),
			})
		}
	}
	for _, quota := range against.quotas {
		hard := lacksRoom(quota, template)
		if len(hard) == 0 {
			continue
		}
		used := usedOf(quota, slices.Sorted(maps.Keys(hard)))
		object := session.Named(cluster.ResourceQuotas(), quota.Namespace, quota.Name).Ref
		stopped.Evidence = append(stopped.Evidence, object.Observed("has no room for a pod of it: used %s", used))
		alone := beyond(needsOf(template), quota.Status.Hard)
		first = append(first, raise(c.Session, &object, hard, alone)...)
	}
	for _, scaler := range scaledToZeroBy(against.scalers, workload) {
		stopped.Evidence = append(stopped.Evidence, scaler.evidence)
		first = append(first, raiseMinimum(c.Session, scaler))
	}
	for i := range first {
		details, _ := first[i].Details.(finding.StepDetails)
		details.Other, details.Partial = &workload.Ref, true
		first[i].Details = details
	}
	stopped.Remedies = slices.Concat(first, stopped.Remedies)
	return stopped
}

// against is what a new pod in a namespace is held against, and what scales workloads there.
type against struct {
	absent  []*session.Object // that the pod names
	ranges  []*corev1.LimitRange
	quotas  []*corev1.ResourceQuota
	scalers []session.Item[autoscalingv1.HorizontalPodAutoscaler]
}

// heldAgainst reads what a new pod in a namespace is held against, side by side. An older recording may lack it.
func (c *Checker) heldAgainst(ctx context.Context, template *corev1.PodSpec, namespace string) (found against) {
	var reading sync.WaitGroup
	reading.Go(func() {
		for _, item := range listIfAsked[corev1.ResourceQuota](ctx, c.Session, cluster.ResourceQuotas(), namespace) {
			found.quotas = append(found.quotas, item.Typed)
		}
	})
	reading.Go(func() {
		for _, item := range listIfAsked[corev1.LimitRange](ctx, c.Session, cluster.LimitRanges(), namespace) {
			found.ranges = append(found.ranges, item.Typed)
		}
	})
	reading.Go(func() {
		scalers := cluster.HorizontalPodAutoscalers()
		found.scalers = listIfAsked[autoscalingv1.HorizontalPodAutoscaler](ctx, c.Session, scalers, namespace)
	})
	named := namedBy(template, namespace)
	missing := make([]bool, len(named))
	for i, object := range named {
		reading.Go(func() {
			_, err := c.Session.Reader.MetadataIfAsked(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
			missing[i] = apierrors.IsNotFound(err)
		})
	}
	reading.Wait()
	for i, object := range named {
		if missing[i] {
			found.absent = append(found.absent, object)
		}
	}
	return found
}

// podTemplate returns the spec of the pods that a workload starts.
func podTemplate(workload *session.Object) (*corev1.PodSpec, bool) {
	if workload.Whole == nil {
		return nil, false
	}
	for _, path := range [][]string{
		{"spec", "template", "spec"}, {"spec", "jobTemplate", "spec", "template", "spec"},
	} {
		read, found, err := unstructured.NestedMap(workload.Whole.Object, path...)
		if err != nil || !found {
			continue
		}
		template := &corev1.PodSpec{}
		err = runtime.DefaultUnstructuredConverter.FromUnstructured(read, template)
		return template, err == nil
	}
	return nil, false
}

// namedBy are the objects that a pod's spec names and without which the API server refuses it. Each namespace gets its
// account "default" again, and system-… are classes of Kubernetes itself (k8s v1.37 plugin/pkg/admission/
// serviceaccount, priority and runtimeclass, each in admission.go).
func namedBy(pod *corev1.PodSpec, namespace string) (named []*session.Object) {
	if account := pod.ServiceAccountName; account != "" && account != "default" {
		named = append(named, session.Named(cluster.ServiceAccounts(), namespace, account))
	}
	if class := pod.PriorityClassName; class != "" && !strings.HasPrefix(class, "system-") {
		named = append(named, session.Named(cluster.PriorityClasses(), "", class))
	}
	if pod.RuntimeClassName != nil && *pod.RuntimeClassName != "" {
		named = append(named, session.Named(cluster.RuntimeClasses(), "", *pod.RuntimeClassName))
	}
	return named
}

// lacksRoom returns the limits of a quota by which one more pod would fit that does not fit now. Amounts that the
// template doesn't have, and no LimitRange gives it, count as nothing. A quota with scopes is left out, since
// it need not count the pod (k8s v1.37 pkg/quota/v1/evaluator/core/pods.go:podComputeUsageHelper).
func lacksRoom(quota *corev1.ResourceQuota, pod *corev1.PodSpec) map[corev1.ResourceName]string {
	if len(quota.Spec.Scopes) > 0 || quota.Spec.ScopeSelector != nil {
		return nil
	}
	return neededLimits(needsOf(pod), quota.Status.Used, quota.Status.Hard)
}

// needsOf is what a pod takes of the ResourceQuotas of its namespace.
func needsOf(spec *corev1.PodSpec) corev1.ResourceList {
	pod := &corev1.Pod{Spec: *spec}
	one := *resource.NewQuantity(1, resource.DecimalSI)
	needs := corev1.ResourceList{corev1.ResourcePods: one, "count/pods": one}
	for name, amount := range podresources.PodRequests(pod, podresources.PodResourcesOptions{}) {
		needs[name], needs["requests."+name] = amount, amount
	}
	for name, amount := range podresources.PodLimits(pod, podresources.PodResourcesOptions{}) {
		needs["limits."+name] = amount
	}
	return needs
}
