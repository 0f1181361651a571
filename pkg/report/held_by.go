package report

import (
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// HeldBy says which objects of a recording have a finalizer.
type HeldBy struct {
	Count int `json:"count"`
	// Objects are the first of them.
	Objects []graph.Ref `json:"objects,omitempty"`
	// Incomplete says that the recording doesn't hold everything: there may be more.
	Incomplete bool `json:"incomplete,omitempty"`
}

// recorded tells what holds the finalizer.
func (w *writer) recorded(held *HeldBy) {
	if held == nil {
		return
	}
	text := fmt.Sprintf("%d objects of the recording have it", held.Count)
	switch held.Count {
	case 0:
		text = "no object of the recording has it"
	case 1:
		text = "one object of the recording has it"
	}
	for i, ref := range held.Objects {
		text += map[bool]string{true: ": ", false: ", "}[i == 0] + ref.String()
	}
	if more := held.Count - len(held.Objects); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if held.Incomplete {
		text += "; not all of the cluster is in it"
	}
	w.line()
	w.fact("HELD BY", text)
}
