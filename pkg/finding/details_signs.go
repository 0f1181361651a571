package finding

import "slices"

// ProgramSigns are what points at a program as a finalizer's controller, and the objections to it.
type ProgramSigns struct {
	Program Ref    `json:"program"`
	Chosen  bool   `json:"chosen,omitempty"` // the answer takes it for the controller
	State   Phrase `json:"state"`            // how it fares; it completes "Deployment x …"
	Fares   string `json:"fares"`            // the same in words
	Score   int    `json:"score"`            // the sum of the weights of its signs
	Signs   []Sign `json:"signs,omitempty"`
}

// Sign is a fact that was read about a program. Its phrase completes "it …".
type Sign struct {
	Phrase
	Weight  int    `json:"weight"` // negative, if it is an objection to the program
	Message string `json:"message"`
}

// SaySigns returns what points at programs, with words for it.
func SaySigns(v Voice, programs []ProgramSigns) []ProgramSigns {
	programs = slices.Clone(programs)
	for i := range programs {
		signs := &programs[i]
		signs.Fares, signs.Signs = v.Phrase(signs.State), slices.Clone(signs.Signs)
		for j := range signs.Signs {
			signs.Signs[j].Message = v.Phrase(signs.Signs[j].Phrase)
		}
	}
	return programs
}
