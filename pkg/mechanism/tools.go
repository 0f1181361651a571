package mechanism

import (
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// World is the world to mechanisms: what is seen of the cluster during one diagnosis, what refuses
// writes in it, and whose the finalizers are.
type Tools struct {
	finder *attribution.Finder

	mu sync.Mutex
	// everywhere are objects by resource and uid, of kinds that were looked through for an owner.
	everywhere map[string]map[string]*session.Object
}

// NewWorld returns the world of one diagnosis.
func NewWorld(reader cluster.Reader, known *plugins.Set, kubectl session.Kubectl) *Tools {
	return &Tools{finder: attribution.NewWorld(refusal.NewWorld(session.NewWorld(reader, known, kubectl)))}
}
