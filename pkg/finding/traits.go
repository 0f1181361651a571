package finding

import "slices"

// What a step does, or where a situation belongs, is a trait: a value of its own beside the texts, never one that
// people read. Rules ask for traits, and compare no keys.
const (
	effectTrait = "effect" // of a step that doesn't release what is held
	resortTrait = "resort" // of a step that is force
	placeTrait  = "place"  // of a remark in an answer, or of a loss
	phaseTrait  = "phase"  // of what happened, by which things of one second are ordered
	isTrait     = "is"     // several Traits, with blanks between them
)

// placedLeft is the place of what is left behind, of all that goes with an object.
const placedLeft = "left"

// traitValues are the traits, with the values that each can have.
func traitValues() map[string][]string {
	return map[string][]string{
		effectTrait: {"looks", "keeps"},
		resortTrait: {"last"},
		placeTrait:  {string(PlacedFirst), string(PlacedLater), placedLeft},
		phaseTrait:  {"created", "written", string(RequestsDeletion), "changed", "reported"},
		isTrait: Each([]Trait{
			ControllerRuns, OfCatalogue, NothingShows, NotRead, Grants, Binds, FixesReported, Retains, Deletes, LooksFirst,
			RepeatsWrite, AfterDeletion,
			Forgotten, OfStorage, VolumeGoes, VolumeStays, Dependents, Unfollowed, PerhapsUnfollowed,
			ScaledToZero, Unscheduled, HasFailed,
			AllOrNothing, InNamespaces,
			NotThere, TakesDataLater, TakesClaims, ContentUnread,
		}, func(trait Trait) string { return string(trait) }),
	}
}

// traitOf is a trait of a situation or a step, or nothing.
func traitOf(situation, trait string) string { return texts().traits[textKey(situation, trait)] }

// Trait is what rules need to know of a situation or a step.
type Trait string

// The traits of situations about controllers, pods and backends:
const (
	ControllerRuns Trait = "controllerRuns" // as far as is seen
	OfCatalogue    Trait = "ofCatalogue"    // it is known by the catalogue alone
	NothingShows   Trait = "nothingShows"   // nothing that was looked at shows a controller
	NotRead        Trait = "unread"         // something could not be read
	ScaledToZero   Trait = "atZero"
	Unscheduled    Trait = "unscheduled"
	HasFailed      Trait = "failed"  // a pod or a Job has failed, or a pod can't start
	NotThere       Trait = "missing" // what should answer doesn't exist
)

// The traits of what RBAC grants:
const (
	AllOrNothing Trait = "allOrNothing" // all that is needed, or nothing
	InNamespaces Trait = "inNamespaces" // in other namespaces alone
)

// The traits of what goes with an object:
const (
	Forgotten         Trait = "forgotten" // it stays outside the cluster, and nothing in the cluster knows of it
	OfStorage         Trait = "storage"
	VolumeGoes        Trait = "volumeGoes"
	VolumeStays       Trait = "volumeStays"
	Dependents        Trait = "dependents" // the garbage collector deletes it, or may
	Unfollowed        Trait = "unfollowed" // it was not checked for data that goes with it
	PerhapsUnfollowed Trait = "perhapsUnfollowed"
	TakesDataLater    Trait = "takesDataLater" // a namespace does, when its pods are gone
	TakesClaims       Trait = "takesClaims"    // a StatefulSet does, or may
	ContentUnread     Trait = "contentUnread"  // a namespace reports content that could not be read
)

// The traits of steps:
const (
	Grants        Trait = "grants" // a right by a new role or binding, or shows who has it
	Binds         Trait = "binds"  // a role that exists
	FixesReported Trait = "fixesReported"
	Retains       Trait = "retains"       // the data of volumes
	AfterDeletion Trait = "afterDeletion" // it is about a deletion that was requested
	Deletes       Trait = "deletes"       // other objects
	LooksFirst    Trait = "looksFirst"
	RepeatsWrite  Trait = "repeatsWrite" // it sends what a controller should send: what refuses that refuses it, too
)

// Is reports whether a situation or a step has a trait.
func Is(key string, trait Trait) bool {
	return slices.Contains(values(traitOf(key, isTrait)), string(trait))
}

// RequestsDeletion is the phase of a deletion's request.
const RequestsDeletion Phase = "deleted"

// Phase says what kind of thing happened.
type Phase string

// PhaseOf is the phase of a situation, and its place in the order of things that happened in one second.
func PhaseOf(situation string) (phase Phase, order int) {
	phase = Phase(traitOf(situation, phaseTrait))
	return phase, slices.Index(traitValues()[phaseTrait], string(phase))
}

// Case is a case in which another situation or step says what one does.
type Case string

// The cases. The texts name the other one.
const (
	WithoutObject    Case = "withoutObject"    // it is about a kind
	WithoutFinalizer Case = "withoutFinalizer" // it is about an object without one
	OfSeveral        Case = "ofSeveral"        // there is a list of what it names
	ThenFinishes     Case = "thenFinishes"     // a controller finishes its work after the step
	ForWrites        Case = "forWrite"         // it warns of a write
)

// IsCase reports whether a form of texts is a case.
func IsCase(form string) bool { return slices.Contains(cases(), Case(form)) }

func cases() []Case {
	return []Case{WithoutObject, WithoutFinalizer, OfSeveral, ThenFinishes, ForWrites}
}

// In is the situation or step that says the same as another one in a case. There may be none.
func In(key string, in Case) (other string, is bool) {
	other = traitOf(key, string(in))
	return other, other != ""
}
