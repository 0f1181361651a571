package health

import (
	"cmp"
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Outage is why a workload has no ready pod.
type Outage struct {
	Words    finding.Phrase     // completes "Deployment x …"
	Evidence []finding.Evidence // by which that is seen
	Remedies []finding.Remedy   // safest first
	Starting bool               // its pod is so young that it may just be starting
	Until    time.Time          // when the first moment of its pod's Node ends, in which that may only be late; or zero
	Unread   *finding.Unread    // needed to know whether it is starting, or its Node may only be late
	Rests    bool               // nothing is wrong: a Job has completed, or a CronJob waits for its time
}

// Outage says why a workload (what has a pod template, a CronJob or a Pod) has no ready pod: by what is asked of it, by
// its conditions and its pods, and by events only if these don't show it. pods are those of it that its caller has
// read, none of them ready; some may have ended. What can't be read is named in the details, and is no error.
func (c *Checker) Outage(ctx context.Context, workload *session.Object, pods []*corev1.Pod) Outage {
	pods = inOrder(pods)
	switch {
	case workload.Is("", "Pod"):
		return c.podOutage(ctx, workload, pods)
	case workload.Is("batch", "CronJob"):
		return c.cronJobOutage(ctx, workload)
	}
	live := slices.DeleteFunc(slices.Clone(pods), PodEnded)
	if len(live) == 0 || live[0].DeletionTimestamp != nil {
		_, _ = c.Session.Whole(ctx, workload) // a failure is remembered; the pods and events still tell something
	}
	if len(live) == 0 && workload.Terminating() {
		return deletedOutage(c.Session, workload)
	}
	if found, stopped := c.Stopped(ctx, workload, pods); stopped {
		return found
	}
	if len(live) == 0 {
		return c.podless(ctx, workload, pods)
	}
	return c.notReadyOutage(ctx, live[0], live[1:]...)
}

// OutageOf is Outage if only the workload itself was read.
func (c *Checker) OutageOf(ctx context.Context, workload *session.Object) Outage {
	if found, stopped := c.Stopped(ctx, workload, nil); stopped {
		return found
	}
	pods, err := PodsOf(ctx, c.Session, workload)
	if err == nil {
		return c.Outage(ctx, workload, pods)
	}
	if found, told := c.failure(ctx, workload, workload, specOf(workload)); told {
		return found
	}
	what := finding.Unread{Kinds: []string{"pods"}, Namespace: workload.Ref.Namespace}.Because(err)
	phrase := finding.Phrase{Situation: "PodsUnread", Details: finding.WorkloadState{Unread: []finding.Unread{what}}}
	return Outage{Words: phrase, Remedies: []finding.Remedy{findWhyNoPods(c.Session, workload)}}
}

// notReadyOutage answers for a workload by the first of its pods. others may be in deletion.
func (c *Checker) notReadyOutage(ctx context.Context, pod *corev1.Pod, others ...*corev1.Pod) Outage {
	self := objectOf(pod)
	stage := c.podStage(ctx, self, pod)
	starting := starting(c.Session, pod, stage)
	if finding.Is(stage.Situation, finding.Unscheduled) {
		lost := c.lostWith(ctx, others)
		stage.until = lost.until
		stage.evidence, starting = append(stage.evidence, lost.evidence...), starting && len(lost.evidence) == 0
	}
	details := finding.WorkloadState{Pod: &self.Ref, Stage: &stage.Phrase}
	return Outage{
		Words:    finding.Phrase{Situation: "NoReadyPod", Details: details},
		Evidence: stage.evidence, Remedies: runPod(c.Session, self, pod, stage), Starting: starting,
		Unread: missed(c.Session, pod, stage, starting), Until: stage.until,
	}
}

// podOutage answers for a pod that is looked at by itself.
func (c *Checker) podOutage(ctx context.Context, self *session.Object, pods []*corev1.Pod) Outage {
	at := slices.IndexFunc(pods, func(pod *corev1.Pod) bool { return pod.Name == self.Ref.Name })
	if at < 0 {
		read, err := session.ReadAs[corev1.Pod](ctx, c.Session, self)
		if err != nil {
			unread := []finding.Unread{finding.UnreadObject(self.Ref).Because(err)}
			phrase := finding.Phrase{Situation: "PodNotReady", Details: finding.PodDetails{Unread: unread}}
			return Outage{Words: phrase, Remedies: []finding.Remedy{runGeneric(c.Session, self, phrase)}}
		}
		pods, at = []*corev1.Pod{read}, 0
	}
	pod := pods[at]
	stage := c.podStage(ctx, self, pod)
	starting := starting(c.Session, pod, stage)
	return Outage{
		Words: stage.Phrase, Evidence: stage.evidence, Remedies: runPod(c.Session, self, pod, stage),
		Starting: starting, Until: stage.until,
		Unread: missed(c.Session, pod, stage, starting), Rests: pod.Status.Phase == corev1.PodSucceeded,
	}
}

// missed returns what could not be read of a pod's node, unless it doesn't matter: of a pod that has not been ready for
// longer, the node is not in its first moment.
func missed(reads *session.Session, pod *corev1.Pod, stage podStage, starting bool) *finding.Unread {
	ready := PodCondition(pod, corev1.PodReady)
	if !starting && ready != nil && reads.Now().Sub(ready.LastTransitionTime.Time) >= firstMoment {
		return nil
	}
	return stage.unread
}

// deletedOutage answers for a workload without pods that is being deleted itself: none is started for it any more
// (k8s v1.37 pkg/controller/deployment/deployment_controller.go:syncDeployment, and its like for the other kinds).
func deletedOutage(reads *session.Session, workload *session.Object) Outage {
	at := workload.RequestedAt()
	return Outage{
		Words:    finding.Phrase{Situation: "WorkloadIsDeleted"},
		Evidence: []finding.Evidence{workload.Ref.Observed("%s and has no pods", reads.Deleted(at)).When(at)},
		Remedies: []finding.Remedy{{
			Step: "InstallUnderOtherName", Command: reads.Kubectl.Command(workload, "get", "-o", "yaml"),
		}},
	}
}

// starting reports whether a pod, or the one that takes its place, may just be starting: it is young, and says of
// nothing that it has failed.
func starting(reads *session.Session, pod *corev1.Pod, stage podStage) bool {
	if finding.Is(stage.Situation, finding.HasFailed) {
		return false
	}
	since := pod.CreationTimestamp.Time
	if ends := pod.DeletionTimestamp; ends != nil {
		since = ends.Time
	}
	return !PodEnded(pod) && !restarts(pod) && reads.Now().Sub(since) < session.Patience
}

// PodsOf returns the pods that a workload selects, the ones that have ended too. It fails where they can't be listed;
// none are those of a workload without a selector.
func PodsOf(ctx context.Context, reads *session.Session, workload *session.Object) ([]*corev1.Pod, error) {
	selects := specOf(workload).Spec.Selector
	if selects == nil {
		return nil, nil
	}
	selector, err := metav1.LabelSelectorAsSelector(selects)
	if err != nil || selector.Empty() {
		return nil, nil
	}
	chosen := cluster.Selector{Labels: selector.String()}
	items, err := session.ListWhole[corev1.Pod](ctx, reads, cluster.Pods(), workload.Ref.Namespace, chosen)
	return finding.Each(items, func(item session.Item[corev1.Pod]) *corev1.Pod { return item.Typed }), err
}

// FirstPod returns the pod that says most, or nil if there is none: a pod that stays says more than one in deletion,
// and that says more than one that has ended.
func FirstPod(pods []*corev1.Pod) *session.Object {
	if len(pods) == 0 {
		return nil
	}
	return objectOf(inOrder(pods)[0])
}

// inOrder sorts pods by how much they say (FirstPod); among pods that have ended, the newest first.
func inOrder(pods []*corev1.Pod) []*corev1.Pod {
	pods = slices.Clone(pods)
	slices.SortStableFunc(pods, func(a, b *corev1.Pod) int {
		age := 0
		if PodEnded(a) && PodEnded(b) {
			age = b.CreationTimestamp.Compare(a.CreationTimestamp.Time)
		}
		return cmp.Or(
			session.FalseFirst(PodEnded(a), PodEnded(b)),
			session.FalseFirst(a.DeletionTimestamp != nil, b.DeletionTimestamp != nil), age,
		)
	})
	return pods
}

// objectOf is a pod that was read, as an object.
func objectOf(pod *corev1.Pod) *session.Object {
	object := session.FromMetadata(cluster.Pods(), &metav1.PartialObjectMetadata{ObjectMeta: pod.ObjectMeta})
	return object
}

// PodEnded reports whether none of a pod's containers runs, or will run again.
func PodEnded(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// when adds to evidence the time at which what it says came about, if that is known.
func when(evidence finding.Evidence, at time.Time) finding.Evidence {
	if at.IsZero() {
		return evidence
	}
	return evidence.When(at)
}
