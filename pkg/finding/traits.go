package finding

// What a step does, or where a situation belongs, is a trait: a value of its own beside the texts, never one that
// people read.
const (
	effectTrait = "effect" // of a step that doesn't release what is held
	resortTrait = "resort" // of a step that is force
	placeTrait  = "place"  // of a remark in an answer, or of a loss
)

// placedLeft is the place of what is left behind, of all that goes with an object.
const placedLeft = "left"

// traitValues are the traits, with the values that each can have.
func traitValues() map[string][]string {
	return map[string][]string{
		effectTrait: {"looks", "keeps"},
		resortTrait: {"last"},
		placeTrait:  {string(PlacedFirst), string(PlacedLater), placedLeft},
	}
}

// traitOf is a trait of a situation or a step, or nothing.
func traitOf(situation, trait string) string { return texts().traits[textKey(situation, trait)] }
