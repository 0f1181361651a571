package health

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Checker says how the programs of one cluster fare, by what a session reads.
type Checker struct {
	Session      *session.Session
	ControlPlane *ControlPlane

	told     cluster.Memo[string, []*corev1.Event] // the events that were read about an object, by the selector of these
	backends cluster.Memo[Service, Backend]
}

// NewChecker returns a Checker that reads through a session.
func NewChecker(reads *session.Session) *Checker {
	c := &Checker{Session: reads}
	c.ControlPlane = &ControlPlane{session: reads, events: c.Events}
	return c
}

// Words is a phrase in words, for observations. It is empty for none.
func (c *Checker) Words(phrase finding.Phrase) string {
	if phrase.Situation == "" {
		return ""
	}
	return finding.Voice{Now: c.Session.AsOf()}.Phrase(phrase)
}
