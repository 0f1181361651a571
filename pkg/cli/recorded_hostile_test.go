package cli

import (
	"fmt"
	"strings"
	"testing"
)

// TestHostileManifests asks everything of objects that no API server would have taken: names with control
// characters, owners in circles, counts beyond measure.
func TestHostileManifests(t *testing.T) {
	pod := func(name, uid, owner, more string) string {
		return fmt.Sprintf(
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"namespace":"shop","uid":%q,
			"deletionTimestamp":"2026-01-01T10:00:00Z",
			"deletionGracePeriodSeconds":9223372036854775807,"finalizers":["foregroundDeletion","a\u001b]0;x\u0007b"],
			"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":%q,"uid":%q,
			 "controller":true,"blockOwnerDeletion":true}]%s}}`,
			name, uid, owner, owner, more)
	}
	for name, manifest := range map[string]string{
		"circles": pod("a", "a", "b", "") + pod("b", "b", "a", "") + pod("self", "self", "self", ""),
		"control characters": `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a\u001b[31m\r\u202e",` +
			`"namespace":"sh\u0007op","uid":"a","deletionTimestamp":"2026-01-01T10:00:00Z","finalizers":["x\u001b[2J"]}}`,
		"wrong types": `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"shop","uid":"a",` +
			`"finalizers":"x","deletionTimestamp":5},"spec":[1],"status":"x"}`,
		"odd times": `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"shop","uid":"a",` +
			`"deletionTimestamp":"9999-01-01T10:00:00Z","creationTimestamp":"0001-01-01T00:00:00Z","finalizers":["x/y"]}}`,
		"a long list": strings.Repeat(pod("a", "a", "b", ""), 2000),
	} {
		t.Run(name, func(t *testing.T) {
			for _, args := range [][]string{{"list", "-A"}, {"tree", "-A"}, {"check", "-A"}, {"why", "pod/a", "-n", "shop"},
				{"list", "-A", "-o", "json"}} {
				code, out, errOut := executed(t, manifest, append(args, "--snapshot", "-")...)
				if code > 1 || code == 1 && errOut == "" {
					t.Errorf("%v: exit code %d without a word", args, code)
				}
				if strings.ContainsAny(out+errOut, "\x1b\x07\u202e\r") {
					t.Errorf("%v: control characters reach the terminal: %q", args, out+errOut)
				}
			}
		})
	}
}
