package statuses_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// TestNeeds finds in a spec what its controller may be given, and leaves out what it writes, what pods need, and what
// is optional.
func TestNeeds(t *testing.T) {
	for _, test := range []struct {
		spec string
		want []string
	}{
		{`{secretRef: {name: cf}}`, []string{"spec.secretRef [secret] /cf input"}},
		{`{secretRef: {name: cf, namespace: ops}}`, []string{"spec.secretRef [secret] ops/cf input elsewhere"}},
		{`{auth: {apiTokenSecretRef: {name: cf, key: token}}}`,
			[]string{"spec.auth.apiTokenSecretRef [apitokensecret tokensecret secret] /cf input"}},
		{`{passwordFrom: {secretKeyRef: {name: cf, key: p}}}`,
			[]string{"spec.passwordFrom.secretKeyRef [secret] /cf input"}},
		{`{valuesFrom: [{configMapKeyRef: {name: a, key: p}}, {configMapKeyRef: {name: b, key: p, optional: true}}]}`,
			[]string{"spec.valuesFrom[0].configMapKeyRef [configmap map] /a input"}},
		{`{credentials: hunter2, clientSecret: abc, secret: xyz}`, nil}, // they may be the secrets themselves
		{`{credentials: {name: cf}}`, []string{"spec.credentials [secret] /cf input"}},
		{`{credentials: {source: Secret, secretRef: {name: cf, namespace: x}}}`,
			[]string{"spec.credentials.secretRef [secret] x/cf input elsewhere"}},
		{`{providerConfigRef: {name: default}}`, []string{"spec.providerConfigRef [providerconfig config] /default input"}},
		{`{providerConfigRef: {name: default, kind: ClusterProviderConfig}}`,
			[]string{"spec.providerConfigRef [ClusterProviderConfig] /default input"}},
		{`{secretName: tls}`, []string{"spec.secretName [secret] /tls"}},
		{`{credentialsSecretName: cf, credentialsSecretNamespace: ops}`,
			[]string{"spec.credentialsSecretName [credentialssecret secret] ops/cf input elsewhere"}},
		{`{cleanupHookRef: {kind: Hook, apiGroup: x.io, name: a}}`, []string{"spec.cleanupHookRef [Hook] /a"}},
		{`{serviceAccountName: a, storageClassName: b}`, []string{
			"spec.serviceAccountName [serviceaccount account] /a", "spec.storageClassName [storageclass class] /b",
		}},
		{`{writeConnectionSecretToRef: {name: a}, target: {secretRef: {name: b}}, outputSecretRef: {name: c}}`, nil},
		{`{template: {spec: {volumes: [{secret: {name: a}}]}}, imagePullSecrets: [{name: b}]}`, nil},
		{`{name: a, title: b, size: 3, secretRef: {}}`, nil},
		{`{}, metadata: {annotations: ` +
			`{s.io/deletion-secret-name: a, s.io/deletion-secret-namespace: b, s.io/other-secret-name: c}}`,
			[]string{"the annotation s.io/deletion-secret-name [secret] b/a input elsewhere"}},
	} {
		object := decoded(t, "{spec: "+test.spec+"}")
		var got []string
		for _, need := range statuses.Needs(object) {
			line := fmt.Sprintf("%s %v %s/%s", need.Path, need.Kinds, need.Namespace, need.Name)
			if need.Input {
				line += " input"
			}
			if need.Elsewhere {
				line += " elsewhere"
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.spec, diff)
		}
	}
}

// TestSaysAbsent tells words that say that something isn't there, and whether they name it.
func TestSaysAbsent(t *testing.T) {
	for words, want := range map[string][2]bool{
		`secrets "cf" not found`:                           {true, true},
		`could not find Secret shop/cf, which has the key`: {true, true},
		`Secret cf doesn't exist`:                          {true, true},
		`secret "cf-2" is missing`:                         {true, false},
		`cannot delete database cf: connection refused`:    {false, true},
		`waiting for cfs`:                                  {false, false},
	} {
		if got := [2]bool{statuses.SaysAbsent(words), statuses.Mentions(words, "cf")}; got != want {
			t.Errorf("%q: absent, named: %v, want %v", words, got, want)
		}
	}
}

// TestNamedNear finds names right behind the words for their kinds, and takes no word of the sentence for one.
func TestNamedNear(t *testing.T) {
	for words, want := range map[string]string{
		"VolumeSnapshotContent is missing":          "",
		"Secret was deleted":                        "",
		"the Secret doesn't exist in the namespace": "",
		"Secret cf doesn't exist":                   "cf",
		`secret "cf-2" is missing`:                  "cf-2",
	} {
		var near string
		isKind := func(word string) bool { return word == "secret" || word == "volumesnapshotcontent" }
		for _, reference := range (statuses.Statement{Words: words}).Named(isKind) {
			if reference.Near {
				near += reference.Name
			}
		}
		if near != want {
			t.Errorf("%q names %q, want %q", words, near, want)
		}
	}
}

// TestNeedParts takes from a spec what isn't part of a need: what is left has the same needs.
func TestNeedParts(t *testing.T) {
	every := func(string) bool { return true }
	var kept func(key string, value any) any
	kept = func(key string, value any) any {
		switch value := value.(type) {
		case map[string]any:
			parts, left := statuses.NeedParts(key, value, every), map[string]any{}
			for name, inner := range value {
				_, isMap := inner.(map[string]any)
				_, isList := inner.([]any)
				if isMap || isList || parts[name] {
					left[name] = kept(name, inner)
				}
			}
			return left
		case []any:
			left := make([]any, len(value))
			for i, inner := range value {
				left[i] = kept(key, inner)
			}
			return left
		}
		return value
	}
	for _, spec := range []string{
		`{secretRef: {name: a, namespace: b, key: c}, note: d}`,
		`{a: {credentials: {name: b}}, more: [{configMapKeyRef: {name: c, key: d, optional: true}}]}`,
		`{credentialsSecretName: a, credentialsSecretNamespace: b, secretNames: [c, d]}`,
		`{hookRef: {kind: Hook, apiVersion: x.io/v1, name: a}, secret: {name: b}}`,
	} {
		object := decoded(t, "{spec: "+spec+"}")
		want := statuses.Needs(object)
		object.Object["spec"] = kept("spec", object.Object["spec"])
		if diff := cmp.Diff(want, statuses.Needs(object)); diff != "" || len(want) == 0 {
			t.Errorf("%s: %d needs (-want +got):\n%s", spec, len(want), diff)
		}
	}
}
