package print

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Fact is something that is known of a finalizer: what about, in capital letters, and the paragraphs that say it.
type Fact struct {
	Label string
	Texts []string
}

// Facts returns what is known of a finalizer, in the words and the order of explain -o wide.
func Facts(known result.Known) (facts []Fact) {
	wide := &explanationText{renderer{w: &writer{style: Style{Wide: true}}}}
	for _, said := range wide.factsOf(known) {
		facts = append(facts, Fact{Label: said.label, Texts: said.texts})
	}
	return facts
}
