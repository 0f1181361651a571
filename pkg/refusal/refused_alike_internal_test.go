package refusal

import (
	"slices"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestRefusedAlike names suspects at the steps alone that send the suspected write themselves.
func TestRefusedAlike(t *testing.T) {
	suspect := finding.Ref{
		APIVersion: "admissionregistration.k8s.io/v1", Kind: "ValidatingWebhookConfiguration", Name: "guard",
	}
	for _, c := range []struct {
		name, step string
		suspects   []finding.Ref
		want       []string
	}{
		{"the same write", "RemoveReferences", []finding.Ref{suspect}, []string{"ValidatingWebhookConfiguration guard"}},
		{"nothing may refuse it", "RemoveReferences", nil, nil},
		{"another write", "DeleteOrphaned", []finding.Ref{suspect}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			steps := refusedAlike([]finding.Remedy{{Step: c.step}}, c.suspects)
			details, _ := steps[0].Details.(finding.StepDetails)
			if !slices.Equal(details.Names, c.want) {
				t.Errorf("it names %q, want %q", details.Names, c.want)
			}
		})
	}
}
