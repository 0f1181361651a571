package zoo

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// User is a user with some rights in the whole cluster.
type User struct {
	Rules []rbacv1.PolicyRule `json:"rules"`
}

// Question is one question about a broken cluster, and its true answer.
type Question struct {
	// Target is what is asked about: TYPE/NAME, in Namespace if it has one.
	Target    string `json:"target,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	// Args are further arguments of why.
	Args []string `json:"args,omitempty"`
	// Budget is how many requests the answer may cost: discovery is free, and so are a few lists of
	// admission configuration (docs/zoo.md).
	Budget int    `json:"budget,omitempty"`
	Want   Answer `json:"want"`
	// Foreseen is what preview must say of the target before anything is deleted.
	Foreseen *Foreseen `json:"foreseen,omitempty"`
	// Before is what is expected on older versions of Kubernetes, that of the earliest first.
	Before []Earlier `json:"before,omitempty"`
}

// Foreseen is what preview must say: its outcome, and text that its answer for people must have, in this order.
type Foreseen struct {
	Outcome string   `json:"outcome,omitempty"`
	Says    []string `json:"says,omitempty"`
}

// Answer is what `why` must say.
type Answer struct {
	// Verdict is the verdict, or several if each is right: Stuck|Undetermined.
	Verdict string `json:"verdict,omitempty"`
	// Gone says that the target is gone: with a verdict, that this will do as well.
	Gone bool `json:"gone,omitempty"`
	// Causes are all the root causes, no more and no fewer.
	Causes []Cause `json:"causes,omitempty"`
	// Unreadable are all resources that could not be looked at.
	Unreadable []string `json:"unreadable,omitempty"`
	// Says is text that the summary must have.
	Says []string `json:"says,omitempty"`
	// Notes are text that one of the observations must hold.
	Notes []string `json:"notes,omitempty"`
	// NotSays is text that may stand nowhere in the answer for people.
	NotSays []string `json:"notSays,omitempty"`
	// Evidence is text that the evidence or the remedies of a cause must have.
	Evidence []string `json:"evidence,omitempty"`
	// NoRemedy is text that no remedy may hold: neither its words nor its command.
	NoRemedy []string `json:"noRemedy,omitempty"`
	// Heals are remedies of the answer, each as the number of a cause and the number of one of its remedies, from 1. When
	// all steps up to the last of them were followed, the target must go. Without any, all steps are followed.
	Heals [][2]int `json:"heals,omitempty"`
	// Then is what a person does whom the steps ask for more than commands, before any step by force.
	Then []Step `json:"then,omitempty"`
}

// Cause is one root cause: a reason, and its object as Kind/name or Kind/namespace/name.
type Cause struct {
	// Reason is a reason code, or several if each is right: ControllerMissing|ControllerUnknown.
	Reason string `json:"reason"`
	// Object is one object, or several with | between them, if each is right.
	Object string `json:"object"`
	// Optional says that the cause may be missing: if the answer may be Progressing or Undetermined, or if one cause
	// may be reported as the consequence of another.
	Optional bool `json:"optional,omitempty"`
	// Count is how many objects share the cause; 0 means 1.
	Count int `json:"count,omitempty"`
	// Path is the way from the target to the object, as Kind/name each.
	Path []string `json:"path,omitempty"`
	// Certainty is compared where it is given.
	Certainty string `json:"certainty,omitempty"`
}

// Check is what `check -A` must say of a scenario, whatever else there is in the cluster.
type Check struct {
	// Finds are findings that must be there.
	Finds []Found `json:"finds,omitempty"`
	// Silent are objects, as Kind/name or Kind/namespace/name, that no finding may be about.
	Silent []string `json:"silent,omitempty"`
}

// Found is a finding of check: a reason and its object, as Cause has it.
type Found struct {
	Reason string `json:"reason"`
	Object string `json:"object"`
	// Certainty is compared where it is given.
	Certainty string `json:"certainty,omitempty"`
	// Says is text that the message must contain.
	Says []string `json:"says,omitempty"`
	// NotSays is text that the message must not contain.
	NotSays []string `json:"notSays,omitempty"`
}

// OneOf reports whether a word is in a list with | between its words.
func OneOf(words, word string) bool { return slices.Contains(strings.Split(words, "|"), word) }

func (q Question) valid() error {
	switch {
	case q.Target == "":
		return errors.New("a scenario needs a target")
	case q.Budget <= 0:
		return fmt.Errorf("%s needs a budget: how many requests the answer may cost", q.Target)
	}
	if err := q.Want.valid(); err != nil {
		return fmt.Errorf("%s %w", q.Target, err)
	}
	for _, earlier := range q.Before {
		if err := earlier.Want.valid(); err != nil {
			return fmt.Errorf("%s before %s %w", q.Target, earlier.Version, err)
		}
	}
	return nil
}

func (a Answer) valid() error {
	known := []string{"NotTerminating", "Progressing", "Stuck", "Undetermined"}
	switch {
	case a.Verdict == "" && !a.Gone:
		return errors.New("needs a verdict, or gone")
	case a.Verdict == "":
		return nil
	}
	for verdict := range strings.SplitSeq(a.Verdict, "|") {
		if !slices.Contains(known, verdict) {
			return fmt.Errorf("has %q, which is no verdict", verdict)
		}
	}
	return nil
}
