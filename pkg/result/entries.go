package result

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Entry is an object, and its finalizers that a root cause is about.
type Entry struct {
	Object     finding.Ref `json:"object"`
	Finalizers []string    `json:"finalizers"`
}

// FinalizersOf returns the finalizers of an object that a root cause is about.
func (c RootCause) FinalizersOf(object finding.Ref) []string {
	at := slices.IndexFunc(c.Entries, func(entry Entry) bool { return entry.Object.SameAs(object) })
	switch {
	case at >= 0:
		return c.Entries[at].Finalizers
	case c.Finalizer == "":
		return nil
	}
	return append([]string{c.Finalizer}, c.Also...)
}
