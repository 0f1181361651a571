package mechanism

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// keptPods are pods on a Node whose eviction the same budgets refuse.
type keptPods struct {
	first podItem
	pods  []finding.Ref
	found eviction
}

func (k keptPods) budgets() []finding.Ref {
	return finding.Each(k.found.refusing, func(item budgetItem) finding.Ref { return item.Object.Ref })
}

// keptOn returns those of some pods that can't be evicted now, by the budgets that refuse it. It reads the budgets of
// their namespaces.
func keptOn(ctx context.Context, reads *session.Session, here []podItem) (kept []keptPods, err error) {
	here = slices.DeleteFunc(slices.Clone(here), func(pod podItem) bool { return pod.Object.Terminating() })
	var namespaces []string
	for _, pod := range here {
		if !slices.Contains(namespaces, pod.Typed.Namespace) {
			namespaces = append(namespaces, pod.Typed.Namespace)
		}
	}
	budgets, err := budgetsOf(ctx, reads, namespaces)
	if err != nil {
		return nil, err
	}
	for _, pod := range here {
		pods := keptPods{first: pod, found: evictable(reads, pod.Typed, budgets)}
		if len(pods.found.refusing) == 0 {
			continue
		}
		at := slices.IndexFunc(kept, func(other keptPods) bool { return slices.Equal(pods.budgets(), other.budgets()) })
		if at < 0 {
			at, kept = len(kept), append(kept, pods)
		}
		kept[at].pods = append(kept[at].pods, pod.Object.Ref)
	}
	return kept, nil
}

// tellKept says why budgets let no pod of some on a Node go, and what changes that, safest first.
func tellKept(
	ctx context.Context, reads *session.Session, checker *health.Checker, node *Object, kept keptPods,
) Finding {
	answer := refusedEviction(ctx, reads, checker, kept.first.Object, kept.first.Typed, kept.found)
	details := finding.KeptPodsDetails{Node: node.Ref.Name, Pods: kept.pods, Passing: kept.found.passing}
	cause := Finding{Object: node.Ref}
	for _, found := range slices.Concat(answer.Causes, answer.Progress) {
		said, _ := found.Details.(finding.StillInUseDetails)
		details.Budget, details.Budgets = said.Budget, said.Budgets
		cause.Evidence = found.Evidence
		cause.Remedies = slices.DeleteFunc(found.Remedies, func(step Remedy) bool {
			return finding.Is(step.Step, finding.Deletes)
		})
	}
	if details.Budget != nil && len(kept.pods) > 1 {
		details.Budget.Unready = false // that is about the first of them
	}
	cause.Details = details
	return cause
}

// drainLater says which pods will keep a Node from being drained, while nothing shows that anybody drains it now. They
// hold up nothing yet. What could not be read is noted, and adds nothing.
func drainLater(ctx context.Context, t *Tools, d *drain) (later []Finding) {
	if ends, _, unread := drainEnds(ctx, t.Session, d); !ends.IsZero() || unread != nil {
		return nil // whatever protects them, they go in the end, or may
	}
	here, err := podsToEvict(ctx, t.Session, t.Plugins, d)
	if err != nil {
		return nil
	}
	kept, err := keptOn(ctx, t.Session, here)
	if err != nil {
		return nil
	}
	for _, pods := range kept {
		if pods.found.passing {
			continue
		}
		cause := tellKept(ctx, t.Session, t.Health, d.node, pods)
		details := cause.Details.(finding.KeptPodsDetails)
		if d.known != nil {
			details.Project = d.known.Project
		}
		cause.Situation, cause.Details, cause.Finalizer, cause.Holds = "DrainComesLater", details, d.held.Hold.Name, true
		cause.Key = finding.KeyOf("DrainComesLater", d.node.Ref, pods.budgets())
		later = append(later, cause)
	}
	return later
}

// keptOnLive adds to details, and returns, what is said of the pods on a cordoned Node that can't be evicted.
func keptOnLive(
	ctx context.Context, reads *session.Session, checker *health.Checker, node *Object, here []podItem,
	details *finding.LivePodsDetails,
) (told []Finding) {
	kept, err := keptOn(ctx, reads, here)
	if err != nil {
		return nil
	}
	for _, pods := range kept {
		details.Kept = append(details.Kept, pods.pods...)
		for _, budget := range pods.budgets() {
			if !slices.Contains(details.Budgets, budget) {
				details.Budgets = append(details.Budgets, budget)
			}
		}
		why := tellKept(ctx, reads, checker, node, pods)
		why.Situation, why.Key = "BudgetOfLive", finding.KeyOf("BudgetOfLive", pods.budgets())
		told = append(told, why)
	}
	return told
}

func deleteUnevicted(reads *session.Session, pod *Object) Remedy {
	details := finding.StepDetails{Object: &pod.Ref}
	if owner := metav1.GetControllerOfNoCopy(pod.Meta); owner != nil {
		details.Other = &finding.Ref{
			APIVersion: owner.APIVersion, Kind: owner.Kind, Namespace: pod.Ref.Namespace, Name: owner.Name,
		}
	}
	return Remedy{
		Step: "DeleteUnevicted", Details: details, Risk: finding.Disruption,
		Command: reads.Kubectl.Command(pod, "delete", "--wait=false"),
	}
}
