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
