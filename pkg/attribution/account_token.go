package attribution

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// tokensLast is how long a pod may keep the token of a ServiceAccount that was deleted and created again: kubelets
// renew tokens when 80% of their hour are over (k8s v1.37 pkg/kubelet/token/token_manager.go:requiresRefresh).
const tokensLast = time.Hour

// withAccount looks at the ServiceAccount of a program that runs. A pod's token is bound to the account's uid, so the
// API server refuses the requests of pods that are older than the account (k8s v1.37
// pkg/serviceaccount/claims.go:Validate). It costs one request.
func withAccount(ctx context.Context, s *search, found decision) decision {
	c := found.candidate
	uses := func(pod *corev1.Pod) bool { return podReady(pod) && hasToken(pod) }
	if found.state != Running || c == nil || c.account.Name == "" || !slices.ContainsFunc(c.pods, uses) {
		return found
	}
	account, err := s.session.Reader.MetadataIfAsked(ctx, cluster.ServiceAccounts(), c.namespace, c.account.Name)
	details := finding.AccountDetails{Account: c.accountRef()}
	switch {
	case apierrors.IsNotFound(err):
		c.evidence = append(c.evidence, c.accountRef().NotFound())
		c.quiet = &quiet{kind: accountIsGone, status: finding.Phrase{Situation: "AccountGone", Details: details}}
	case cluster.NeverAsked(err):
	case err != nil:
		c.unsure = new(finding.UnreadObject(*c.accountRef()).Because(err))
	default:
		details.Created = account.CreationTimestamp.Time
		if c.quiet == nil && s.session.Now().Sub(details.Created) < tokensLast && olderThan(c, details.Created) {
			c.evidence = append(c.evidence, c.accountRef().Observed(
				"created %s ago, after the pods that run as it", s.session.Ago(details.Created)).When(details.Created))
			c.quiet = &quiet{kind: accountIsRecreate, since: details.Created, status: finding.Phrase{
				Situation: "AccountRecreated", Details: details,
			}}
		}
	}
	return found
}

// hasToken reports whether a pod gets a token of its ServiceAccount, as all do that don't refuse it (k8s v1.37
// plugin/pkg/admission/serviceaccount/admission.go:mountServiceAccountToken). Others log in as another user.
func hasToken(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Spec.Volumes, func(volume corev1.Volume) bool {
		return volume.Projected != nil && slices.ContainsFunc(volume.Projected.Sources,
			func(source corev1.VolumeProjection) bool { return source.ServiceAccountToken != nil })
	})
}

// olderThan reports whether all ready pods of a candidate are older than something, and than their workload none.
func olderThan(c *candidate, created time.Time) bool {
	return c.workload != nil && !slices.ContainsFunc(c.pods, func(pod *corev1.Pod) bool {
		at := pod.CreationTimestamp.Time
		return podReady(pod) && (!at.Before(created) || at.Before(c.workload.Meta.CreationTimestamp.Time))
	})
}
