package admission_test

import (
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
)

func TestDecides(t *testing.T) {
	constraints := `matchConstraints: {resourceRules: [{operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], ` +
		`resources: [databases]}]}`
	cases := []struct {
		name, policy, binding string
		change                func(*admission.Request)
		param                 admission.Policy
		want                  admission.Match
		message               string
	}{
		{name: "always", policy: `validations: [{expression: "false", message: never}]`, want: admission.Yes,
			message: "never"},
		{name: "its own words",
			policy: `validations: [{expression: "false", messageExpression: "'not ' + object.metadata.name"}]`,
			want:   admission.Yes, message: "not orders"},
		{name: "no words", policy: `validations: [{expression: "1 == 2"}]`, want: admission.Yes,
			message: "failed expression: 1 == 2"},
		{name: "never", policy: `validations: [{expression: "true"}]`},
		{name: "the second of two", policy: `validations: [{expression: "true"}, {expression: "object.spec.size < 3", ` +
			`message: big}]`, want: admission.Yes, message: "big"},
		{name: "warnings only", policy: `validations: [{expression: "false"}]`, binding: `validationActions: [Warn, Audit]`},
		{name: "bound elsewhere", policy: `validations: [{expression: "false"}]`,
			binding: `validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {env: test}}}`},
		{name: "bound to some names", policy: `validations: [{expression: "false"}]`,
			binding: `validationActions: [Deny], matchResources: {resourceRules: [{resourceNames: [carts], operations: ["*"], ` +
				`apiGroups: ["*"], apiVersions: ["*"], resources: ["*"]}]}`},
		{name: "bound by a namespace that is gone", policy: `validations: [{expression: "true"}]`,
			binding: `validationActions: [Warn], matchResources: {namespaceSelector: {matchLabels: {env: test}}}`,
			change:  func(r *admission.Request) { r.Within = &admission.Within{Absent: true} }, want: admission.Yes,
			message: "a namespaceSelector needs the namespace shop, which no longer exists"},
		{name: "bound by a namespace that is gone, ignored",
			policy:  `failurePolicy: Ignore, validations: [{expression: "true"}]`,
			binding: `validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {env: test}}}`,
			change:  func(r *admission.Request) { r.Within = &admission.Within{Absent: true} }},
		{name: "excluded", policy: `validations: [{expression: "false"}]`,
			binding: `validationActions: [Deny], matchResources: {excludeResourceRules: [{operations: [UPDATE], apiGroups: ` +
				`["*"], apiVersions: ["*"], resources: ["*"]}]}`},
		{name: "a deleted object",
			policy:  `validations: [{expression: "object != null || oldObject.metadata.labels['tier'] != 'gold'"}]`,
			want:    admission.Yes,
			change:  func(r *admission.Request) { r.Operation, r.Object = admissionregistrationv1.Delete, nil },
			message: "failed expression: object != null || oldObject.metadata.labels['tier'] != 'gold'"},
		{name: "a variable", policy: `variables: [{name: size, expression: object.spec.size}, {name: big, ` +
			`expression: variables.size > 2}], validations: [{expression: "!variables.big", message: big}]`, want: admission.Yes,
			message: "big"},
		{name: "a variable that fails and isn't used",
			policy: `variables: [{name: bad, expression: object.spec.colour}], validations: [{expression: "false", ` +
				`message: all}]`, want: admission.Yes, message: "all"},
		{name: "a variable that fails and is used",
			policy: `variables: [{name: bad, expression: object.spec.colour}, {name: worse, expression: variables.bad}], ` +
				`validations: [{expression: "variables.worse == 'red'"}]`,
			want: admission.Yes,
			message: `its expression can't be evaluated: composited variable "worse" fails to evaluate: composited variable ` +
				`"bad" fails to evaluate: no such key: colour`},
		{name: "a variable that fails, ignored",
			policy: `failurePolicy: Ignore, variables: [{name: bad, expression: object.spec.colour}], validations: ` +
				`[{expression: "variables.bad == 'red'"}]`},
		{name: "a variable that isn't known",
			policy: `variables: [{name: who, expression: request.userInfo.username}], validations: ` +
				`[{expression: "variables.who == 'root'"}]`, want: admission.Maybe},
		{name: "a variable that isn't known and doesn't decide",
			policy: `variables: [{name: who, expression: request.userInfo.username}], validations: ` +
				`[{expression: "variables.who == 'root' && object.spec.size > 5", message: small}]`, want: admission.Yes,
			message: "small"},
		{name: "a field of a variable that isn't known",
			policy: `variables: [{name: who, expression: request.userInfo}, {name: by, expression: variables.who.extra}], ` +
				`validations: [{expression: "has(variables.by.scopes)"}]`, want: admission.Maybe},
		{name: "an error beside a variable that isn't known",
			policy: `variables: [{name: who, expression: request.userInfo.username}], validations: ` +
				`[{expression: "variables.who == object.spec.colour"}]`, want: admission.Maybe},
		{name: "whether there is a variable",
			policy: `variables: [{name: size, expression: object.spec.size}], validations: ` +
				`[{expression: "!has(variables.size)", message: has}]`, want: admission.Yes, message: "has"},
		{name: "a variable by its text", policy: `variables: [{name: size, expression: object.spec.size}], validations: ` +
			`[{expression: "variables['size'] < 3", message: big}]`, want: admission.Yes, message: "big"},
		{name: "an error", policy: `validations: [{expression: "object.spec.colour == 'red'"}]`, want: admission.Yes,
			message: "its expression can't be evaluated: no such key: colour"},
		{name: "an error, ignored",
			policy: `failurePolicy: Ignore, validations: [{expression: "object.spec.colour == 'red'"}]`},
		{name: "who asks", policy: `validations: [{expression: "request.userInfo.username == 'root'"}]`,
			want: admission.Maybe},
		{name: "a namespace's label",
			policy: `validations: [{expression: "namespaceObject.metadata.labels['env'] != 'prod'", message: prod}]`,
			want:   admission.Yes, message: "prod"},
		{name: "a parameter",
			policy: `paramKind: {apiVersion: v1, kind: ConfigMap}, validations: ` +
				`[{expression: "object.spec.size <= int(params.data.most)", message: much}]`,
			param: admission.Policy{Param: &admission.Content{Whole: true,
				Fields: map[string]any{"data": map[string]any{"most": "2"}}}}, want: admission.Yes, message: "much"},
		{name: "a parameter that must be there and isn't",
			policy: `paramKind: {apiVersion: v1, kind: ConfigMap}, validations: [{expression: "true"}]`,
			param:  admission.Policy{ParamMissing: "no such parameter"}, want: admission.Yes, message: "no such parameter"},
		{name: "a parameter that must be there and isn't, ignored",
			policy: `failurePolicy: Ignore, paramKind: {apiVersion: v1, kind: ConfigMap}, validations: [{expression: "false"}]`,
			param:  admission.Policy{ParamMissing: "no such parameter"}},
		{name: "a webhook's configuration, which policies see", policy: `validations: [{expression: "false", message: all}]`,
			want: admission.Yes, message: "all", change: func(r *admission.Request) {
				r.Kind = schema.GroupVersionKind{Group: "admissionregistration.k8s.io", Version: "v1",
					Kind: "ValidatingWebhookConfiguration"}
			}},
		{name: "another policy, which policies don't see", policy: `validations: [{expression: "false"}]`,
			change: func(r *admission.Request) {
				r.Kind = schema.GroupVersionKind{Group: "admissionregistration.k8s.io", Version: "v1",
					Kind: "ValidatingAdmissionPolicy"}
			}},
		{name: "a parameter that can't be read",
			policy: `paramKind: {apiVersion: v1, kind: ConfigMap}, validations: ` +
				`[{expression: "object.spec.size <= int(params.data.most)"}]`,
			param: admission.Policy{ParamUnknown: true}, want: admission.Maybe},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.binding == "" {
				c.binding = "validationActions: [Deny]"
			}
			policy := c.param
			policy.Policy, policy.Binding = &admissionregistrationv1.ValidatingAdmissionPolicy{},
				&admissionregistrationv1.ValidatingAdmissionPolicyBinding{}
			if err := yaml.UnmarshalStrict([]byte("spec: {"+constraints+", "+c.policy+"}"), policy.Policy); err != nil {
				t.Fatal(err)
			}
			if err := yaml.UnmarshalStrict([]byte("spec: {"+c.binding+"}"), policy.Binding); err != nil {
				t.Fatal(err)
			}
			got := admission.NewEvaluator().Decides(t.Context(), policy, removal(c.change))
			if got.Denies != c.want || got.Message != c.message {
				t.Errorf("got %+v, want denies %d, message %q", got, c.want, c.message)
			}
		})
	}
}
