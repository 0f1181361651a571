package diagnosis_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestWhyWithEachReadDenied asks every question again without each resource in turn that its answer rests on. With
// fewer rights, an answer may say less, but never something different. The zoo does the same on a real control plane.
// With -short, a sample of the resources is denied.
func TestWhyWithEachReadDenied(t *testing.T) {
	sample := newSample()
	t.Run("cases", func(t *testing.T) {
		for _, c := range whyCases() {
			if c.deny != "" {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				c.checkWithEachReadDenied(t, sample)
			})
		}
	})
	sample.check(t)
}

func (c whyCase) checkWithEachReadDenied(t *testing.T, sample *sample) {
	t.Helper()
	memory := c.memory(t)
	full, err := c.why(t.Context(), t, memory)
	if err != nil {
		t.Fatal(err)
	}
	denied := map[string]bool{"": true}
	target, _, _ := strings.Cut(memory.Reads[0], " ")
	for _, read := range memory.Reads {
		name, _, _ := strings.Cut(read, " ")
		resource, _, _ := strings.Cut(name, ".")
		if name == target || denied[resource] {
			continue
		}
		denied[resource] = true
		if !sample.tries(c.name, name) {
			continue
		}
		blind := c.memory(t)
		blind.Deny(resource)
		lesser, err := c.why(t.Context(), t, blind)
		if err != nil {
			t.Errorf("without %s: %v", name, err)
			continue
		}
		for _, problem := range judgeLesser(full, lesser, name) {
			t.Errorf("without %s: %s: %s", name, problem, lesser.Summary)
		}
	}
}

// judgeLesser says what is wrong with an answer that was given without one resource.
func judgeLesser(full, lesser *result.Diagnosis, missing string) (problems []string) {
	if !slices.ContainsFunc(lesser.Unreadable, func(one finding.Unreadable) bool { return one.Resource == missing }) {
		problems = append(problems, "it is not among what could not be read")
	}
	if lesser.Verdict == result.Undetermined {
		return problems
	}
	if lesser.Verdict != full.Verdict {
		problems = append(problems, "the verdict is "+string(lesser.Verdict)+", and "+string(full.Verdict)+" with everything")
	}
	known, objects := eachCause(full)
	found, at := eachCause(lesser)
	for i, cause := range found {
		lessCertain := strings.HasPrefix(cause, string(finding.ControllerUnknown)) && slices.Contains(objects, at[i])
		if !slices.Contains(known, cause) && !lessCertain && !isConsequence(full, cause) {
			problems = append(problems, cause+" is no cause")
		}
	}
	return problems
}

// isConsequence reports whether the full answer has a webhook for a consequence of one of its causes.
func isConsequence(full *result.Diagnosis, cause string) bool {
	ofWebhook := func(observation result.Observation) bool {
		return slices.Contains([]string{"WebhookComesBack", "WebhookLeftBehind"}, observation.Situation)
	}
	return strings.HasPrefix(cause, string(finding.WebhookUnavailable)) && slices.ContainsFunc(full.Observations,
		ofWebhook)
}

// eachCause returns the causes, the ones that share one counted one by one, and the object of each.
func eachCause(answer *result.Diagnosis) (causes, objects []string) {
	for _, cause := range answer.RootCauses {
		for _, ref := range append([]finding.Ref{cause.Object}, cause.Others...) {
			causes = append(causes, string(cause.Reason)+" "+ref.String())
			objects = append(objects, ref.String())
		}
	}
	return causes, objects
}
