// Package health tells whether something runs: nodes, pods, workloads, what answers behind a Service, Leases,
// and the parts of the control plane.
package health

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Checker tells how the programs of one cluster fare, by what a session reads.
type Checker struct {
	Session *session.Session
}

// NewChecker returns a Checker that reads through a session.
func NewChecker(reads *session.Session) *Checker { return &Checker{Session: reads} }

// Told is a phrase in words, for observations. It is empty for none.
func (c *Checker) Told(phrase finding.Phrase) string {
	if phrase.Situation == "" {
		return ""
	}
	return finding.Voice{Now: c.Session.Now()}.Phrase(phrase)
}
