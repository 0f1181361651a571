package mechanism

import (
	"context"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

type podItem = session.Item[corev1.Pod]

// podsToEvict lists the pods on a Node that a drain waits for.
func podsToEvict(ctx context.Context, reads *session.Session, catalogue *plugins.Set, d *drain) ([]podItem, error) {
	on := cluster.Selector{Fields: cluster.FieldIs("spec.nodeName", d.node.Ref.Name)}
	pods, err := session.ListWhole[corev1.Pod](ctx, reads, cluster.Pods(), "", on)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(pods, func(pod podItem) bool {
		mirror := pod.Typed.Annotations[corev1.MirrorPodAnnotationKey] != ""
		return mirror || ownedBy(pod.Typed, "Node") || podEnded(pod.Typed) ||
			skipped(catalogue, d, pod) || forgotten(reads, d, pod)
	}), nil
}

func ownedBy(pod *corev1.Pod, kind string) bool {
	return slices.ContainsFunc(pod.OwnerReferences,
		func(owner metav1.OwnerReference) bool { return owner.Kind == kind })
}

// skipped reports whether a drain leaves a pod alone, by what the catalogue says, or else as kubectl drain does.
func skipped(catalogue *plugins.Set, d *drain, pod podItem) bool {
	if d.rules.Skips == "" {
		return ownedBy(pod.Typed, "DaemonSet")
	}
	skips, err := holdsOf(catalogue, d.rules.Skips, d.held.Object, pod.Object)
	return skips || err != nil
}

// forgotten reports whether a drain has given up waiting for a pod that is being deleted. The drains of the catalogue
// don't wait for those on a Node whose kubelet doesn't answer.
func forgotten(reads *session.Session, d *drain, pod podItem) bool {
	if d.known == nil || !pod.Object.Terminating() {
		return false
	}
	after, err := time.ParseDuration(d.rules.Forgets)
	return !health.SaysReady(d.typed) || err == nil && reads.Now().Sub(pod.Typed.DeletionTimestamp.Time) > after
}

// ruledOut reports whether the controller evicts no such pod, by what the catalogue says.
func ruledOut(catalogue *plugins.Set, d *drain, pod *Object) (bool, error) {
	if d.rules.Refuses == "" {
		return false, nil
	}
	return holdsOf(catalogue, d.rules.Refuses, d.held.Object, pod)
}

// holdsOf evaluates an expression of the catalogue about the held object and another one. It errs where it doesn't fit.
func holdsOf(catalogue *plugins.Set, expression string, held, other *Object) (bool, error) {
	condition, err := catalogue.Condition(expression)
	if err != nil {
		return false, err
	}
	self, err := celValue(held)
	if err != nil {
		return false, err
	}
	object, err := celValue(other)
	if err != nil {
		return false, err
	}
	return condition.Holds(map[string]any{"self": self, "object": object})
}

// addDrain completes a cause by what tells that the Node is drained, and how certain that is.
func addDrain(reads *session.Session, d *drain, fares Answer, cause *Finding) {
	details, keeps := cause.Details.(finding.StillInUseDetails)
	if !keeps {
		return
	}
	details.Node = d.node.Ref.Name
	cause.Details = details
	certain := d.known != nil && d.known.Verified.WaitsFor.Done() && len(fares.Progress)+len(fares.Causes) > 0
	if cause.Certainty == "" {
		cause.Certainty = finding.Likely
		if certain {
			cause.Certainty = finding.Proven
		}
	}
	seen := "cordoned: no new pods are scheduled on it"
	if d.node.Terminating() {
		names := strings.Join(d.node.Meta.Finalizers, ", ")
		seen = reads.Deleted(d.node.RequestedAt()) + ", held by " + names
	}
	cause.Evidence = append(cause.Evidence, d.node.Ref.Observed("%s", seen))
	if d.known != nil {
		cause.Evidence = append(cause.Evidence, attribution.KnownEvidence(d.held.Hold, *d.known))
	}
	for _, other := range fares.Causes {
		cause.Evidence = append(cause.Evidence, other.Evidence...)
	}
}

func runsAlone(pod podItem) bool { return metav1.GetControllerOfNoCopy(pod.Typed) == nil }

// refusedByAdmission is the wait for a pod if webhooks or policies refuse its eviction.
func refusedByAdmission(ctx context.Context, refusals *refusal.Checker, pod podItem) []Wait {
	refused := refusals.Refused(ctx, refusal.Eviction(pod.Object))
	if !refused.Found() {
		return nil
	}
	return []Wait{{Blocker: pod.Object, ForAnswer: true, Otherwise: refused.Answer}}
}

// undrained answers for the pods that keep a Node from being drained; it is empty where none does.
func undrained(ctx context.Context, t *Tools, d *drain, fares Answer) (answer Answer) {
	pods, err := podsToEvict(ctx, t.Session, t.Plugins, d)
	if err != nil {
		return session.Unread(finding.Unread{Kinds: []string{"pods"}}, err)
	}
	var namespaces []string
	for _, pod := range pods {
		if !pod.Object.Terminating() && !slices.Contains(namespaces, pod.Typed.Namespace) {
			namespaces = append(namespaces, pod.Typed.Namespace)
		}
	}
	budgets, err := budgetsOf(ctx, t.Session, namespaces)
	if err != nil {
		return session.Unread(finding.Unread{Kinds: []string{"poddisruptionbudgets"}}, err)
	}
	var alone []podItem
	for _, pod := range pods {
		eviction := evictable(t.Session, pod.Typed, budgets)
		refused, _ := ruledOut(t.Plugins, d, pod.Object)
		switch {
		case pod.Object.Terminating():
			answer.Waits = append(answer.Waits, Wait{Blocker: pod.Object})
		case refused:
			answer.Waits = append(answer.Waits,
				Wait{Blocker: pod.Object, Otherwise: session.Cause(unevicted(ctx, t.Session, t.Health, d, pod))})
		case len(eviction.refusing) > 0:
			blocked := refusedEviction(ctx, t.Session, t.Health, pod.Object, pod.Typed, eviction)
			answer.Waits = append(answer.Waits, Wait{Blocker: pod.Object, Otherwise: blocked})
		default:
			unevicted := refusedByAdmission(ctx, t.Refusals, pod)
			if answer.Waits = append(answer.Waits, unevicted...); len(unevicted) == 0 && runsAlone(pod) {
				alone = append(alone, pod)
			}
		}
	}
	late := t.Session.Since(d.held.Object) >= 2*session.Patience
	if len(answer.Waits) == 0 && late && len(fares.Progress) == 0 {
		for _, pod := range alone {
			cause := session.Cause(unmanaged(t.Session, pod, d.wordsOn(pod.Object.Ref)))
			answer.Waits = append(answer.Waits, Wait{Blocker: pod.Object, Otherwise: cause})
		}
	}
	for cause := range answer.Blamed() {
		addDrain(t.Session, d, fares, cause)
	}
	return untilEnd(ctx, t.Session, d, answer)
}
