package admission_test

import (
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
)

// update is the removal of a finalizer from a Database in namespace shop. Only its sender is not known.
func update() *admission.Request {
	object := func(finalizers ...any) *admission.Content {
		return &admission.Content{Whole: true, Fields: map[string]any{
			"metadata": map[string]any{"name": "orders", "labels": map[string]any{"tier": "gold"}, "finalizers": finalizers},
			"spec":     map[string]any{"size": int64(3)},
		}}
	}
	return &admission.Request{
		Operation: admissionregistrationv1.Update, Namespace: "shop", Name: "orders",
		Resource:    schema.GroupVersionResource{Group: "shop.example.com", Version: "v1", Resource: "databases"},
		Kind:        schema.GroupVersionKind{Group: "shop.example.com", Version: "v1", Kind: "Database"},
		Equivalents: []schema.GroupVersionResource{{Group: "shop.example.com", Version: "v2", Resource: "databases"}},
		Within: &admission.Within{Content: &admission.Content{Whole: true,
			Fields: map[string]any{"metadata": map[string]any{"name": "shop", "labels": map[string]any{"env": "prod"}}}}},
		OldObject: object("a", "b"), Object: object("a"),
	}
}

func removal(change func(*admission.Request)) *admission.Request {
	request := update()
	if change != nil {
		change(request)
	}
	return request
}

const everyUpdate = `rules: [{operations: [UPDATE], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"]}]`

func TestCalls(t *testing.T) {
	exact := `matchPolicy: Exact, rules: [{operations: ["*"], apiGroups: [shop.example.com], apiVersions: [v2], ` +
		`resources: [databases]}]`
	cases := []struct {
		name, hook string
		change     func(*admission.Request)
		want       admission.Match
		refused    bool
	}{
		{name: "all updates", hook: everyUpdate, want: admission.Yes},
		{name: "another operation", hook: everyUpdate,
			change: func(r *admission.Request) { r.Operation = admissionregistrationv1.Delete }},
		{name: "a subresource only", hook: `rules: [{operations: [UPDATE], apiGroups: ["*"], apiVersions: ["*"], ` +
			`resources: ["databases/status"]}]`},
		{name: "the subresource asked for", hook: `rules: [{operations: [UPDATE], apiGroups: ["*"], apiVersions: ["*"], ` +
			`resources: ["*/status"]}]`,
			change: func(r *admission.Request) { r.Subresource = "status" }, want: admission.Yes},
		{name: "everything but subresources", hook: everyUpdate,
			change: func(r *admission.Request) { r.Subresource = "status" }},
		{name: "another version, equivalent",
			hook: `rules: [{operations: ["*"], apiGroups: [shop.example.com], apiVersions: [v2], resources: [databases]}]`,
			want: admission.Yes},
		{name: "another version, exact", hook: exact},
		{name: "another version, exact, and the version isn't known", hook: exact,
			change: func(r *admission.Request) { r.VersionUnknown = true }, want: admission.Maybe},
		{name: "cluster scope only", hook: `rules: [{operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ` +
			`["*"], scope: Cluster}]`},
		{name: "namespaced only", hook: `rules: [{operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ` +
			`["*"], scope: Namespaced}]`, want: admission.Yes},
		{name: "namespace selected", hook: everyUpdate + `, namespaceSelector: {matchLabels: {env: prod}}`,
			want: admission.Yes},
		{name: "namespace not selected", hook: everyUpdate + `, namespaceSelector: {matchLabels: {env: test}}`},
		{name: "namespace not readable", hook: everyUpdate + `, namespaceSelector: {matchLabels: {env: test}}`,
			change: func(r *admission.Request) { r.Within = nil }, want: admission.Maybe},
		{name: "namespace gone", hook: everyUpdate + `, failurePolicy: Ignore, namespaceSelector: {matchLabels: {env: test}}`,
			change: func(r *admission.Request) { r.Within = &admission.Within{Absent: true} }, want: admission.Yes,
			refused: true},
		{name: "namespace gone and no selector", hook: everyUpdate,
			change: func(r *admission.Request) { r.Within = &admission.Within{Absent: true} }, want: admission.Yes},
		{name: "selectors pass what has no namespace", hook: everyUpdate + `, namespaceSelector: {matchLabels: {env: test}}`,
			change: func(r *admission.Request) { r.Namespace, r.Within = "", nil }, want: admission.Yes},
		{name: "object selected", hook: everyUpdate + `, objectSelector: {matchLabels: {tier: gold}}`, want: admission.Yes},
		{name: "object not selected", hook: everyUpdate +
			`, objectSelector: {matchExpressions: [{key: tier, operator: NotIn, values: [gold]}]}`},
		{name: "condition met", hook: everyUpdate + `, matchConditions: [{name: big, expression: "object.spec.size > 2"}]`,
			want: admission.Yes},
		{name: "condition not met", hook: everyUpdate +
			`, matchConditions: [{name: big, expression: "object.spec.size > 3"}]`},
		{name: "condition on the user, who isn't known", hook: everyUpdate +
			`, matchConditions: [{name: who, expression: "request.userInfo.username != 'x'"}]`, want: admission.Maybe},
		{name: "condition on the user, who is known", hook: everyUpdate +
			`, matchConditions: [{name: who, expression: "!('system:serviceaccounts' in request.userInfo.groups)"}]`,
			change: func(r *admission.Request) { r.User = "system:serviceaccount:kube-system:x" }},
		{name: "condition that an unknown doesn't decide", hook: everyUpdate +
			`, matchConditions: [{name: who, expression: "request.userInfo.username == 'x' && object.spec.size > 3"}]`},
		{name: "condition on what wasn't read", hook: everyUpdate +
			`, matchConditions: [{name: big, expression: "has(object.spec.size) && object['spec'].size > 2"}]`,
			change: func(r *admission.Request) { r.Object.Whole = false; delete(r.Object.Fields, "spec") },
			want:   admission.Maybe},
		{name: "condition on metadata alone, of an object not read", hook: everyUpdate +
			`, matchConditions: [{name: gold, expression: "object.metadata.labels['tier'] == 'tin'"}]`,
			change: func(r *admission.Request) { r.Object.Whole = false; delete(r.Object.Fields, "spec") }},
		{name: "condition that fails", hook: everyUpdate +
			`, matchConditions: [{name: bad, expression: "object.spec.colour == 'red'"}]`, want: admission.Yes, refused: true},
		{name: "condition that fails by metadata alone, of an object not read", hook: everyUpdate +
			`, matchConditions: [{name: bad, expression: "object.metadata.labels['colour'] == 'red'"}]`,
			change: func(r *admission.Request) { r.Object.Whole, r.OldObject.Whole = false, false }, want: admission.Yes,
			refused: true},
		{name: "condition that may fail by what wasn't read", hook: everyUpdate +
			`, matchConditions: [{name: bad, expression: "[object].all(o, o.spec.colour == 'red')"}]`,
			change: func(r *admission.Request) { r.Object.Whole = false; delete(r.Object.Fields, "spec") },
			want:   admission.Maybe},
		{name: "condition that fails, ignored", hook: everyUpdate +
			`, failurePolicy: Ignore, matchConditions: [{name: bad, expression: "object.spec.colour == 'red'"}]`},
		{name: "condition that fails beside one not met", hook: everyUpdate +
			`, matchConditions: [{name: bad, expression: "object.spec.colour == 'red'"}, {name: no, expression: "false"}]`},
		{name: "condition on an authorization", hook: everyUpdate +
			`, matchConditions: [{name: may, expression: "authorizer.group('').resource('pods').check('get').allowed()"}]`,
			want: admission.Maybe},
		{name: "condition in words that only a newer server knows", hook: everyUpdate +
			`, matchConditions: [{name: new, expression: "tomorrow(object)"}]`, want: admission.Maybe},
		{name: "condition that only the user's name decides, asked of anybody", hook: everyUpdate +
			`, matchConditions: [{name: who, expression: "request.userInfo.username == 'x'"}]`,
			change: func(r *admission.Request) { r.User = "x"; *r = *r.Anybody() }, want: admission.Maybe},
		{name: "admission configuration itself", hook: everyUpdate, change: func(r *admission.Request) {
			r.Kind = schema.GroupVersionKind{Group: "admissionregistration.k8s.io", Version: "v1",
				Kind: "ValidatingWebhookConfiguration"}
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var configuration admissionregistrationv1.ValidatingWebhookConfiguration
			if err := yaml.Unmarshal([]byte("webhooks: [{name: w, "+c.hook+"}]"), &configuration); err != nil {
				t.Fatal(err)
			}
			got := admission.NewEvaluator().Calls(t.Context(), &admission.ValidatingHooks(&configuration)[0], removal(c.change))
			if got.Match != c.want || (got.Refused != "") != c.refused {
				t.Errorf("got %+v, want match %d, refused %t", got, c.want, c.refused)
			}
		})
	}
}

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
