package health

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// podStage is why a pod isn't ready, in a phrase that completes "Pod x …".
type podStage struct {
	finding.Phrase
	evidence []finding.Evidence
	// fix is the first thing to do, where there is something better than to look at the pod.
	mend *finding.Remedy
	// unread is why it could not be told whether the pod's node is alive.
	unread *finding.Unread
	until  time.Time // when its node's first moment ends, if that is why
}

func staged(phrase finding.Phrase, evidence ...finding.Evidence) podStage {
	return podStage{Phrase: phrase, evidence: evidence}
}

// podStage says why a pod isn't ready, and by what that is seen. A container that says itself why it doesn't run saves
// the requests for the pod's node, and everything else those for events.
func (c *Checker) podStage(ctx context.Context, self *session.Object, pod *corev1.Pod) podStage {
	switch {
	case PodEnded(pod):
		return ended(c.Session, self, pod)
	case pod.DeletionTimestamp != nil:
		evidence := self.Ref.Observed("%s", c.Session.Deleted(self.RequestedAt()))
		if stage, lost := c.onLostNode(ctx, self, pod); lost {
			stage.evidence = append([]finding.Evidence{evidence}, stage.evidence...)
			return stage
		}
		return staged(finding.Phrase{Situation: "PodGoing", Details: finding.PodDetails{}}, evidence)
	}
	if is := PodCondition(pod, corev1.PodScheduled); is != nil && is.Status == corev1.ConditionFalse {
		return unscheduledPod(c.Session, self, pod, is)
	}
	if pod.Spec.NodeName == "" {
		evidence := self.Ref.Observed("spec.nodeName is empty")
		return staged(finding.Phrase{Situation: "PodUnassigned", Details: finding.PodDetails{}}, evidence)
	}
	if stage, tells := containerStage(c.Session, self, pod); tells {
		return stage
	}
	found, lost := c.onLostNode(ctx, self, pod)
	if lost {
		return found
	}
	stage := c.unreadyStage(ctx, self, pod)
	stage.unread = found.unread
	return stage
}

// onLostNode answers for a pod whose node isn't ready, or gone.
func (c *Checker) onLostNode(ctx context.Context, self *session.Object, pod *corev1.Pod) (podStage, bool) {
	if pod.Spec.NodeName == "" {
		return podStage{}, false
	}
	node, health, err := c.nodeUnderneath(ctx, pod)
	if err != nil {
		unread := finding.UnreadObject(session.Named(cluster.Nodes(), "", pod.Spec.NodeName).Ref).Because(err)
		return podStage{unread: &unread}, false
	}
	if node == nil {
		return podStage{}, false
	}
	state := health.State()
	evidence := append([]finding.Evidence{self.Ref.Observed("on %s", node.Ref)}, health.Evidence...)
	details := finding.PodDetails{Node: &node.Ref, State: &state}
	stage := staged(finding.Phrase{Situation: "PodOnLostNode", Details: details}, evidence...)
	if health.InFirstMoment() {
		stage.until = *health.details.Until
	}
	return stage, true
}

// unreadyStage answers for a pod on a node that is alive, of whose containers none says that it can't run.
func (c *Checker) unreadyStage(ctx context.Context, self *session.Object, pod *corev1.Pod) podStage {
	details := finding.PodDetails{Phase: string(pod.Status.Phase)}
	ready := PodCondition(pod, corev1.PodReady)
	preparing, running := inPreparation(pod), pod.Status.Phase == corev1.PodRunning
	var evidence finding.Evidence
	switch {
	case ready != nil && ready.Status == corev1.ConditionTrue:
		evidence = self.Ref.Observed("condition Ready is True")
		return staged(finding.Phrase{Situation: "PodNotListed", Details: details}, evidence)
	case ready != nil && ready.Message != "":
		details.Words = ready.Message
		evidence = self.Ref.Observed("condition Ready is %s: %s", ready.Status, ready.Message)
	default:
		evidence = self.Ref.Observed("phase %s, not ready", details.Phase)
	}
	if name := runningInit(pod); name != "" {
		details.Container = name
		return staged(finding.Phrase{Situation: "PodInitializing", Details: details}, evidence)
	}
	if preparing || running && (ready == nil || ready.Reason != "ReadinessGatesNotReady") {
		stage, told, err := c.stageByEvents(ctx, self, pod, preparing)
		if told {
			return stage
		}
		if err != nil {
			details.Unread = []finding.Unread{
				finding.Unread{Aspect: finding.EventsAbout, Object: &self.Ref}.Because(err),
			}
		}
	}
	details.Container, details.Exit = lastRestart(pod)
	return staged(finding.Phrase{Situation: "PodNotReady", Details: details}, evidence)
}

// unscheduledPod answers for a pod for which the scheduler finds no node: for lack of a claim, or as it says (k8s v1.37
// pkg/scheduler/framework/plugins/volumebinding/volume_binding.go:PreFilter).
func unscheduledPod(reads *session.Session, self *session.Object, pod *corev1.Pod, is *corev1.PodCondition) podStage {
	details := finding.PodDetails{Words: is.Message}
	evidence := self.Ref.Observed("condition PodScheduled is False: %s: %s", is.Reason, is.Message)
	if stage, lacks := lacking(reads, self, details, evidence); lacks {
		return stage
	}
	if claims := claimsOf(pod); len(claims) == 1 &&
		upTo(is.Message, "unbound immediate PersistentVolumeClaim", "") != "" {
		claim := session.Named(cluster.PersistentVolumeClaims(), pod.Namespace, claims[0])
		details.Claim = &claim.Ref
		stage := staged(finding.Phrase{Situation: "PodAwaitsClaim", Details: details}, evidence)
		stage.mend = &finding.Remedy{
			Step: "BindClaim", Details: finding.StepDetails{Object: &claim.Ref},
			Command: reads.Kubectl.Command(claim, "describe"),
		}
		return stage
	}
	return staged(finding.Phrase{Situation: "PodUnschedulable", Details: details}, evidence)
}

func claimsOf(pod *corev1.Pod) (names []string) {
	for _, volume := range pod.Spec.Volumes {
		if claim := volume.PersistentVolumeClaim; claim != nil && !slices.Contains(names, claim.ClaimName) {
			names = append(names, claim.ClaimName)
		}
	}
	return names
}

// lostWith returns the stage of a pod in deletion on a lost node, if a pod that finds no node should replace it.
func (c *Checker) lostWith(ctx context.Context, pods []*corev1.Pod) podStage {
	for _, pod := range pods {
		if pod.DeletionTimestamp == nil {
			continue
		}
		if stage, lost := c.onLostNode(ctx, objectOf(pod), pod); lost {
			return stage
		}
	}
	return podStage{}
}

// nodeUnderneath returns a pod's node and its health if that is why the pod isn't ready, else nil; an error where that
// is not clear.
func (c *Checker) nodeUnderneath(ctx context.Context, pod *corev1.Pod) (*session.Object, NodeHealth, error) {
	node := session.Named(cluster.Nodes(), "", pod.Spec.NodeName)
	current, err := session.ReadAs[corev1.Node](ctx, c.Session, node)
	if apierrors.IsNotFound(err) {
		gone := finding.NodeNotReadyDetails{Gone: true}
		return node, NodeHealth{details: gone, Evidence: []finding.Evidence{node.Ref.NotFound()}}, nil
	}
	if err != nil {
		return nil, NodeHealth{}, err
	}
	if health := c.NodeHealth(ctx, current); !health.Ready || health.Unread != nil {
		if health.Ready {
			return nil, NodeHealth{}, health.Unread
		}
		return node, health, nil
	}
	return nil, NodeHealth{}, nil
}

// runPod is how to get a pod to run, by why it doesn't.
func runPod(reads *session.Session, self *session.Object, pod *corev1.Pod, stage podStage) []finding.Remedy {
	remedies := []finding.Remedy{runGeneric(reads, self, stage.Phrase)}
	if stage.mend != nil {
		remedies[0] = *stage.mend
	}
	if restarts(pod) && !PodEnded(pod) {
		command := reads.Kubectl.Command(self, "logs", "--all-containers", "--previous")
		remedies = slices.Insert(remedies, 0, finding.Remedy{Step: "ReadLastLogs", Command: command})
	}
	return remedies
}

func runGeneric(reads *session.Session, self *session.Object, stage finding.Phrase) finding.Remedy {
	return finding.Remedy{
		Step: "GetPodToRun", Details: finding.StepDetails{Object: &self.Ref, State: &stage},
		Command: reads.Kubectl.Command(self, "describe"),
	}
}

// PodCondition returns one of a pod's conditions, or nil.
func PodCondition(pod *corev1.Pod, kind corev1.PodConditionType) *corev1.PodCondition {
	at := slices.IndexFunc(pod.Status.Conditions, func(is corev1.PodCondition) bool { return is.Type == kind })
	if at < 0 {
		return nil
	}
	return &pod.Status.Conditions[at]
}
