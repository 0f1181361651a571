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
)

type podItem = session.Item[corev1.Pod]

// podsToEvict lists the pods on a Node that a drain waits for.
func (t *Tools) podsToEvict(ctx context.Context, d *drain) ([]podItem, error) {
	on := cluster.Selector{Fields: cluster.FieldIs("spec.nodeName", d.node.Ref.Name)}
	pods, err := session.ListWhole[corev1.Pod](ctx, t.Session, cluster.Pods(), "", on)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(pods, func(pod podItem) bool {
		mirror := pod.Typed.Annotations[corev1.MirrorPodAnnotationKey] != ""
		return mirror || ownedBy(pod.Typed, "Node") || podEnded(pod.Typed) || t.skipped(d, pod) || t.forgotten(d, pod)
	}), nil
}

func ownedBy(pod *corev1.Pod, kind string) bool {
	return slices.ContainsFunc(pod.OwnerReferences,
		func(owner metav1.OwnerReference) bool { return owner.Kind == kind })
}

// skipped reports whether a drain leaves a pod alone, by what the catalogue says, or else as kubectl drain does.
func (t *Tools) skipped(d *drain, pod podItem) bool {
	if d.rules.Skips == "" {
		return ownedBy(pod.Typed, "DaemonSet")
	}
	skips, err := t.holdsOf(d.rules.Skips, d.held.Object, pod.Object)
	return skips || err != nil
}

// forgotten reports whether a drain has given up waiting for a pod that is being deleted. The drains of the catalogue
// don't wait for those on a Node whose kubelet doesn't answer.
func (t *Tools) forgotten(d *drain, pod podItem) bool {
	if d.known == nil || !pod.Object.Terminating() {
		return false
	}
	after, err := time.ParseDuration(d.rules.Forgets)
	return !health.SaysReady(d.typed) || err == nil && t.Session.Now().Sub(pod.Typed.DeletionTimestamp.Time) > after
}

// ruledOut reports whether the controller evicts no such pod, by what the catalogue says.
func (t *Tools) ruledOut(d *drain, pod *Object) (bool, error) {
	if d.rules.Refuses == "" {
		return false, nil
	}
	return t.holdsOf(d.rules.Refuses, d.held.Object, pod)
}

// holdsOf evaluates an expression of the catalogue about the held object and another one. It errs where it doesn't fit.
func (t *Tools) holdsOf(expression string, held, other *Object) (bool, error) {
	condition, err := t.Plugins.Condition(expression)
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
func (t *Tools) addDrain(d *drain, fares Answer, cause *Finding) {
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
		seen = t.Session.Deleted(d.node.RequestedAt()) + ", held by " + names
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
func (t *Tools) refusedByAdmission(ctx context.Context, pod podItem) []Wait {
	refused := t.Refusals.Refused(ctx, refusal.Eviction(pod.Object))
	if !refused.Found() {
		return nil
	}
	return []Wait{{Blocker: pod.Object, ForAnswer: true, Otherwise: refused.Answer}}
}

// undrained answers for the pods that keep a Node from being drained; it is empty where none does.
func (t *Tools) undrained(ctx context.Context, d *drain, fares Answer) (answer Answer) {
	pods, err := t.podsToEvict(ctx, d)
	if err != nil {
		return session.Unread(finding.Unread{Kinds: []string{"pods"}}, err)
	}
	var namespaces []string
	for _, pod := range pods {
		if !pod.Object.Terminating() && !slices.Contains(namespaces, pod.Typed.Namespace) {
			namespaces = append(namespaces, pod.Typed.Namespace)
		}
	}
	budgets, err := t.budgetsOf(ctx, namespaces)
	if err != nil {
		return session.Unread(finding.Unread{Kinds: []string{"poddisruptionbudgets"}}, err)
	}
	var alone []podItem
	for _, pod := range pods {
		eviction := t.evictable(pod.Typed, budgets)
		refused, _ := t.ruledOut(d, pod.Object)
		switch {
		case pod.Object.Terminating():
			answer.Waits = append(answer.Waits, Wait{Blocker: pod.Object})
		case refused:
			answer.Waits = append(answer.Waits,
				Wait{Blocker: pod.Object, Otherwise: session.Cause(t.unevicted(ctx, d, pod))})
		case len(eviction.refusing) > 0:
			blocked := t.refusedEviction(ctx, pod.Object, pod.Typed, eviction)
			answer.Waits = append(answer.Waits, Wait{Blocker: pod.Object, Otherwise: blocked})
		default:
			unevicted := t.refusedByAdmission(ctx, pod)
			if answer.Waits = append(answer.Waits, unevicted...); len(unevicted) == 0 && runsAlone(pod) {
				alone = append(alone, pod)
			}
		}
	}
	late := t.Session.Since(d.held.Object) >= 2*session.Patience
	if len(answer.Waits) == 0 && late && len(fares.Progress) == 0 {
		for _, pod := range alone {
			cause := session.Cause(t.unmanaged(pod))
			answer.Waits = append(answer.Waits, Wait{Blocker: pod.Object, Otherwise: cause})
		}
	}
	for cause := range answer.Blamed() {
		t.addDrain(d, fares, cause)
	}
	return t.untilEnd(ctx, d, answer)
}
