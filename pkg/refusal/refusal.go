// Package refusal tells what refuses the write that would end a hold: webhooks and policies as they are
// configured, the programs behind them, and, where the user wants that, the API server's own word.
package refusal

import (
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// World is the world to one who asks what refuses a write.
type Checker struct {
	session *session.Session
	// Prober is nil unless the user wants the needed writes sent as dry runs.
	Prober cluster.Prober

	evaluator *admission.Evaluator
	Mu        sync.Mutex
	Rules     func() *session.AdmissionRules
	judged    map[any]func() Refusals
	probes    int // sent so far
}

// NewWorld returns the world of one diagnosis, on top of what is seen of it.
func NewWorld(seen *session.Session) *Checker {
	return &Checker{session: seen, evaluator: admission.NewEvaluator()}
}
