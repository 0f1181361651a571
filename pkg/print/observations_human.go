package print

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// observations writes what is not clear, what is in progress, and what else is to be known now. Their steps follow
// under WHAT TO DO, but in what is said of an object that isn't Terminating.
func (t *diagnosisText) observations(d *result.Diagnosis) {
	for _, verdict := range []result.Verdict{result.Undetermined, result.Progressing, ""} {
		begun := false
		for _, observation := range d.Observations {
			if observation.Verdict != verdict || !t.shows(d, observation) || besideCause(d, observation) >= 0 {
				continue
			}
			if verdict == "" && placeOf(observation) != finding.PlacedBeside && d.Verdict != result.NotTerminating {
				continue
			}
			if !begun {
				t.w.section(headingOf(d, observation))
			}
			begun = true
			t.observation(d, observation)
		}
	}
}

// later writes what comes when the causes are fixed, with its steps.
func (t *diagnosisText) later(d *result.Diagnosis) {
	later := observationsAt(d, finding.PlacedLater)
	slices.Reverse(later) // what is nearest to the causes comes first
	for i, observation := range later {
		if i == 0 {
			t.w.section("NEXT")
			t.advice.numbered = 0
		}
		t.observation(d, observation)
		t.advice.furtherSteps(observation.Remedies, result.RootCause{})
	}
}

func (t *diagnosisText) observation(d *result.Diagnosis, observation result.Observation) {
	most := mostEvidence
	if observation.Verdict == "" && d.Verdict != result.NotTerminating {
		most = ofRemark
	}
	t.said.rest(observation.Message, observation.InShort, observation.Rest)
	t.said.evidence(observation.Evidence, most)
	t.said.signs(observation.Signs)
	if d.Verdict == result.NotTerminating {
		t.advice.furtherSteps(observation.Remedies, result.RootCause{})
	}
}

// headingOf is under which heading an observation is.
func headingOf(d *result.Diagnosis, observation result.Observation) string {
	switch {
	case observation.Verdict == result.Undetermined:
		return "NOT CLEAR"
	case observation.Verdict == result.Progressing:
		return "IN PROGRESS"
	case d.Verdict == result.NotTerminating:
		return "IN DETAIL"
	}
	return "ALSO"
}

// shows reports whether an observation is written: what the sentence that sums up says alone is not, and what is in
// progress elsewhere only where the target moves, too.
func (t *diagnosisText) shows(d *result.Diagnosis, one result.Observation) bool {
	if t.w.style.Wide {
		return true
	}
	nothing := one.Rest != nil && len(*one.Rest)+len(t.said.shown(one.Evidence, mostEvidence))+len(one.Remedies) == 0
	return !nothing && !movesElsewhere(d, one)
}

func movesElsewhere(d *result.Diagnosis, observation result.Observation) bool {
	return observation.Verdict == result.Progressing && d.Verdict != result.Progressing && observation.Object != d.Target
}

// placeOf is where an observation has its place in an answer: that of what is not clear or in progress is fixed.
func placeOf(o result.Observation) finding.Place {
	if o.Verdict != "" {
		return finding.PlacedBeside
	}
	return finding.PlaceOf(o.Situation)
}

// observationsAt are the observations of a place, in an answer about something that is Terminating.
func observationsAt(d *result.Diagnosis, at finding.Place) []result.Observation {
	if d.Verdict == result.NotTerminating {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(d.Observations), func(one result.Observation) bool { return placeOf(one) != at })
}
