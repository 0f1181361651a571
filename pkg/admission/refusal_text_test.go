package admission_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
)

func TestRefusals(t *testing.T) {
	cases := map[string][]admission.Refusal{
		`Failed to delete all resource types, ` +
			`1 remaining: Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: Post ` +
			`"https://gone.s25.svc:443/?timeout=10s": service "gone" not found`: {{
			Kind: admission.HookUnreachable, Name: "guard.example.com",
			Message: `failed to call webhook: Post "https://gone.s25.svc:443/?timeout=10s": service "gone" not found`,
		}},
		`admission webhook "guard.example.com" denied the request: not on Fridays`: {{Kind: admission.HookDenied,
			Name: "guard.example.com", Message: "not on Fridays"}},
		`admission webhook "guard.example.com" denied the request without explanation`: {{Kind: admission.HookDenied,
			Name: "guard.example.com"}},
		`admission webhook "guard.example.com" does not support dry run`: {{Kind: admission.HookNoDryRun,
			Name: "guard.example.com"}},
		`Failed to delete all resource types, ` +
			`2 remaining: secrets "Unknown" is forbidden: ValidatingAdmissionPolicy 'keep' with binding 'keep-all' denied ` +
			`request: protected, ask the owners, ` +
			`databases.shop.example.com "Unknown" is forbidden: ValidatingAdmissionPolicy 'other' denied request: no`: {
			{Kind: admission.PolicyDenied, Name: "keep", Binding: "keep-all",
				Resource: schema.GroupResource{Resource: "secrets"}, Message: "protected, ask the owners"},
			{Kind: admission.PolicyDenied, Name: "other", Resource: schema.GroupResource{Group: "shop.example.com",
				Resource: "databases"}, Message: "no"},
		},
		`policy 'change' with binding 'b' denied request: expression failed`: {{Kind: admission.PolicyDenied, Mutating: true,
			Name: "change", Binding: "b", Message: "expression failed"}},
		`Failed to delete all resource types, ` +
			`1 remaining: pods is forbidden: User "system:serviceaccount:kube-system:namespace-controller" cannot ` +
			`deletecollection resource "pods" in API group "" in the namespace "x"`: {{
			Kind: admission.NotAllowed, Name: "system:serviceaccount:kube-system:namespace-controller",
			Resource: schema.GroupResource{Resource: "pods"},
			Message:  `cannot deletecollection resource "pods" in API group "" in the namespace "x"`,
		}},
		`Failed to delete all resource types, ` +
			`2 remaining: configmaps is forbidden: expression 'object.metadata.name == "x"' resulted in error: no such key: ` +
			`metadata, databases.shop.example.com "Unknown" is forbidden: [expression 'a' resulted in error: b, ` +
			`expression 'c' resulted in error: d]`: {
			{Kind: admission.ConditionFailed, Expression: `object.metadata.name == "x"`,
				Resource: schema.GroupResource{Resource: "configmaps"}, Message: "no such key: metadata"},
			{Kind: admission.ConditionFailed, Expression: "a", Resource: schema.GroupResource{Group: "shop.example.com",
				Resource: "databases"}, Message: "b, expression 'c' resulted in error: d]"},
		},
		`Failed to delete all resource types, ` +
			`3 remaining: secrets "Unknown" is forbidden: ValidatingAdmissionPolicy 'keep' denied request: protected, ` +
			`storage is (re)initializing: failed to list <unspecified>: failed to read one or more ` +
			`databases.shop.example.com from the storage: x, unexpected items still remain in namespace: x for gvr: /v1, ` +
			`Resource=pods`: {
			{Kind: admission.PolicyDenied, Name: "keep", Resource: schema.GroupResource{Resource: "secrets"},
				Message: "protected"},
		},
		"unexpected items still remain in namespace: x for gvr: /v1, Resource=pods": nil,
		"": nil,
	}
	for text, want := range cases {
		if diff := cmp.Diff(want, admission.Refusals(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
