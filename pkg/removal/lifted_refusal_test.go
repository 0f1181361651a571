package removal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
)

// TestLiftedRefusal has a dry run refused by a policy that was deleted: the API server needs a moment to notice. Where
// it is there, or that can't be read, what refuses has to be fixed.
func TestLiftedRefusal(t *testing.T) {
	const policy = "\n---\n" + `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: guard, uid: guard-1}
spec: {validations: [{expression: "false"}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: guard, uid: binding-1}
spec: {policyName: guard, validationActions: [Deny]}
`
	for _, c := range []struct {
		name, objects, denied string
		want                  string
	}{
		{name: "it is gone", objects: held, want: "DryRunRefusedStill"},
		{name: "it is there", objects: held + policy, want: "DryRunRefused"},
		{name: "policies can't be read", objects: held, denied: "validatingadmissionpolicies", want: "DryRunRefused"},
		{name: "nothing can be read", objects: held, denied: "*", want: ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, c.objects, removal.Options{Finalizers: []string{"a/x"}}, "configmaps/notes")
			if c.denied != "" {
				b.memory.Deny(c.denied)
			}
			b.writer.answer = func(string) error {
				return errors.New(`configmaps "notes" is forbidden: ValidatingAdmissionPolicy 'guard' with binding 'guard' ` +
					"denied request: failed expression: false")
			}
			if c.want == "" {
				if _, err := b.Plan(t.Context(), b.targets); err == nil {
					t.Error("there is a plan for what can't be read")
				}
				return
			}
			done := b.run(t)
			last := done.Guards[len(done.Guards)-1]
			again := strings.HasPrefix(last.Satisfy, "Run the command again")
			if last.Situation != c.want || again != (c.want == "DryRunRefusedStill") {
				t.Errorf("%s: %s\n%s", last.Situation, last.Why, last.Satisfy)
			}
		})
	}
}
