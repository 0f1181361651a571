package mechanism

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// resourceClaimProtection explains resource.kubernetes.io/delete-protection: a ResourceClaim stays
// while it is reserved for somebody (deletion-mechanics M12). kube-controller-manager strikes pods
// and PodGroups that are done from the list, and nobody else.
func resourceClaimProtection(ctx context.Context, t *Tools, object *session.Object, hold finding.Hold) (session.Answer, bool) {
	if hold.Name != resourcev1.Finalizer || !object.Is("resource.k8s.io", "ResourceClaim") {
		return session.Answer{}, false
	}
	claim, answer := session.WholeAs[resourcev1.ResourceClaim](ctx, t.Session, object)
	if claim == nil {
		return answer, true
	}
	for number, consumer := range claim.Status.ReservedFor {
		switch {
		case consumer.APIGroup == "" && consumer.Resource == "pods":
			answer.Add(t.consumerPod(ctx, object, consumer))
		case consumer.APIGroup == "scheduling.k8s.io" && consumer.Resource == "podgroups":
			answer.Add(t.consumerGroup(ctx, object, consumer, number))
		default:
			answer.Add(t.unknownConsumer(ctx, object, consumer, number))
		}
	}
	if !answer.Empty() {
		return answer, true
	}
	by := refusal.SystemAccount("resource-claim-controller")
	release := t.Refusals.Release(object, hold, "resource-claim-controller", fmt.Sprintf("release %s, which is reserved for nobody any more", object.Ref))
	release.Writes = append([]refusal.Write{{Operation: admissionregistrationv1.Update, Object: object, Subresource: "status", By: by}}, release.Writes...)
	return t.Refusals.Overdue(ctx, release), true
}

// consumerPod answers for a pod that a claim is reserved for. The answer is empty for one that is
// done (k8s v1.37 pkg/controller/resourceclaim/controller.go: syncClaim, isPodDone).
func (t *Tools) consumerPod(ctx context.Context, claim *session.Object, consumer resourcev1.ResourceClaimConsumerReference) session.Answer {
	user, err := t.Session.Read(ctx, cluster.Pods(), claim.Ref.Namespace, consumer.Name)
	if apierrors.IsNotFound(err) {
		return session.Answer{}
	}
	if err != nil {
		return session.Unread("Pod "+claim.Ref.Namespace+"/"+consumer.Name, err)
	}
	pod, answer := session.WholeAs[corev1.Pod](ctx, t.Session, user)
	if pod == nil {
		return answer
	}
	if pod.UID != consumer.UID || podEnded(pod) || pod.DeletionTimestamp != nil && pod.Spec.NodeName == "" {
		return session.Answer{}
	}
	return session.Answer{Waits: []session.Wait{t.podUser(ctx, user, pod, finding.Phrase{Situation: "ReservesClaim"})}}
}

// consumerGroup answers for a PodGroup that a claim is reserved for. Where PodGroups aren't served,
// it is a consumer like any that nobody knows.
func (t *Tools) consumerGroup(ctx context.Context, claim *session.Object, consumer resourcev1.ResourceClaimConsumerReference, number int) session.Answer {
	resource, served, err := t.Session.Served(ctx, consumer.APIGroup, consumer.Resource)
	if err != nil {
		return session.Unread("PodGroup "+claim.Ref.Namespace+"/"+consumer.Name, err)
	}
	if !served {
		return t.unknownConsumer(ctx, claim, consumer, number)
	}
	group, err := t.Session.Read(ctx, resource, claim.Ref.Namespace, consumer.Name)
	if apierrors.IsNotFound(err) || err == nil && group.Ref.UID != string(consumer.UID) {
		return session.Answer{}
	}
	if err != nil {
		return session.Unread("PodGroup "+claim.Ref.Namespace+"/"+consumer.Name, err)
	}
	return session.Answer{Waits: []session.Wait{{Blocker: group, Otherwise: session.Cause(finding.Finding{
		Reason: finding.StillInUse, Object: group.Ref, Certainty: finding.Proven,
		Message:  fmt.Sprintf("%s has the claim reserved for its pods, and nobody has deleted it.", group.Ref),
		Awaited:  fmt.Sprintf("%s, which has it reserved and which nobody has deleted", group.Ref),
		Evidence: []finding.Evidence{{Source: claim.Ref.String() + " status.reservedFor", Observed: group.Ref.String() + ", which has no deletionTimestamp", Object: &claim.Ref}},
		Remedies: []finding.Remedy{{
			Action:  "See what the group runs.",
			Command: t.Session.Kubectl.Command(group, "describe"),
			Risk:    finding.NoRisk,
		}, {
			Action:  "If it isn't needed any more, delete it. Its pods hold it in turn.",
			Command: t.Session.Kubectl.Command(group, "delete", "--wait=false"),
			Risk:    finding.Disruption,
			Loses:   "the group by which its pods are scheduled",
		}},
	})}}}
}

// unknownConsumer is the cause of a claim that is reserved for something of which Kubernetes doesn't
// know when it is done: only who reserved the claim can say.
func (t *Tools) unknownConsumer(ctx context.Context, claim *session.Object, consumer resourcev1.ResourceClaimConsumerReference, number int) session.Answer {
	user, state, err := t.consumer(ctx, claim, consumer)
	if err != nil {
		return session.Unread(user.Ref.String(), err)
	}
	kind := consumer.Resource
	if consumer.APIGroup != "" {
		kind += "." + consumer.APIGroup
	}
	entry := fmt.Sprintf("%s %s, uid %s", kind, consumer.Name, consumer.UID)
	inUse := session.Cause(finding.Finding{
		Reason: finding.StillInUse, Object: user.Ref, Certainty: finding.Proven,
		Message: fmt.Sprintf("%s is reserved for %s (%s), which %s. %s strikes pods from the list when they are done, and keeps everything else for ever: only who made the reservation can end it.",
			claim.Ref, user.Ref.Name, kind, state, session.ControllerManager),
		Awaited:  fmt.Sprintf("whoever reserved it for %s (%s), which %s, to end the reservation", user.Ref.Name, kind, state),
		Evidence: []finding.Evidence{{Source: claim.Ref.String() + " status.reservedFor", Observed: entry, Object: &claim.Ref}, {Source: user.Ref.String(), Observed: state}},
		Remedies: []finding.Remedy{{
			Action:  "Find out who reserves claims for such objects, and have them end the reservation.",
			Command: t.Session.Kubectl.Command(claim, "get", "-o", "jsonpath={.metadata.managedFields[*].manager}"),
			Risk:    finding.NoRisk,
		}, {
			Action:  fmt.Sprintf("If that consumer certainly doesn't use the device any more: strike it from the list. %s then releases the claim. The command refuses if the list has changed since.", session.ControllerManager),
			Command: t.Session.Kubectl.Command(claim, "patch", "--subresource", "status", "--type", "json", "-p", strikePatch(claim, number, string(consumer.UID))),
			Risk:    finding.DataLoss,
			Loses:   "the reservation; if the device is still in use, it may be given to somebody else at the same time",
		}},
	})
	return session.Answer{Waits: []session.Wait{{Blocker: user, ForAnswer: true, Otherwise: inUse}}}
}

// consumer names a consumer as far as the claim tells, and says what can be seen of it.
func (t *Tools) consumer(ctx context.Context, claim *session.Object, consumer resourcev1.ResourceClaimConsumerReference) (user *session.Object, state string, err error) {
	// A claim names the group and the resource; the kind and the version are known of what is served.
	named := cluster.Resource{Kind: consumer.Resource, Namespaced: true}
	named.Group, named.Resource = consumer.APIGroup, consumer.Resource
	user = session.Named(named, claim.Ref.Namespace, consumer.Name)
	user.Ref.UID = string(consumer.UID)
	resource, served, err := t.Session.Served(ctx, consumer.APIGroup, consumer.Resource)
	if err != nil {
		return user, "", err
	}
	if !served {
		return user, "is of a kind that this cluster doesn't serve", nil
	}
	namespace := claim.Ref.Namespace
	if !resource.Namespaced {
		namespace = ""
	}
	user = session.Named(resource, namespace, consumer.Name)
	user.Ref.UID = string(consumer.UID)
	meta, err := t.Session.Reader.Metadata(ctx, resource, namespace, consumer.Name)
	switch {
	case apierrors.IsNotFound(err), err == nil && meta.UID != consumer.UID:
		return user, "is gone", nil
	case err != nil:
		return user, "", err
	}
	return user, "exists", nil
}

// strikePatch is a JSON patch that takes one consumer off a claim's status and nothing else. It fails
// as RemovalPatch does.
func strikePatch(claim *session.Object, number int, uid string) string {
	path := fmt.Sprintf("/status/reservedFor/%d", number)
	return session.EncodePatch([]session.Operation{
		{Op: "test", Path: "/metadata/uid", Value: claim.Ref.UID},
		{Op: "test", Path: path + "/uid", Value: uid}, {Op: "remove", Path: path},
	})
}
