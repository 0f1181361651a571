package uninstall

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// sharedAccounts are those of the operator's accounts as which workloads run that are no part of it, unless an account
// was named. They stay with their rights, which the notes of the plan say.
func sharedAccounts(ctx context.Context, f *finder) (shared []finding.Ref) {
	for _, account := range f.accounts {
		object := session.Named(cluster.ServiceAccounts(), account.Namespace, account.Name)
		if known := f.survey.find(session.Target{
			Resource: object.Resource, Namespace: account.Namespace, Name: account.Name,
		}); known == nil || f.parts.has(known) || containsRef(shared, account) {
			continue
		}
		if user, runs := otherRunsAs(ctx, f, account); runs {
			shared = append(shared, account)
			f.note(finding.Finding{
				Situation: "UninstallSharedAccount", Object: account,
				Details: finding.UninstallDetails{Uses: user},
			})
		}
	}
	return shared
}

// otherRunsAs finds a workload that is no part of the operator and runs as an account.
func otherRunsAs(ctx context.Context, f *finder, account finding.Ref) (*finding.Ref, bool) {
	for _, kind := range cluster.WorkloadKinds() {
		for _, other := range f.survey.ofKind[kind.QualifiedName()] {
			if other.Ref.Namespace != account.Namespace || f.parts.has(other) || f.parts.has(f.survey.topOwner(other)) {
				continue
			}
			name, _, _ := unstructured.NestedString(f.readPart(ctx, other), "spec", "template", "spec", "serviceAccountName")
			if name == account.Name {
				return &other.Ref, true
			}
		}
	}
	return nil, false
}

func containsRef(all []finding.Ref, one finding.Ref) bool {
	return slices.ContainsFunc(all, func(other finding.Ref) bool { return other.SameAs(one) })
}
