package mechanism

import (
	"context"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

type budgetItem = session.Item[policyv1.PodDisruptionBudget]

// fewNamespaces is up to how many namespaces are asked for their budgets one by one; more are read in one list.
const fewNamespaces = 3

// budgetsOf lists the disruption budgets of some namespaces, and perhaps of others.
func budgetsOf(ctx context.Context, reads *session.Session, namespaces []string) (all []budgetItem, err error) {
	if len(namespaces) > fewNamespaces {
		namespaces = []string{""}
	}
	for _, namespace := range namespaces {
		list, err := session.ListWhole[policyv1.PodDisruptionBudget](
			ctx, reads, cluster.PodDisruptionBudgets(), namespace, cluster.Selector{})
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// selecting returns the budgets that the API server asks when a pod is evicted (k8s v1.37
// pkg/registry/core/pod/storage/eviction.go:getPodDisruptionBudgets).
func selecting(pod *corev1.Pod, all []budgetItem) []budgetItem {
	if len(pod.Labels) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(all), func(budget budgetItem) bool {
		selector, err := metav1.LabelSelectorAsSelector(budget.Typed.Spec.Selector)
		return err != nil || budget.Typed.Namespace != pod.Namespace || !selector.Matches(labels.Set(pod.Labels))
	})
}

// eviction is whether the API server would evict a pod now.
type eviction struct {
	refusing []budgetItem // several of them refuse by their number alone
	passing  bool         // it may be over by itself: a pod beside it may be about to become ready
}

// evictable says what refuses a pod's eviction (k8s v1.37 pkg/registry/core/pod/storage/eviction.go:Create and
// checkAndDecrement).
func evictable(reads *session.Session, pod *corev1.Pod, all []budgetItem) eviction {
	budgets := selecting(pod, all)
	if pod.Status.Phase == corev1.PodPending || len(budgets) == 0 {
		return eviction{}
	}
	if len(budgets) > 1 {
		return eviction{refusing: budgets}
	}
	spec, status := budgets[0].Typed.Spec, budgets[0].Typed.Status
	if !podReady(pod) {
		always := spec.UnhealthyPodEvictionPolicy != nil && *spec.UnhealthyPodEvictionPolicy == policyv1.AlwaysAllow
		if always || status.DesiredHealthy > 0 && status.CurrentHealthy >= status.DesiredHealthy {
			return eviction{}
		}
	}
	stale := status.ObservedGeneration < budgets[0].Typed.Generation
	if status.DisruptionsAllowed > 0 && !stale {
		return eviction{}
	}
	return eviction{refusing: budgets, passing: stale || !uncounted(pod, budgets[0]) && mayRecover(reads, budgets[0])}
}

// budgetPatience is how long a budget may be at its limit while pods that were evicted start elsewhere.
const budgetPatience = 5 * time.Minute

// mayRecover reports whether a budget that allows nothing may soon allow something again, without anybody's help.
func mayRecover(reads *session.Session, budget budgetItem) bool {
	allowed := apimeta.FindStatusCondition(budget.Typed.Status.Conditions, policyv1.DisruptionAllowedCondition)
	if limitOf(budget).Never || allowed == nil || allowed.Reason == policyv1.SyncFailedReason {
		return false
	}
	return reads.Now().Sub(allowed.LastTransitionTime.Time) < budgetPatience
}

// budget is what a budget says, and how it stands with its pods.
func limitOf(item budgetItem) finding.Budget {
	spec, status := item.Typed.Spec, item.Typed.Status
	said := finding.Budget{
		Ref: item.Object.Ref, MinAvailable: textOf(spec.MinAvailable), MaxUnavailable: textOf(spec.MaxUnavailable),
		Healthy: int(status.CurrentHealthy), Desired: int(status.DesiredHealthy), Expected: int(status.ExpectedPods),
	}
	said.Never = status.ExpectedPods > 0 && status.DesiredHealthy >= status.ExpectedPods
	failed := apimeta.FindStatusCondition(status.Conditions, policyv1.DisruptionAllowedCondition)
	if failed != nil && failed.Reason == policyv1.SyncFailedReason {
		said.Words, said.Never = failed.Message, false
	}
	return said
}

// uncounted reports whether a budget counts none of its pods, because they have no controller, and so never allows a
// disruption: a number of them that may be missing, or a share, is one of what controllers want (k8s v1.37
// pkg/controller/disruption/disruption.go:getExpectedScale and updatePdbStatus).
func uncounted(pod *corev1.Pod, item budgetItem) bool {
	minimum := item.Typed.Spec.MinAvailable
	return item.Typed.Status.ExpectedPods == 0 && metav1.GetControllerOfNoCopy(pod) == nil &&
		(minimum == nil || minimum.Type != intstr.Int)
}

func textOf(number *intstr.IntOrString) string {
	if number == nil {
		return ""
	}
	return number.String()
}

func podReady(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(condition corev1.PodCondition) bool {
		return condition.Type == corev1.PodReady && condition.Status == corev1.ConditionTrue
	})
}

// refusedEviction is the cause of a pod that no budget lets go, or what is in progress while a budget is at its limit.
func refusedEviction(
	ctx context.Context, reads *session.Session, checker *health.Checker, pod *Object, typed *corev1.Pod, found eviction,
) Answer {
	cause := Finding{Reason: finding.StillInUse, Object: pod.Ref}
	if len(found.refusing) > 1 {
		details := finding.StillInUseDetails{Workload: refOf(health.WorkloadOf(ctx, checker.Session, pod))}
		for _, budget := range found.refusing {
			details.Budgets = append(details.Budgets, budget.Object.Ref)
			cause.Evidence = append(cause.Evidence, budget.Object.Ref.Observed("selects the pod"))
		}
		cause.Situation, cause.Details = "PodOfSeveralBudgets", details
		cause.Key = finding.KeyOf("PodOfSeveralBudgets", details.Budgets)
		see := reads.Kubectl.Prefix(pod.Ref, "get", "poddisruptionbudgets.policy", "-o", "wide")
		cause.Remedies = []Remedy{{Step: "LeaveOneBudget", Command: see}, deleteUnevicted(reads, pod)}
		return session.Cause(cause)
	}
	item := found.refusing[0]
	said := limitOf(item)
	said.Unready, said.Uncounted = !podReady(typed), uncounted(typed, item)
	if found.passing {
		return session.Progress(Finding{
			Situation: "BudgetAtLimit", Object: pod.Ref, Details: finding.StillInUseDetails{Budget: &said},
			Key: finding.KeyOf("BudgetAtLimit", item.Object.Ref),
		})
	}
	workload := health.WorkloadOf(ctx, checker.Session, pod)
	cause.Situation, cause.Key = "BudgetAllowsNone", finding.KeyOf("BudgetAllowsNone", item.Object.Ref)
	cause.Details = finding.StillInUseDetails{Budget: &said, Workload: refOf(workload)}
	cause.Evidence = []Evidence{item.Object.Ref.Observed(
		"disruptionsAllowed %d, currentHealthy %d, desiredHealthy %d, expectedPods %d", item.Typed.Status.DisruptionsAllowed,
		said.Healthy, said.Desired, said.Expected)}
	cause.Remedies = relaxBudget(reads, pod, workload, item, said)
	return session.Cause(cause)
}

// relaxBudget is what lets a pod be evicted that one budget protects, safest first.
func relaxBudget(reads *session.Session, pod, workload *Object, item budgetItem, said finding.Budget) []Remedy {
	details := finding.StepDetails{Object: &said.Ref}
	if metav1.GetControllerOfNoCopy(pod.Meta) == nil {
		details.Other = &pod.Ref // which is gone for good when it is evicted
	}
	steps := []Remedy{{
		Step: "SeeBudget", Details: finding.StepDetails{Object: &said.Ref},
		Command: reads.Kubectl.Command(item.Object, "describe"),
	}}
	scales := workload != nil && workload.Resource.Group == "apps" && workload.Resource.Kind != "DaemonSet"
	minimum := item.Typed.Spec.MinAvailable
	if said.Never && scales && minimum != nil && minimum.Type == intstr.Int {
		replicas := strconv.Itoa(said.Desired + 1)
		steps = append(steps, Remedy{
			Step: "AddReplica", Details: finding.StepDetails{Object: &workload.Ref, Name: replicas},
			Command: reads.Kubectl.Command(workload, "scale", "--replicas="+replicas),
		})
	}
	selector, err := metav1.LabelSelectorAsSelector(item.Typed.Spec.Selector)
	if err == nil && said.Healthy < said.Expected {
		see := reads.Kubectl.Prefix(pod.Ref, "get", "pods", "-o", "wide", "-l", selector.String())
		steps = append(steps, Remedy{Step: "RepairBudgetPods", Details: finding.StepDetails{Object: &said.Ref}, Command: see})
	}
	if said.Unready {
		const always = `{"spec":{"unhealthyPodEvictionPolicy":"AlwaysAllow"}}`
		steps = append(steps, Remedy{
			Step: "EvictUnhealthy", Details: details,
			Command: reads.Kubectl.Command(item.Object, "patch", "--type=merge", "-p", always), Risk: finding.Disruption,
		})
	}
	relax, change := Remedy{Step: "RelaxBudget"}, `{"spec":{"minAvailable":null,"maxUnavailable":1}}`
	if said.Uncounted || said.Words != "" { // a number of pods needs no controllers
		relax, change = Remedy{Step: "CountByNumber"}, `{"spec":{"minAvailable":0,"maxUnavailable":null}}`
	}
	relax.Details, relax.Risk = details, finding.Disruption
	relax.Command = reads.Kubectl.Command(item.Object, "patch", "--type=merge", "-p", change)
	return append(steps, relax, deleteUnevicted(reads, pod))
}

// unevicted is the cause of a pod that whoever drains its Node evicts on no account.
func unevicted(ctx context.Context, reads *session.Session, checker *health.Checker, d *drain, pod podItem) Finding {
	workload := health.WorkloadOf(ctx, checker.Session, pod.Object)
	allow := Remedy{Step: "AllowEviction", Command: reads.Kubectl.Command(pod.Object, "describe")}
	because := finding.StepDetails{Text: d.rules.Because}
	if workload == nil && metav1.GetControllerOfNoCopy(pod.Object.Meta) == nil {
		because.Object, allow.Risk = &pod.Object.Ref, finding.Disruption
	}
	allow.Details = because
	return Finding{
		Reason: finding.StillInUse, Situation: "PodNotToBeEvicted", Object: pod.Object.Ref,
		Key: finding.KeyOf("PodNotToBeEvicted", pod.Object.Ref.Namespace, d.rules.Because, refOf(workload)),
		Details: finding.StillInUseDetails{
			Says: d.rules.Because, Project: d.known.Project, Workload: refOf(workload),
		},
		Evidence: []Evidence{pod.Object.Ref.Observed("%s", d.rules.Because).Ranked(finding.Told)},
		Remedies: []Remedy{allow, deleteUnevicted(reads, pod.Object)},
	}
}

// unmanaged is the cause of a pod that nothing would start again elsewhere, and that nothing evicts. words are what is
// said of it by what is held.
func unmanaged(reads *session.Session, pod podItem, words string) Finding {
	seen := pod.Object.Ref.Observed("phase %s, no deletionTimestamp, no controller", pod.Typed.Status.Phase)
	return Finding{
		Reason: finding.StillInUse, Situation: "UnmanagedPodStays", Object: pod.Object.Ref, Certainty: finding.Likely,
		Key:      finding.KeyOf("UnmanagedPodStays", pod.Object.Ref.Namespace, words),
		Details:  finding.StillInUseDetails{Words: words},
		Evidence: []Evidence{seen},
		Remedies: []Remedy{
			{Step: "LookBeforeStopping", Command: reads.Kubectl.Command(pod.Object, "describe")},
			deleteUnevicted(reads, pod.Object),
		},
	}
}
