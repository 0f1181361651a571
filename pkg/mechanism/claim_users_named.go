package mechanism

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// namedUsers are the waits for pods that a text only names as users of a claim, as the description of the claim does. A
// pod that was not given a node holds nothing (usesClaim), and that isn't known of them.
func namedUsers(ctx context.Context, t *Tools, claim *Object) (waits []Wait) {
	if !t.Session.Reader.Source().Manifests() {
		return nil
	}
	pods, _ := t.Session.Reader.List(ctx, cluster.Pods(), claim.Ref.Namespace, cluster.Selector{})
	for i := range pods {
		spec, _, _ := unstructured.NestedMap(pods[i].Object, "spec")
		pod, err := session.As[corev1.Pod](&pods[i])
		if err != nil || !leftout.Lacks(spec, "nodeName") {
			continue
		}
		if pod.Spec.NodeName = "?"; !usesClaim(pod, claim) {
			continue
		}
		user, err := session.FromWhole(cluster.Pods(), &pods[i])
		if err != nil {
			continue
		}
		waits = append(waits, session.Until(user, func() Answer { return session.Cause(namedUser(ctx, t, user, claim)) }))
	}
	return waits
}

func namedUser(ctx context.Context, t *Tools, user, claim *Object) Finding {
	return Finding{
		Reason: finding.StillInUse, Situation: "NamedPodUsesClaim", Object: user.Ref, Certainty: finding.Likely,
		Details:  finding.StillInUseDetails{Of: &claim.Ref},
		Key:      finding.KeyOf("NamedPodUsesClaim", user.Ref.Namespace),
		Evidence: []Evidence{user.Ref.Observed("one of its volumes is the claim").Ranked(finding.Told)},
		Remedies: health.StopUsing(ctx, t.Session, user, nil),
	}
}
