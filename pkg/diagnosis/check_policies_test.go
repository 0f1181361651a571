package diagnosis_test

import (
	"strings"
	"testing"
)

// keeping is a policy on an operation on ConfigMaps, and its binding, with more fields of both.
func keeping(operation, expression, more, action, moreBound string) string {
	return object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "", "keep", "",
		`spec: {matchConstraints: {resourceRules: [{operations: [`+operation+`], apiGroups: [""], apiVersions: ["*"], `+
			`resources: [configmaps]}]`+more+`}, validations: [{expression: "`+expression+`", message: it stays}]}`) +
		"---\n" +
		object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", "", "kept", "",
			"spec: {policyName: keep, validationActions: ["+action+"]"+moreBound+"}")
}

// checkPolicyCases are clusters with policies that deny deletions, and innocents that look like them.
func checkPolicyCases() []checkCase {
	const denies = "Warning AdmissionDenied ValidatingAdmissionPolicy/keep"
	const labelled = "!(has(oldObject.metadata.labels) && 'audit' in oldObject.metadata.labels)"
	notes, record := configMap("notes", ""), configMap("record", "labels: {audit: '7'}")
	elsewhere := strings.NewReplacer("namespace: \"shop\"", "namespace: \"other\"", "uid: configmap-notes",
		"uid: configmap-other").Replace(notes)
	const selected = ", namespaceSelector: {matchLabels: {tier: gold}}"
	gold := object("v1", "Namespace", "", "shop", "labels: {tier: gold}", "")
	plain := object("v1", "Namespace", "", "other", "", "")
	deletes := func(expression string) string { return keeping("DELETE", expression, "", "Deny", "") }
	return []checkCase{{
		name: "a policy that denies every deletion", objects: []string{notes, elsewhere, deletes("false")},
		want: []string{denies}, says: []string{"denies the deletion of configmaps (now 2 objects in other and shop)",
			"it stays", "A namespace that contains an object whose deletion is refused", "delete the binding"},
	}, {
		name: "a policy that denies every deletion, in one namespace", namespace: "shop",
		objects: []string{notes, elsewhere, deletes("false")}, want: []string{denies},
		says: []string{"(now 1 object in shop)"},
	}, {
		name: "a policy that denies the deletion of what has a label", objects: []string{notes, record, deletes(labelled)},
		want: []string{denies}, says: []string{"configmaps (now 1 object in shop)", "DELETE of ConfigMap shop/record"},
	}, {
		name:    "a policy that denies the deletion of what has a label, which nothing has",
		objects: []string{notes, deletes(labelled)},
	}, {
		name: "a policy that denies deletions in some namespaces", objects: []string{gold, plain, notes, elsewhere,
			keeping("DELETE", "false", selected, "Deny", "")},
		want: []string{denies}, says: []string{"configmaps (now 1 object in shop)"},
	}, {
		name: "a policy whose binding selects other namespaces", objects: []string{plain, elsewhere,
			keeping("DELETE", "false", "", "Deny", ", matchResources: {namespaceSelector: {matchLabels: {tier: gold}}}")},
	}, {
		name: "a policy that only warns", objects: []string{notes, keeping("DELETE", "false", "", "Warn", "")},
	}, {
		name: "a policy without a binding", objects: []string{notes, strings.Split(deletes("false"), "---")[0]},
	}, {
		name: "a policy on updates", objects: []string{notes, keeping("UPDATE", "false", "", "Deny", "")},
	}, {
		name: "a policy that lets Kubernetes' own controllers delete", objects: []string{notes,
			deletes("request.userInfo.username.startsWith('system:serviceaccount:kube-system:')")},
	}, {
		name: "a policy on what is not read of a ConfigMap", objects: []string{notes, deletes("!('keep' in oldObject.data)")},
		says: []string{"may deny the deletion of configmaps", "that was not read"},
	}, {
		name: "a policy that can't be evaluated", objects: []string{notes,
			deletes("oldObject.metadata.annotations['a'] == 'b'")},
		want: []string{denies}, says: []string{"can't be evaluated", "failurePolicy is Fail"},
	}}
}

// TestCheckReadsNothingForPolicies holds the budget: where no policy denies deletions, nothing more is read; and where
// the object doesn't matter, neither.
func TestCheckReadsNothingForPolicies(t *testing.T) {
	notes := configMap("notes", "")
	without := len(checkCase{objects: []string{notes, keeping("CREATE", "false", "", "Deny", "")}}.reads(t))
	for name, policy := range map[string]string{
		"on updates": keeping("UPDATE", "false", "", "Deny", ""), "warns": keeping("DELETE", "false", "", "Warn", ""),
		"denies all": keeping("DELETE", "false", "", "Deny", ""),
	} {
		if with := len(checkCase{objects: []string{notes, policy}}.reads(t)); with != without {
			t.Errorf("%s: %d reads instead of %d", name, with, without)
		}
	}
	const one = "has(oldObject.metadata.labels)"
	with := len(checkCase{objects: []string{notes, keeping("DELETE", one, "", "Deny", "")}}.reads(t))
	if with != without+1 {
		t.Errorf("%d reads instead of %d and one list of ConfigMaps", with, without)
	}
}
