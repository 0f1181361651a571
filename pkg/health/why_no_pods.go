package health

import (
	"context"
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// podless answers for a workload that should have pods and has none that live: by its conditions first, by what it made
// for that, by events about either, and at last by a pod that has ended.
func (c *Checker) podless(ctx context.Context, workload *session.Object, ended []*corev1.Pod) Outage {
	read := specOf(workload)
	if found, told := c.failure(ctx, workload, workload, read); told {
		return found
	}
	var unread []finding.Unread
	creator, paused := workload, false
	switch {
	case workload.Is("apps", "DaemonSet") && unscheduled(workload, read):
		return nodeless(c.Session, workload)
	case workload.Is("apps", "Deployment"):
		set, err := replicaSetOf(ctx, c.Session, workload, read)
		if err != nil {
			what := finding.Unread{Kinds: []string{"ReplicaSets"}, Namespace: workload.Ref.Namespace}
			unread = append(unread, what.Because(err))
		}
		creator, paused = set, err == nil && read.Spec.Paused && unwanted(set)
	}
	switch {
	case paused:
		return rolloutPaused(c.Session, workload)
	case creator != nil:
		if found, told := c.failure(ctx, workload, creator, specOf(creator)); told {
			return found
		}
		said, err := c.Warning(ctx, creator, "FailedCreate")
		if err != nil {
			unread = append(unread, finding.Unread{Aspect: finding.EventsAbout, Object: &creator.Ref}.Because(err))
		} else if said != nil {
			return c.refused(ctx, workload, said.Words, said.Evidence(creator.Ref))
		}
	}
	if len(ended) > 0 {
		return c.notReadyOutage(ctx, ended[0])
	}
	return unexplained(c.Session, workload, unread)
}

// failure answers by a condition of what creates pods for a workload: ReplicaFailure of a ReplicaSet, which its
// Deployment repeats, or that a Deployment could not even create a ReplicaSet (k8s v1.37 pkg/controller/replicaset/
// replica_set_utils.go:calculateStatus, pkg/controller/deployment/util/deployment_util.go:FailedRSCreateReason).
func (c *Checker) failure(
	ctx context.Context, workload, creator *session.Object, read *workloadSpec,
) (Outage, bool) {
	failing := read.condition(metav1.ConditionTrue, string(appsv1.DeploymentReplicaFailure))
	if failing == nil {
		failing = read.condition(metav1.ConditionFalse, string(appsv1.DeploymentProgressing))
		if failing == nil || failing.Reason != "ReplicaSetCreateError" {
			return Outage{}, false
		}
	}
	evidence := creator.Ref.Observed("%s", finding.ByColons("condition "+failing.Type, failing.Message))
	return c.refused(ctx, workload, failing.Message, when(evidence, failing.LastTransitionTime.Time)), true
}

// replicaSetOf returns the ReplicaSet that creates a Deployment's pods, or nil where there is none yet.
func replicaSetOf(
	ctx context.Context, reads *session.Session, deployment *session.Object, read *workloadSpec,
) (*session.Object, error) {
	selector, err := metav1.LabelSelectorAsSelector(read.Spec.Selector)
	if err != nil {
		return nil, err
	}
	chosen := cluster.Selector{}
	if !selector.Empty() {
		chosen.Labels = selector.String()
	}
	sets, err := session.ListWhole[appsv1.ReplicaSet](
		ctx, reads, cluster.ReplicaSets(), deployment.Ref.Namespace, chosen)
	return newestOf(sets, deployment.Ref.UID), err
}

// unwanted reports whether a Deployment's ReplicaSet isn't there, or is scaled to zero.
func unwanted(set *session.Object) bool {
	if set == nil {
		return true
	}
	wants := specOf(set).Spec.Replicas
	return wants != nil && *wants == 0
}

// rolloutPaused answers for a paused Deployment that has no ReplicaSet for its pods: none is created before it
// continues (k8s v1.37 pkg/controller/deployment/sync.go:sync).
func rolloutPaused(reads *session.Session, deployment *session.Object) Outage {
	return Outage{
		Words:    finding.Phrase{Situation: "RolloutPaused"},
		Evidence: []finding.Evidence{deployment.Ref.Observed("spec.paused is true and no ReplicaSet of it wants pods")},
		Remedies: []finding.Remedy{{
			Step: "Resume", Details: finding.StepDetails{Object: &deployment.Ref},
			Command: reads.Kubectl.Prefix(deployment.Ref, "rollout", "resume",
				"deployments.apps/"+deployment.Ref.Name),
		}},
	}
}

// unscheduled reports whether a DaemonSet's controller has found no node for it.
func unscheduled(set *session.Object, read *workloadSpec) bool {
	return set.Whole != nil && read.Status.DesiredNumberScheduled == 0 &&
		read.Status.ObservedGeneration == set.Whole.GetGeneration()
}

func nodeless(reads *session.Session, set *session.Object) Outage {
	evidence := []finding.Evidence{set.Ref.Observed("status.desiredNumberScheduled is 0")}
	typed, err := session.As[appsv1.DaemonSet](set.Whole)
	if err == nil && len(typed.Spec.Template.Spec.NodeSelector) > 0 {
		selector, _ := json.Marshal(typed.Spec.Template.Spec.NodeSelector)
		evidence = append(evidence, set.Ref.Observed("nodeSelector %s", selector))
	}
	return Outage{
		Words: finding.Phrase{Situation: "NoNodeFits"}, Evidence: evidence, Remedies: []finding.Remedy{{
			Step: "FitNodes", Details: finding.StepDetails{Object: &set.Ref},
			Command: reads.Kubectl.Prefix(finding.Ref{}, "get", "nodes", "--show-labels"),
		}},
	}
}

// unexplained answers for a workload if nothing says why it has no pods.
func unexplained(reads *session.Session, workload *session.Object, unread []finding.Unread) Outage {
	phrase := finding.Phrase{Situation: "HasNoPods", Details: finding.WorkloadState{Unread: unread}}
	return Outage{
		Words: phrase, Evidence: []finding.Evidence{workload.Ref.Observed("has no pods")},
		Remedies: []finding.Remedy{findWhyNoPods(reads, workload)},
	}
}
