package report

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// observations writes what is not clear, what is in progress, and what else is to be known now. Their steps follow
// under WHAT TO DO, but in what is said of an object that isn't Terminating.
func (w *writer) observations(d *Diagnosis) {
	for _, verdict := range []Verdict{Undetermined, Progressing, ""} {
		begun := false
		for _, one := range d.Observations {
			if one.Verdict != verdict || !w.shows(d, one) || d.besideCause(one) >= 0 {
				continue
			}
			if verdict == "" && one.place() != finding.PlacedBeside && d.Verdict != NotTerminating {
				continue
			}
			if !begun {
				w.section(d.headingOf(one))
			}
			begun = true
			w.observation(d, one)
		}
	}
}

// later writes what comes when the causes are fixed, with its steps.
func (w *writer) later(d *Diagnosis) {
	later := d.placed(finding.PlacedLater)
	slices.Reverse(later) // what is nearest to the causes comes first
	for i, one := range later {
		if i == 0 {
			w.section("NEXT")
			w.numbered = 0
		}
		w.observation(d, one)
		w.furtherSteps(one.Remedies, RootCause{})
	}
}

func (w *writer) observation(d *Diagnosis, one Observation) {
	most := mostEvidence
	if one.Verdict == "" && d.Verdict != NotTerminating {
		most = ofRemark
	}
	w.rest(one.Message, one.InShort, one.Rest)
	w.evidence(one.Evidence, most)
	if d.Verdict == NotTerminating {
		w.furtherSteps(one.Remedies, RootCause{})
	}
}

// headingOf is under which heading an observation is.
func (d *Diagnosis) headingOf(one Observation) string {
	switch {
	case one.Verdict == Undetermined:
		return "NOT CLEAR"
	case one.Verdict == Progressing:
		return "IN PROGRESS"
	case d.Verdict == NotTerminating:
		return "IN DETAIL"
	}
	return "ALSO"
}

// shows reports whether an observation is written: what the sentence that sums up says alone is not, and what is in
// progress elsewhere only where the target moves, too.
func (w *writer) shows(d *Diagnosis, one Observation) bool {
	if w.style.Wide {
		return true
	}
	nothing := one.Rest != nil && len(*one.Rest)+len(w.shown(one.Evidence, mostEvidence))+len(one.Remedies) == 0
	return !nothing && !d.movesElsewhere(one)
}

func (d *Diagnosis) movesElsewhere(one Observation) bool {
	return one.Verdict == Progressing && d.Verdict != Progressing && one.Object != d.Target
}

// place is where an observation has its place in an answer: that of what is not clear or in progress is fixed.
func (o Observation) place() finding.Place {
	if o.Verdict != "" {
		return finding.PlacedBeside
	}
	return finding.PlaceOf(o.Situation)
}

// placed are the observations of a place, in an answer about something that is Terminating.
func (d *Diagnosis) placed(at finding.Place) []Observation {
	if d.Verdict == NotTerminating {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(d.Observations), func(one Observation) bool { return one.place() != at })
}
