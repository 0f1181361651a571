// Package finding has what is found, as data, and composes its sentences from the texts in texts/.
//
// This package may change at any time.
package finding

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Finding is one thing that was found: a root cause, something in progress or not clear, or something that comes later.
// It is data: Voice composes its sentences from the situation and its details, and nothing reads a sentence.
type Finding struct {
	Reason Reason // the code of a root cause, or of what check finds; empty for everything else
	// Situation says in which of its ways that is so. It is the key of its sentences in texts/.
	Situation string
	Details   any // the parameters of the situation, of the type that details_*.go gives for the reason

	Object    Ref
	Finalizer string   // where one is involved
	Mixed     bool     // it is found at more objects, and these are of other kinds, or have other finalizers
	Various   bool     // it is found at more objects, and these have other finalizers
	Also      []string // further finalizers of the object that one and the same thing should remove
	Key       string   // what has to be repaired: findings with an equal, non-empty key are one, told once and counted
	Certainty Certainty
	Evidence  []Evidence
	Remedies  []Remedy // safest first
	// Candidates may be the ones to remove the finalizer: whoever does so by force may be working against them.
	Candidates []Ref
	// Signs are what points at the programs that were considered as the controller: the likelier first.
	Signs  []ProgramSigns
	Unseen bool     // an unknown program shows that it is alive, and may be the controller
	Unread []Unread // what would have to be read to tell whose the finalizer is

	Hold  *Hold     // the one that the finding is an answer to; nil where it isn't about one
	Until time.Time // when it should be over, if that is known
	Holds bool      // something that comes later may hold the object in turn
	Ends  *Ref      // what is being deleted, and ends a root cause when it is gone; nil where nothing does
	Doubt *Phrase   // why it is open whether that continues; nil where nothing keeps it open
}

// Controlled is what details implement that are about a program which has to act: its workload, or its
// ServiceAccount; nil where none is known.
type Controlled interface{ Program() *Ref }

// Evidence is one observation and where it was read.
type Evidence struct {
	Source   string     `json:"source"`
	Observed string     `json:"observed"`
	Object   *Ref       `json:"object,omitempty"`
	At       *time.Time `json:"at,omitempty"`
	Log      *LogLine   `json:"log,omitempty"` // of what a program has written to its log; Object is its pod
	Missing  *Ref       `json:"-"`             // what Object refers to, and what doesn't exist
	Quotes   string     `json:"-"`             // the words that it quotes, by which what was heard twice is told once
	Rank     Rank       `json:"-"`             // which of it people see first
}

// Rank says how much an observation adds to what the message about it says.
type Rank int

// The ranks. The default output shows the first few of the first rank, or one of the next if there is none.
const (
	Main     Rank = iota // on it the message rests
	Told                 // the message says as much
	Restated             // the message says the same, and nothing beside it adds to that; for wide output
	Second               // how that was found: whose rights, which names; for wide output
	Aside                // where nothing was found, and where knowledge comes from; for wide output
)

// LogLine says where a line of a log is, and how often it was written.
type LogLine struct {
	Container string `json:"container"`
	Previous  bool   `json:"previous,omitempty"` // before the container was restarted
	Trouble   bool   `json:"trouble,omitempty"`  // it is an error by its level, or reports one
	Times     int    `json:"times"`              // lines that are the same but for numbers and identifiers are one
}

// Observed is one observation, formatted as by fmt.Sprintf, and where it was read.
func Observed(source, format string, arguments ...any) Evidence {
	return Evidence{Source: source, Observed: fmt.Sprintf(format, arguments...)}
}

// Quoting returns evidence that quotes words.
func (e Evidence) Quoting(words string) Evidence {
	e.Quotes = strings.TrimSpace(words)
	return e
}

// Quotes reports whether some evidence quotes words.
func Quotes(evidence []Evidence, words string) bool {
	return slices.ContainsFunc(evidence, func(sign Evidence) bool { return sign.Quotes == strings.TrimSpace(words) })
}

// QuotedOnce leaves out evidence whose words later evidence from the same source quotes as well, which says more of
// them: where they are, and when they were written.
func QuotedOnce(evidence []Evidence) (once []Evidence) {
	for i, sign := range evidence {
		again := func(other Evidence) bool {
			whole := other.Quotes == sign.Quotes || strings.HasSuffix(other.Quotes, ": "+sign.Quotes)
			return whole && other.Source == sign.Source
		}
		if sign.Quotes == "" || !slices.ContainsFunc(evidence[i+1:], again) {
			once = append(once, sign)
		}
	}
	return once
}

// Ranked returns evidence of a rank.
func (e Evidence) Ranked(rank Rank) Evidence {
	e.Rank = rank
	return e
}

// Observed is evidence that the object itself shows.
func (r Ref) Observed(format string, arguments ...any) Evidence {
	return Observed(r.String(), format, arguments...).Of(r)
}

// NotFound is the evidence that an object isn't there.
func (r Ref) NotFound() Evidence { return Observed(r.String(), "not found") }

// Of is the evidence as one about an object.
func (e Evidence) Of(object Ref) Evidence {
	e.Object = &object
	return e
}

// WhichMisses is the evidence as one that its object refers to something that doesn't exist.
func (e Evidence) WhichMisses(missing Ref) Evidence {
	e.Missing = &missing
	return e
}

// When is the evidence with the time at which what it says came about.
func (e Evidence) When(at time.Time) Evidence {
	e.At = &at
	return e
}

// Remedy is one thing to do, the complete command for it, and what it costs.
type Remedy struct {
	// Step says what to do. It is the key of its sentences in texts/; Details are its parameters.
	Step    string `json:"-"`
	Details any    `json:"-"`
	// Taken is what goes with the objects that the step lets go.
	Taken []Taken `json:"-"`

	Action  string  `json:"action"`
	InShort InShort `json:"-"` // the action, as the default output has it
	Command Command `json:"command,omitempty"`
	// More are the same command for objects in other namespaces.
	More []Command `json:"moreCommands,omitempty"`
	// Others is for how many objects the step is besides the first, and Left how many of these no command names.
	Others int   `json:"-"`
	Left   int   `json:"-"`
	uneven bool  // some of the others are of another kind, or have other finalizers
	spread bool  // some of those left are in other namespaces than the commands
	loss   *Loss // of all of them, also of those left; nil for one object

	Risk  Risk   `json:"risk"`
	Loses string `json:"loses,omitempty"`
	// Lost are the parts of Loses. LostToo is the same in short, without what goes with the objects, but for data: where
	// all of that has sentences of its own.
	Lost    []Lost `json:"-"`
	LostToo []Lost `json:"-"`
}

// LetsGo reports whether a step may release what is held: all do, except steps that only look or keep something.
func (r Remedy) LetsGo() bool { return traitOf(r.Step, effectTrait) == "" }

// Equal reports whether two remedies are the same.
func (r Remedy) Equal(other Remedy) bool {
	return r.SameStep(other) && r.Risk == other.Risk && slices.Equal(r.Command, other.Command)
}

// SameStep reports whether two remedies say to do the same, if perhaps by other commands.
func (r Remedy) SameStep(other Remedy) bool {
	return r.Step == other.Step && reflect.DeepEqual(r.Details, other.Details)
}

// LossKey is the same for remedies with the same loss.
func (r Remedy) LossKey() string {
	if details, is := r.Details.(StepDetails); is && details.Loss != nil {
		return details.Loss.Key()
	}
	return Finding{Situation: r.Step, Details: r.Details}.Identity()
}

// Retains names the volumes and contents of snapshots whose data a step keeps, whatever is done after it; nothing for
// other steps.
func (r Remedy) Retains() []string {
	if details, is := r.Details.(StepDetails); is && Is(r.Step, Retains) {
		return slices.Concat(details.Names, details.Contents)
	}
	return nil
}

// Forces reports whether a remedy is this program's removal of finalizers by force.
func (r Remedy) Forces() bool { return r.Command.Asks("remove") }

// LastResort reports whether a step is force, of this program or another.
func (r Remedy) LastResort() bool { return r.Forces() || traitOf(r.Step, resortTrait) != "" }

// KeyOf makes a key of its parts.
func KeyOf(parts ...any) string {
	texts := make([]string, len(parts))
	for i, part := range parts {
		if ref, is := part.(*Ref); is && ref == nil {
			continue
		}
		texts[i] = fmt.Sprint(part)
	}
	return strings.Join(texts, "\x00")
}

// Identity is the same for findings that need telling once: their key, or situation, object and details.
func (f Finding) Identity() string {
	if f.Key != "" {
		return f.Key
	}
	details, err := json.Marshal(f.Details)
	if err != nil {
		details = fmt.Append(nil, f.Details)
	}
	doubt := ""
	if f.Doubt != nil {
		doubt = f.Doubt.Situation
	}
	return strings.Join([]string{f.Situation, f.Object.String(), f.Finalizer, string(details), doubt}, "\x00")
}
