package finding

import (
	"slices"
	"strings"
)

// Taken is something that goes with an object once nothing holds that any more: a claim takes its volume along.
type Taken struct {
	Object Ref `json:"object"` // that goes
	// Situation says in one word what goes with it, with the parameters in Details. What is unread may go.
	Situation string       `json:"situation"`
	Details   TakenDetails `json:"details"`
	Risk      Risk         `json:"risk"`
	Message   string       `json:"message"`
}

// TakenDetails are the parameters of what goes with an object.
type TakenDetails struct {
	Volume  *Ref     `json:"volume,omitempty"`
	Policy  string   `json:"policy,omitempty"`  // for reclaiming the volume, or a StatefulSet's claims
	Content *Ref     `json:"content,omitempty"` // of a snapshot
	Driver  string   `json:"driver,omitempty"`  // that made the volume, or has its storage
	Storage []Named  `json:"storage,omitempty"` // what the volume names of where its data are
	Names   []string `json:"names,omitempty"`   // of all that goes
	Count   int      `json:"count,omitempty"`
	Held    []string `json:"held,omitempty"` // of these, what finalizers keep for now
	// May says that it goes under a condition only: dependents that have another owner stay, and so does what nothing
	// is known to delete.
	May bool `json:"may,omitempty"`
	// Reason is why its driver doesn't delete a volume's storage now, and By the driver's workload.
	Reason Reason  `json:"reason,omitempty"`
	By     *Ref    `json:"by,omitempty"`
	Unread *Unread `json:"unread,omitempty"` // what could not be read that would tell
}

// Worse returns the worse of two risks.
func (r Risk) Worse(other Risk) Risk {
	order := []Risk{NoRisk, Disruption, Orphans, DataLoss}
	if slices.Index(order, other) > slices.Index(order, r) {
		return other
	}
	return r
}

// WorstOf is the worst that can come of what goes with some objects.
func WorstOf(taken []Taken) (worst Risk) {
	for _, one := range taken {
		worst = worst.Worse(one.Risk)
	}
	return worst
}

// Loses reports whether data are lost for good, among what goes, and otherwise whether they may be.
func Loses(taken []Taken) (surely, perhaps bool) {
	for _, one := range taken {
		if one.Risk == DataLoss {
			doubtful := one.Details.May || one.Details.Unread != nil
			surely, perhaps = surely || !doubtful, true
		}
	}
	return surely, perhaps
}

// follows reports whether something goes with an object as everything does that depends on it: no data of its own.
func (t Taken) follows() bool {
	return t.Risk != DataLoss || t.Depends()
}

// Depends reports whether it is what the garbage collector deletes after an object, or may delete.
func (t Taken) Depends() bool { return Is(t.Situation, Dependents) }

// Unfollowed reports whether it says that some dependents were not checked for data that goes with them.
func (t Taken) Unfollowed() bool {
	return Is(t.Situation, Unfollowed) || Is(t.Situation, PerhapsUnfollowed) && t.Risk == DataLoss
}

// TakenBy are the ones that say what is left behind, or the others, which say what is deleted, too.
func TakenBy(all []Taken, leaves bool) (part []Taken) {
	for _, taken := range all {
		if left := traitOf(taken.Situation, placeTrait) == placedLeft; left == leaves {
			part = append(part, taken)
		}
	}
	return part
}

// Key is the same where the same is told.
func (t Taken) Key() string {
	return Finding{Situation: t.Situation, Object: t.Object, Details: t.Details}.Identity()
}

// TellTaken returns what goes with some objects with its sentences, each once, the worst first.
func TellTaken(v Voice, all []Taken) (told []Taken) {
	known := map[string]bool{}
	for _, taken := range all {
		if !known[taken.Key()] {
			taken.Message = v.Message(Finding{Situation: taken.Situation, Object: taken.Object, Details: taken.Details})
			told = append(told, taken)
		}
		known[taken.Key()] = true
	}
	slices.SortStableFunc(told, func(a, b Taken) int {
		switch {
		case a.Risk == b.Risk: // scans find things in any order
			return Compare(a.Object, b.Object)
		case a.Risk.Worse(b.Risk) == a.Risk:
			return -1
		}
		return 1
	})
	return told
}

// Volume names the volume whose data go with something, and which the policy Retain keeps; nothing where there is none.
func (t Taken) Volume() string {
	switch {
	case t.Risk != DataLoss:
		return ""
	case t.Details.Volume != nil:
		return t.Details.Volume.Name
	case t.Object.Kind == "PersistentVolume" && !t.Depends():
		return t.Object.Name
	}
	return ""
}

// Content is the content of a snapshot whose data go with something, and which the policy Retain keeps; nil for none.
func (t Taken) Content() *Ref {
	if t.Risk != DataLoss {
		return nil
	}
	return t.Details.Content
}

// Kept names the volume, or the content of a snapshot, whose data the policy Retain keeps; nothing for other losses.
func (t Taken) Kept() string {
	if content := t.Content(); content != nil {
		return content.String()
	}
	return t.Volume()
}

// Lost is a part of what a step loses.
type Lost struct {
	Text string
	// Kept names the volumes and contents of snapshots whose data it is; nothing is lost if their policy is Retain by
	// then.
	Kept []string
}

// JoinLost is all that a step loses, as one clause.
func JoinLost(parts []Lost) string {
	return strings.Join(Each(parts, func(part Lost) string { return part.Text }), "; ")
}

// LosesOf is what a step loses, and what goes with the objects that it lets go, as one clause.
func LosesOf(v Voice, own string, taken []Taken) string { return JoinLost(lost(v, own, taken)) }

// lost is what a step loses: data that go with objects first, then its own loss, then what merely follows.
func lost(v Voice, own string, taken []Taken) (parts []Lost) {
	bySituation := map[string][]Taken{}
	var order []string
	for _, one := range TellTaken(v, taken) {
		if one.Risk == NoRisk {
			continue
		}
		if bySituation[one.Situation] == nil {
			order = append(order, one.Situation)
		}
		bySituation[one.Situation] = append(bySituation[one.Situation], one)
	}
	add := func(follows bool) {
		for _, situation := range order {
			if alike := bySituation[situation]; alike[0].follows() == follows {
				parts = append(parts, lostWith(v, alike))
			}
		}
	}
	add(false)
	if own != "" {
		parts = append(parts, Lost{Text: own})
	}
	add(true)
	return parts
}

// lostWith is what is lost with several objects in the same way.
func lostWith(v Voice, alike []Taken) Lost {
	first := alike[0]
	finding := Finding{Situation: first.Situation, Object: first.Object, Details: first.Details}
	lost, form := Lost{}, "phrase"
	details := first.Details
	details.Names, details.Count = nil, 0
	for _, taken := range alike {
		details.Count += max(1, taken.Details.Count)
		name := taken.Object.Path()
		if volume := taken.Details.Volume; volume != nil {
			name = volume.Name
		}
		details.Names = append(details.Names, name)
		if kept := taken.Kept(); kept != "" {
			lost.Kept = append(lost.Kept, kept)
		}
	}
	if len(alike) > 1 {
		form, finding.Details = "several", details
	}
	lost.Text = v.say(first.Situation, form, finding, len(alike))
	return lost
}

// losesOf is what a remedy loses, and what goes with the objects that it lets go.
func losesOf(v Voice, remedy Remedy) []Lost {
	own := ""
	if hasText(remedy.Step, "loses") {
		own = v.say(remedy.Step, "loses", Finding{Details: remedy.Details}, 1)
	}
	return lost(v, own, remedy.Taken)
}
