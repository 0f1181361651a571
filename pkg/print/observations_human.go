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
		for _, one := range d.Observations {
			if one.Verdict != verdict || !t.shows(d, one) || besideCause(d, one) >= 0 {
				continue
			}
			if verdict == "" && placeOf(one) != finding.PlacedBeside && d.Verdict != result.NotTerminating {
				continue
			}
			if !begun {
				t.w.section(headingOf(d, one))
			}
			begun = true
			t.observation(d, one)
		}
	}
}

// later writes what comes when the causes are fixed, with its steps.
func (t *diagnosisText) later(d *result.Diagnosis) {
	later := observationsAt(d, finding.PlacedLater)
	slices.Reverse(later) // what is nearest to the causes comes first
	for i, one := range later {
		if i == 0 {
			t.w.section("NEXT")
			t.advice.numbered = 0
		}
		t.observation(d, one)
		t.advice.furtherSteps(one.Remedies, result.RootCause{})
	}
}

func (t *diagnosisText) observation(d *result.Diagnosis, one result.Observation) {
	most := mostEvidence
	if one.Verdict == "" && d.Verdict != result.NotTerminating {
		most = ofRemark
	}
	t.said.rest(one.Message, one.InShort, one.Rest)
	t.said.evidence(one.Evidence, most)
	if d.Verdict == result.NotTerminating {
		t.advice.furtherSteps(one.Remedies, result.RootCause{})
	}
}

// headingOf is under which heading an observation is.
func headingOf(d *result.Diagnosis, one result.Observation) string {
	switch {
	case one.Verdict == result.Undetermined:
		return "NOT CLEAR"
	case one.Verdict == result.Progressing:
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

func movesElsewhere(d *result.Diagnosis, one result.Observation) bool {
	return one.Verdict == result.Progressing && d.Verdict != result.Progressing && one.Object != d.Target
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
