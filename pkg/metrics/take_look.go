// Package metrics counts what list and check find, and serves that to Prometheus: it looks at an interval, keeps the
// numbers of the last look that succeeded, and says how that look went. It only reads.
//
// This package may change at any time.
package metrics

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Look asks what list and check ask, about a namespace or with an empty one about the whole cluster, and returns the
// numbers.
func Look(ctx context.Context, cluster *finalizers.Cluster, namespace string) (*Numbers, error) {
	survey, err := cluster.Survey(ctx, namespace)
	if err != nil {
		return nil, err
	}
	numbers := count(survey.List, survey.Check)
	for _, kind := range survey.Unlisted {
		numbers.unlisted[kind] = true
	}
	for _, version := range survey.Undiscovered {
		numbers.undiscovered[version] = true
	}
	return numbers, nil
}

// count takes the numbers from both answers. Without an answer of check, there are no findings, rather than zero.
func count(list *result.List, check *result.Check) *Numbers {
	n := &Numbers{
		at: list.GeneratedAt, unlisted: map[schema.GroupKind]bool{}, undiscovered: map[schema.GroupVersion]bool{},
	}
	for _, item := range list.Items {
		one := object{
			ref: item.Target, resource: item.Resource, verdict: item.Verdict, deleted: item.Deletion.RequestedAt,
			reason: noReason,
		}
		for i, cause := range item.RootCauses {
			if i == 0 { // of several, the one that frees most
				one.reason, one.cause, one.finalizer = cause.Reason, cause.Object, cause.Finalizer
			}
			one.blocked = append(one.blocked, blocked{cause.Reason, cause.Certainty})
		}
		n.objects = append(n.objects, one)
	}
	unread := list.Unreadable
	if check != nil {
		n.findings, unread = map[found]int{}, append(unread, check.Unreadable...)
		n.countFindings(check)
	}
	unreadable := map[string]bool{}
	for _, one := range unread {
		unreadable[one.Resource] = true
	}
	n.unreadable = len(unreadable)
	return n
}

func (n *Numbers) countFindings(check *result.Check) {
	for _, cause := range check.Findings {
		for _, ref := range append([]finding.Ref{cause.Object}, cause.Others...) {
			n.findings[found{sortOfFinding{cause.Severity, cause.Reason}, kindOf(ref), versionOf(ref)}]++
		}
	}
}

func kindOf(ref finding.Ref) schema.GroupKind {
	return schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind).GroupKind()
}

func versionOf(ref finding.Ref) schema.GroupVersion {
	return schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind).GroupVersion()
}
