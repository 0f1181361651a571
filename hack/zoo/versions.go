package zoo

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/version"
)

// Versions says on which versions of Kubernetes a scenario is played.
type Versions struct {
	// From is the first version on which the scenario can be played, and Until the last one: 1.33.
	From  string `json:"from,omitempty"`
	Until string `json:"until,omitempty"`
	// Sensitive scenarios are played on an older version, too, by every run of the tests. So are scenarios that expect
	// something else there, or that end before the newest version: On says so about them here, too.
	Sensitive bool `json:"sensitive,omitempty"`
}

// Earlier is what is expected on versions before one.
type Earlier struct {
	// Version is the first one on which this is no longer expected: 1.37.
	Version string `json:"version"`
	// Budget is the budget there, if it differs.
	Budget int    `json:"budget,omitempty"`
	Want   Answer `json:"want"`
}

// On returns a scenario as it is expected on a version of Kubernetes: 1.34. It is false where the scenario can't be
// played there.
func (s Scenario) On(kubernetes string) (Scenario, bool) {
	if before(kubernetes, s.From) || before(s.Until, kubernetes) {
		return s, false
	}
	s.Sensitive = s.sensitive()
	s.Question = s.Question.on(kubernetes)
	targets := s.Targets
	s.Targets = nil
	for _, question := range targets {
		s.Targets = append(s.Targets, question.on(kubernetes))
	}
	return s, true
}

// sensitive reports whether an older version makes a difference to a scenario.
func (s Scenario) sensitive() bool {
	sensitive := s.Sensitive || s.Until != ""
	for _, question := range s.Questions() {
		sensitive = sensitive || len(question.Before) > 0
	}
	return sensitive
}

// on returns a question with what is expected on a version: the first of Before that is later than that says it.
func (q Question) on(kubernetes string) Question {
	for _, earlier := range q.Before {
		if before(kubernetes, earlier.Version) {
			q.Want = earlier.Want
			if earlier.Budget != 0 {
				q.Budget = earlier.Budget
			}
			break
		}
	}
	q.Before = nil
	return q
}

// before reports whether one version is earlier than another. An empty one is neither.
func before(text, other string) bool {
	if text == "" || other == "" {
		return false
	}
	return version.MustParseGeneric(text).LessThan(version.MustParseGeneric(other))
}

// validVersions refuses what is no version, and expectations that are out of order.
func (s Scenario) validVersions() error {
	for _, text := range []string{s.From, s.Until} {
		if _, err := version.ParseGeneric(text); text != "" && err != nil {
			return fmt.Errorf("%q is no version of Kubernetes: %w", text, err)
		}
	}
	for _, question := range s.Questions() {
		last := ""
		for _, earlier := range question.Before {
			if _, err := version.ParseGeneric(earlier.Version); err != nil {
				return fmt.Errorf("%s, before: %q is no version of Kubernetes: %w", question.Target, earlier.Version,
					err)
			}
			if before(earlier.Version, last) {
				return fmt.Errorf("%s, before: the earliest version comes first", question.Target)
			}
			last = earlier.Version
		}
	}
	return nil
}
