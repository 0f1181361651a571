// Package refusal tells what refuses the write that would end a hold: webhooks and policies as they are
// configured, the programs behind them, and, where the user wants that, the API server's own word.
package refusal

import (
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Checker tells what refuses a write, by what a session reads.
type Checker struct {
	Session *session.Session
	Health  *health.Checker
	// Prober is nil unless the user wants the needed writes sent as dry runs.
	Prober cluster.Prober

	evaluator *admission.Evaluator
	mu        sync.Mutex
	judged    map[any]func() Refusals
	probes    int // sent so far
}

// NewChecker returns a Checker that reads through a session.
func NewChecker(reads *session.Session, fares *health.Checker) *Checker {
	return &Checker{Session: reads, Health: fares, evaluator: admission.NewEvaluator()}
}
