package diagnosis_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// TestLiftedDenial asks about a namespace whose condition still reports the denial of a policy. It blocks nothing any
// more when its binding was deleted; of a policy that is gone, nothing follows.
func TestLiftedDenial(t *testing.T) {
	denial := condition("NamespaceDeletionContentFailure", "True", "Failed to delete all resource types, 1 remaining: "+
		`configmaps "Unknown" is forbidden: ValidatingAdmissionPolicy 'keep' with binding 'kept' denied request: it stays`)
	without, binding, _ := strings.Cut(policy("false"), "---\n")
	for name, c := range map[string]struct {
		admission string
		verdict   report.Verdict
		says      string
	}{
		"with its binding":      {without + "---\n" + binding, report.Stuck, "denies the deletion"},
		"without its binding":   {without, report.Progressing, "ValidatingAdmissionPolicyBinding kept no longer exists"},
		"the policy is unknown": {configMap("other", ""), report.Undetermined, "fails to delete something"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := whyCase{target: "namespaces/shop", objects: []string{
				namespace(time.Hour, denial), configMap("kept", ""), managerAlive(), c.admission,
			}}
			result := asked.ask(t)
			said := printed(t, result)
			if result.Verdict != c.verdict || !strings.Contains(said, c.says) {
				t.Errorf("the verdict is %s; want %s, and %q in\n%s", result.Verdict, c.verdict, c.says, said)
			}
		})
	}
}
