package diagnosis_test

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"testing"
	"time"
)

// TestLiftedDenial asks about a namespace whose condition still reports the denial of a policy, or the
// silence of a webhook. These block nothing any more when they were deleted, unless the API server may have them from a
// file: the names of such policies say so.
func TestLiftedDenial(t *testing.T) {
	denial := condition("NamespaceDeletionContentFailure", "True", "Failed to delete all resource types, 1 remaining: "+
		`configmaps "Unknown" is forbidden: ValidatingAdmissionPolicy 'keep' with binding 'kept' denied request: it stays`)
	inFile := strings.ReplaceAll(denial, "'keep'", "'keep.static.k8s.io'")
	silent := condition("NamespaceDeletionContentFailure", "True", "Failed to delete all resource types, 1 remaining: "+
		`Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: refused`)
	refusing := condition("NamespaceDeletionContentFailure", "True", "Failed to delete all resource types, 1 remaining: "+
		`admission webhook "guard.example.com" denied the request: no`)
	without, binding, _ := strings.Cut(policy("false"), "---\n")
	other := configMap("other", "")
	for name, c := range map[string]struct {
		condition, admission, deny string
		verdict                    result.Verdict
		says                       string
	}{
		"with its binding": {denial, without + "---\n" + binding, "", result.Stuck, "denies the deletion"},
		"without its binding": {denial, without, "", result.Progressing,
			"ValidatingAdmissionPolicyBinding kept no longer exists"},
		"the policy is gone":          {denial, other, "", result.Progressing, "Policy keep no longer exists"},
		"the policy may be in a file": {inFile, other, "", result.Undetermined, "fails to delete something"},
		"the policies may not be read": {denial, other, "validatingadmissionpolicies", result.Stuck,
			"denies the deletion"},
		"the webhook is gone": {silent, other, "", result.Progressing,
			"webhook guard.example.com is no longer in any webhook configuration"},
		"the webhook that denied is gone": {refusing, other, "", result.Progressing,
			"webhook guard.example.com is no longer in any webhook configuration"},
		"the webhook is there": {silent, webhook("ValidatingWebhookConfiguration", ""), "", result.Stuck,
			"guard.example.com"},
		"the webhooks may not be read": {silent, other, "validatingwebhookconfigurations", result.Undetermined,
			"guard.example.com"},
		"the manager doesn't run": {silent, other, "leases", result.Undetermined, "whose state is unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := whyCase{target: "namespaces/shop", objects: []string{
				namespace(time.Hour, c.condition), configMap("kept", ""), managerAlive(), c.admission,
			}, deny: c.deny}
			result := asked.ask(t)
			said := printed(t, result)
			if result.Verdict != c.verdict || !strings.Contains(said, c.says) {
				t.Errorf("the verdict is %s; want %s, and %q in\n%s", result.Verdict, c.verdict, c.says, said)
			}
		})
	}
}
