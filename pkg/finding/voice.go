package finding

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Voice composes sentences from findings: at a time, and about an object that the reader has just read about.
type Voice struct {
	Now time.Time // the time by the cluster's clock, from which ages count
	// Subject is what the sentence is about, which is "it" in clauses. It may be empty.
	Subject Ref
	// Program is how sentences call this program.
	Program Program
	// Foresees says that no object in the sentences is deleted yet.
	Foresees bool
	// Live says that the objects in the sentences are not being deleted.
	Live bool
	// Undated says that the time from which ages count is not known, but only that it was not before Now.
	Undated bool
	// Several says that the steps are about several finalizers of one controller.
	Several bool

	// Blocked says that root causes block the same deletion, so that the sentence tells no one to wait.
	Blocked bool

	brief, sums bool // it says it in short; it says the sentence that sums up
	marks       bool // it leaves quotations marked
}

// Message is the sentence about a finding that is alone.
func (v Voice) Message(f Finding) string {
	v.Subject = Ref{}
	message := v.say(f.Situation, "message", f, 1)
	if f.Doubt != nil {
		message += " " + upperFirst(v.Phrase(*f.Doubt)) + "."
	}
	return message
}

// Awaits is the clause that completes "X waits for …".
func (v Voice) Awaits(f Finding) string {
	if f.Doubt != nil {
		doubt := *f.Doubt
		f.Doubt = nil
		return v.Awaits(f) + "; " + v.Phrase(doubt)
	}
	return v.say(f.Situation, "awaits", f, 1)
}

// AwaitsAll is Awaits for several findings of one key.
func (v Voice) AwaitsAll(f Finding, count int) string {
	switch {
	case count < 2:
		return v.Awaits(f)
	case hasText(f.Situation, "several"):
		return v.say(f.Situation, "several", f, count)
	}
	return v.say(f.Situation, "awaits", f, count)
}

// Foretold is the sentence about what will become of a live object when it is deleted.
func (v Voice) Foretold(f Finding) string {
	if hasText(f.Situation, "foretold") {
		return v.say(f.Situation, "foretold", f, 1)
	}
	return v.Message(f)
}

// GetsStuck says that a live object will get stuck when it is deleted, on one of its finalizers, for this cause that
// is there already. It doesn't name the finalizer where the cause is about the object itself, and has words for that.
func (f Finding) GetsStuck(v Voice, object Ref, finalizer string) string {
	if hasText(f.Situation, "foretold") {
		finalizer = ""
	}
	v.Subject = Ref{}
	stuck := Finding{Situation: "WillGetStuck", Object: object, Finalizer: finalizer, Certainty: f.Certainty}
	stuck.Details = ForetoldDetails{Cause: v.Foretold(f)}
	return v.say(stuck.Situation, "phrase", stuck, 1)
}

// Place is where in an answer something is said that is neither unclear nor in progress.
type Place string

// The places.
const (
	PlacedBeside Place = ""      // it is to be known beside the causes
	PlacedFirst  Place = "first" // it is to be known before anything is done
	PlacedLater  Place = "later" // it comes when the causes are fixed
)

// PlaceOf is the place of a situation in an answer.
func PlaceOf(situation string) Place { return Place(traitOf(situation, placeTrait)) }

// ForetoldDetails is what holds a live object once it is deleted, as a sentence.
type ForetoldDetails struct{ Cause string }

// Remedies returns remedies with what they say.
func (v Voice) Remedies(remedies []Remedy) []Remedy {
	told := slices.Clone(remedies)
	for i, remedy := range told {
		told[i].Action = v.Action(remedy)
		told[i].InShort = v.InShort(func(v Voice) string { return v.Action(remedy) })
		told[i].Lost = losesOf(v, remedy)
		told[i].Loses = JoinLost(told[i].Lost)
		remedy.Taken = slices.DeleteFunc(slices.Clone(remedy.Taken), Taken.follows)
		short := v
		short.brief = true
		told[i].LostToo = losesOf(short, remedy)
	}
	return told
}

// Action says what a remedy is.
func (v Voice) Action(remedy Remedy) string {
	of := Finding{Details: remedy.Details}
	action := v.say(remedy.Step, "action", of, 1+remedy.Others)
	counted := remedy.Others > 0 && action != v.say(remedy.Step, "action", of, 1) // by its own sentence
	if remedy.Others > 0 && (!counted || remedy.Left > 0) {
		several := SeveralDetails{len(remedy.More) > 0, remedy.Others, remedy.Left, remedy.Others - remedy.Left}
		action += " " + v.Phrase(Phrase{Situation: "ForSeveral", Details: several})
	}
	return action
}

// Phrase is a part of a sentence that another part of the program tells: how a workload fares, for instance.
type Phrase struct {
	Situation string `json:"situation"`
	Details   any    `json:"details,omitempty"`
}

func (v Voice) say(situation, form string, f Finding, count int) string {
	text := texts().Lookup(textKey(situation, form))
	if text == nil {
		return fmt.Sprintf("%s of %s has no words for this (%s)", situation, f.Object, form) // TestTexts finds it
	}
	parts := sentence{
		Voice: v, Object: f.Object, Finalizer: f.Finalizer, Also: f.Also, Mixed: f.Mixed && count > 1,
		Various: f.Various && count > 1, Certainty: f.Certainty, Count: count, Details: f.Details,
	}
	if parts.Details == nil {
		parts.Details = struct{}{}
	}
	var out strings.Builder
	if err := text.Execute(&out, parts); err != nil {
		return fmt.Sprintf("%s of %s: %v", situation, f.Object, err)
	}
	return unmarked(out.String(), v)
}

// Name is an object in a clause: it, or its kind and name.
func (v Voice) Name(ref Ref) string {
	if v.Subject != (Ref{}) && ref.SameAs(v.Subject) {
		return "it"
	}
	return ref.String()
}

// Ago is how long ago a time was: 3h12m; as far as the time from which ages count is known.
func (v Voice) Ago(t time.Time) string {
	switch ago := Ago(v.Now, t); {
	case !v.Undated || t.IsZero():
		return ago
	case v.Now.Sub(t) < time.Second:
		return "an unknown time"
	default:
		return "at least " + ago
	}
}

// AtLeast completes a clause with how long ago something was that may have been earlier: " at least 3h12m ago". It
// is empty of less than a minute, which says nothing.
func (v Voice) AtLeast(t time.Time) string {
	if v.Now.Sub(t) < time.Minute {
		return ""
	}
	return " at least " + Ago(v.Now, t) + " ago"
}

// About is the voice that has just named an object.
func (v Voice) About(ref Ref) Voice {
	v.Subject = ref
	return v
}

// Phrase composes a phrase.
func (v Voice) Phrase(p Phrase) string {
	return v.say(p.Situation, "phrase", Finding{Details: p.Details}, 1)
}
