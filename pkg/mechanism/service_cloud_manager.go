package mechanism

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// cloudManager looks for what shows that a cloud-controller-manager is there to act on a Service, and answers where
// nothing does. What its workload should run, and doesn't, tells more than a Lease that has yet to run out, or did.
func cloudManager(ctx context.Context, t *Tools, held Held) (alive []Evidence, answer Answer) {
	lease := t.Health.ControlPlane.CloudManagerLease(ctx)
	switch {
	case len(lease.Answer.Open) > 0: // whoever can't look is told what should happen, and whom to ask
		if speaks, err := cloudManagerSpeaks(ctx, t, held); err == nil && speaks {
			return nil, Answer{} // what it says itself was read
		}
		answer = lease.Answer
		answer.Remarks = append(answer.Remarks, Finding{Situation: "CloudManagerAside", Object: held.Ref})
		return nil, answer
	case lease.Held && !lease.Lost:
		return []Evidence{lease.Evidence}, Answer{}
	}
	if answer, is := byClass(ctx, t, held); is {
		return nil, answer
	}
	seen, answer := cloudManagerSeen(ctx, t.Session, t.Health, lease)
	switch {
	case len(answer.Waits)+len(answer.Progress) > 0:
		return nil, answer
	case lease.Held: // by a program out of sight
		return []Evidence{lease.Evidence}, Answer{}
	case !lease.Answer.Empty():
		if traces, _, err := readCloudTraces(ctx, t.Session, t.Health, held); err == nil && traces.acted {
			return append(traces.evidence, lease.Evidence), Answer{} // without leader election
		}
		return nil, lease.Answer
	case !answer.Empty() || len(seen) > 0:
		return append(seen, lease.Evidence), answer
	}
	speaks, err := cloudManagerSpeaks(ctx, t, held)
	switch {
	case err != nil:
		return nil, session.Unread(unreadKind("events", held.Ref.Namespace), err, lease.Evidence)
	case speaks:
		return []Evidence{lease.Evidence}, Answer{}
	}
	if answer, is := bySetter(ctx, t, held); is {
		return nil, answer
	}
	return nil, cloudManagerUnseen(ctx, t.Session, t.Health, held, lease.Evidence)
}

// cloudDuty is the duty of the cloud's controller: one for all Services.
func cloudDuty() *bearer {
	return &bearer{fares: func(ctx context.Context, t *Tools, held Held, _ *Object) attribution.Presence {
		alive, answer := cloudManager(ctx, t, held)
		fares := attribution.PresenceBy(answer)
		if fares.State == attribution.Running {
			for _, going := range answer.Progress {
				alive = append(alive, going.Evidence...)
			}
			fares.Finding = Finding{Situation: "CloudManagerRuns", Certainty: finding.Likely, Evidence: alive}
		}
		return fares
	}}
}

// cloudManagerSeen looks where it belongs for pods, and answers for a workload that has none, or none that is ready.
func cloudManagerSeen(
	ctx context.Context, reads *session.Session, checker *health.Checker, lease health.CloudLease,
) (seen []Evidence, answer Answer) {
	namespace := health.CloudManagerHome(ctx, checker.Session)
	for _, kind := range []schema.GroupResource{
		{Resource: "pods"}, {Group: "apps", Resource: "daemonsets"}, {Group: "apps", Resource: "deployments"},
	} {
		resource, served, err := session.Served(ctx, reads.Reader, kind.Group, kind.Resource)
		var objects []*Object
		if err == nil && served {
			objects, err = reads.List(ctx, resource, namespace)
		}
		if err != nil {
			return nil, session.Unread(unreadKind(kind.Resource, namespace), err)
		}
		objects = slices.DeleteFunc(objects, func(object *Object) bool {
			return !ofCloudManager(object) || kind.Resource == "pods" && object.Terminating()
		})
		switch {
		case len(objects) == 0:
		case kind.Resource != "pods":
			return nil, cloudManagerDown(ctx, checker, objects[0], lease)
		case noneReady(ctx, reads, objects):
			workload := cmp.Or(health.WorkloadOf(ctx, checker.Session, objects[0]), objects[0])
			return nil, cloudManagerDown(ctx, checker, workload, lease)
		default:
			return finding.Each(objects, ofCloud), Answer{}
		}
	}
	return nil, Answer{}
}

// noneReady reports whether none of a few pods is ready. It answers false where that can't be read.
func noneReady(ctx context.Context, reads *session.Session, pods []*Object) bool {
	return !slices.ContainsFunc(pods, func(pod *Object) bool {
		read, err := session.ReadAs[corev1.Pod](ctx, reads, pod)
		return err != nil || podReady(read)
	})
}

// ofCloud is what shows that an object belongs to one.
func ofCloud(object *Object) Evidence {
	return object.Ref.Observed("its name or labels are those of a cloud-controller-manager")
}

// ofCloudManager reports whether an object belongs to a cloud-controller-manager, by the names that providers give it.
func ofCloudManager(object *Object) bool {
	words := append(slices.Collect(maps.Values(object.Meta.Labels)), object.Ref.Name)
	return slices.ContainsFunc(words, func(word string) bool {
		return strings.Contains(word, "cloud-controller") || strings.Contains(word+"-", "-ccm-")
	})
}

// cloudManagerDown answers for a workload without a ready pod. A Lease that one of its pods left behind says that it
// led.
func cloudManagerDown(ctx context.Context, checker *health.Checker, workload *Object, lease health.CloudLease) Answer {
	why := checker.OutageOf(ctx, workload)
	details := finding.ControllerDetails{Controller: &workload.Ref, State: &why.Words}
	if why.Starting {
		return session.Progress(Finding{
			Situation: "CloudManagerStarting", Object: workload.Ref, Details: details, Evidence: why.Evidence,
		})
	}
	if !why.Until.IsZero() {
		return session.Open(Finding{
			Situation: "CloudManagerMayReturn", Object: workload.Ref, Details: details, Evidence: why.Evidence,
			Until: why.Until,
		})
	}
	down := Finding{
		Reason: finding.ControllerDown, Situation: "CloudManagerNotRunning", Object: workload.Ref,
		Certainty: finding.Likely,
		Details:   details, Remedies: why.Remedies,
		Evidence: append([]Evidence{ofCloud(workload)}, why.Evidence...),
	}
	if len(down.Remedies) > 0 {
		down.Remedies = attribution.ThenFinishes(down.Remedies)
	}
	if lease.Holder != "" {
		down.Evidence = append(down.Evidence, lease.Evidence)
	}
	if health.HeldByPodOf(lease.Holder, workload.Ref) {
		down.Certainty = finding.Proven
	}
	return session.AwaitAnswer(workload, down)
}

// cloudManagerMissing is the cause where none is visible. Where traces speak of one, it rests on its silence since the
// deletion.
func cloudManagerMissing(
	ctx context.Context, reads *session.Session, checker *health.Checker, held Held, traces, seen []Evidence,
) Finding {
	details, at := finding.LoadBalancerDetails{}, held.RequestedAt()
	if len(traces) > 0 {
		details.RequestedAt = &at
	}
	where := "pods, Deployments and DaemonSets in " + health.CloudManagerHome(ctx, checker.Session)
	const observed = "none looks like a cloud-controller-manager"
	return Finding{
		Reason: finding.ControllerMissing, Situation: "CloudManagerMissing", Object: held.Ref,
		Finalizer: held.Hold.Name,
		Certainty: finding.Likely, Key: finding.KeyOf("CloudManagerMissing"), Details: details,
		Evidence: slices.Concat(traces, seen, []Evidence{finding.Observed(where, observed)}),
		Remedies: []Remedy{
			{Step: "ReinstallCloudManager", Command: reads.Kubectl.Command(held.Object, "describe")},
			forgetBalancer(ctx, reads, held),
		},
	}
}
