package admission

import (
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"
)

// TestRules compares which requests rules are about with what the API server says.
func TestRules(t *testing.T) {
	all, namespaced, cluster, odd := v1.AllScopes, v1.NamespacedScope, v1.ClusterScope, v1.ScopeType("Odd")
	var requests []*Request
	for _, resource := range []schema.GroupVersionResource{
		{Version: "v1", Resource: "namespaces"}, {Version: "v1", Resource: "pods"},
		{Group: "apps", Version: "v1", Resource: "deployments"},
	} {
		for _, namespace := range []string{"", "shop"} {
			for _, subresource := range []string{"", "status"} {
				requests = append(requests, &Request{Resource: resource, Namespace: namespace, Subresource: subresource,
					Operation: v1.Update})
			}
		}
	}
	rule := func(groups, versions, resources []string, operation v1.OperationType, scope *v1.ScopeType) (
		made v1.RuleWithOperations) {
		made.Rule = v1.Rule{APIGroups: groups, APIVersions: versions, Resources: resources, Scope: scope}
		made.Operations = []v1.OperationType{operation}
		return made
	}
	for _, scope := range []*v1.ScopeType{nil, &all, &namespaced, &cluster, &odd} {
		for _, resources := range [][]string{
			nil, {"*"}, {"*/*"}, {"pods"}, {"pods/*"}, {"*/status"}, {"pods/", "namespaces"},
		} {
			for _, operations := range []v1.RuleWithOperations{
				rule([]string{"*"}, []string{"*"}, resources, v1.OperationAll, scope),
				rule([]string{""}, []string{"v1"}, resources, v1.Update, scope),
				rule([]string{"", "apps"}, []string{"v2"}, resources, v1.Update, scope),
				rule([]string{"apps"}, []string{"*"}, resources, v1.Delete, scope),
			} {
				for _, request := range requests {
					attributes := admission.NewAttributesRecord(nil, nil, schema.GroupVersionKind{}, request.Namespace, "",
						request.Resource, request.Subresource, admission.Operation(request.Operation), nil, false, nil)
					want := (&rules.Matcher{Rule: operations, Attr: attributes}).Matches()
					if got := ruleMatches(operations, request.Resource, request); got != want {
						t.Errorf("rule %+v, request %+v: %v, want %v", operations, request, got, want)
					}
				}
			}
		}
	}
}
