package mechanism

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

type consumerRef = resourcev1.ResourceClaimConsumerReference

// resourceClaimProtection explains resource.kubernetes.io/delete-protection: a ResourceClaim stays while it is reserved
// for a consumer (docs/deletion.md#resourceclaim-protection). kube-controller-manager removes only finished pods and
// PodGroups from the list.
func resourceClaimProtection(ctx context.Context, t *Tools, held Held, claim *resourcev1.ResourceClaim) Answer {
	answer := Answer{}
	for number, consumer := range claim.Status.ReservedFor {
		switch {
		case consumer.APIGroup == "" && consumer.Resource == "pods":
			answer.Add(consumerPod(ctx, t.Session, t.Health, held.Object, consumer))
		case consumer.APIGroup == "scheduling.k8s.io" && consumer.Resource == "podgroups":
			answer.Add(consumerGroup(ctx, t.Session, t.Health, held.Object, consumer, number))
		default:
			answer.Add(unknownConsumer(ctx, t.Session, t.Health, held.Object, consumer, number))
		}
	}
	if !answer.Empty() {
		return answer
	}
	by := refusal.SystemAccount(held.By)
	task := finding.Phrase{Situation: "ReleaseResourceClaim", Details: finding.TaskDetails{Object: held.Ref}}
	release := t.Refusals.Release(held.Object, held.Hold, held.By, task)
	status := refusal.Write{Operation: admissionregistrationv1.Update, Object: held.Object, Subresource: "status", By: by}
	release.Writes = append([]refusal.Write{status}, release.Writes...)
	return t.Refusals.Overdue(ctx, release)
}

// consumerPod answers for a pod that a claim is reserved for. The answer is empty for one that is
// done (k8s v1.37 pkg/controller/resourceclaim/controller.go: syncClaim, isPodDone).
func consumerPod(
	ctx context.Context, reads *session.Session, checker *health.Checker, claim *Object, consumer consumerRef,
) Answer {
	user := session.Named(cluster.Pods(), claim.Ref.Namespace, consumer.Name)
	read, err := reads.Read(ctx, user.Resource, user.Ref.Namespace, user.Ref.Name)
	if apierrors.IsNotFound(err) {
		return Answer{}
	}
	if err != nil {
		return session.Unread(finding.UnreadObject(user.Ref), err)
	}
	pod, answer := session.WholeAs[corev1.Pod](ctx, reads, read)
	if pod == nil {
		return answer
	}
	if pod.UID != consumer.UID || podEnded(pod) || pod.DeletionTimestamp != nil && pod.Spec.NodeName == "" {
		return Answer{}
	}
	return Answer{Waits: []Wait{podUser(ctx, checker, read, pod, finding.Phrase{Situation: "ReservesClaim"})}}
}

// consumerGroup answers for a PodGroup that a claim is reserved for; if they aren't served, it is not known.
func consumerGroup(
	ctx context.Context, reads *session.Session, checker *health.Checker, claim *Object, consumer consumerRef, number int,
) Answer {
	unread := finding.UnreadObject(finding.Ref{Kind: "PodGroup", Namespace: claim.Ref.Namespace, Name: consumer.Name})
	resource, served, err := session.Served(ctx, reads.Reader, consumer.APIGroup, consumer.Resource)
	if err != nil {
		return session.Unread(unread, err)
	}
	if !served {
		return unknownConsumer(ctx, reads, checker, claim, consumer, number)
	}
	group, err := reads.Read(ctx, resource, claim.Ref.Namespace, consumer.Name)
	if apierrors.IsNotFound(err) || err == nil && group.Ref.UID != string(consumer.UID) {
		return Answer{}
	}
	if err != nil {
		return session.Unread(unread, err)
	}
	observed := finding.Observed(claim.Ref.String()+" status.reservedFor", "%s, which has no deletionTimestamp", group.Ref)
	return Answer{Waits: []Wait{{Blocker: group, Otherwise: session.Cause(Finding{
		Reason: finding.StillInUse, Situation: "PodGroupReservesClaim", Object: group.Ref, Certainty: finding.Proven,
		Evidence: []Evidence{observed.Of(claim.Ref)},
		Remedies: []Remedy{
			{Step: "LookAtPodGroup", Command: reads.Kubectl.Command(group, "describe")},
			{Step: "DeletePodGroup", Risk: finding.Disruption, Command: reads.Kubectl.Command(group, "delete", "--wait=false")},
		},
	})}}}
}

// unknownConsumer is the cause of a claim reserved for a kind that Kubernetes doesn't know: nothing shows when the
// consumer has finished.
func unknownConsumer(
	ctx context.Context, reads *session.Session, checker *health.Checker, claim *Object, consumer consumerRef, number int,
) Answer {
	user, state, err := readConsumer(ctx, reads, claim, consumer)
	if err != nil {
		return session.Unread(finding.UnreadObject(user.Ref), err)
	}
	kind := schema.GroupResource{Group: consumer.APIGroup, Resource: consumer.Resource}.String()
	strike := strikePatch(claim, number, string(consumer.UID))
	source := claim.Ref.String() + " status.reservedFor"
	reserved := finding.Observed(source, "%s %s, uid %s", kind, consumer.Name, consumer.UID)
	return session.AwaitAnswer(user, Finding{
		Reason: finding.StillInUse, Situation: "ReservedForUnknown", Object: user.Ref, Certainty: finding.Proven,
		Details:  finding.StillInUseDetails{Of: &claim.Ref, Resource: kind, Use: &state},
		Evidence: []Evidence{reserved.Of(claim.Ref), finding.Observed(user.Ref.String(), "%s", checker.Words(state))},
		Remedies: []Remedy{{
			Step:    "FindReserver",
			Command: reads.Kubectl.Command(claim, "get", "-o", "jsonpath={.metadata.managedFields[*].manager}"),
		}, {
			Step: "StrikeConsumer", Risk: finding.DataLoss,
			Command: reads.Kubectl.Command(claim, "patch", "--subresource", "status", "--type", "json", "-p", strike),
		}},
	})
}

// consumer names a consumer as far as the claim tells, and says what can be seen of it.
func readConsumer(
	ctx context.Context, reads *session.Session, claim *Object, consumer consumerRef,
) (*Object, finding.Phrase, error) {
	resource, served, err := session.Served(ctx, reads.Reader, consumer.APIGroup, consumer.Resource)
	if !served { // a claim names the group and the resource; the kind and the version are known of what is served
		resource = cluster.Resource{Kind: consumer.Resource, Namespaced: true}
		resource.Group, resource.Resource = consumer.APIGroup, consumer.Resource
	}
	namespace := claim.Ref.Namespace
	if !resource.Namespaced {
		namespace = ""
	}
	user := session.Named(resource, namespace, consumer.Name)
	user.Ref.UID = string(consumer.UID)
	if err != nil || !served {
		return user, finding.Phrase{Situation: "ConsumerNotServed"}, err
	}
	meta, err := reads.Reader.Metadata(ctx, resource, namespace, consumer.Name)
	if apierrors.IsNotFound(err) || err == nil && meta.UID != consumer.UID {
		return user, finding.Phrase{Situation: "ConsumerGone"}, nil
	}
	return user, finding.Phrase{Situation: "ConsumerExists"}, err
}

// strikePatch removes one consumer from a claim's status. It fails as RemovalPatch does.
func strikePatch(claim *Object, number int, uid string) string {
	path := fmt.Sprintf("/status/reservedFor/%d", number)
	return session.EncodePatch([]session.Operation{
		{Op: "test", Path: "/metadata/uid", Value: claim.Ref.UID},
		{Op: "test", Path: path + "/uid", Value: uid}, {Op: "remove", Path: path},
	})
}
