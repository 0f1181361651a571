package zoo_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// meeting is what the proxy saw of one ask.
type meeting struct {
	mu       sync.Mutex
	hits     int
	problems []string
}

func (m *meeting) count() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hits++
}

func (m *meeting) note(r *http.Request, needed controlplane.Permission, hit bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if hit {
		m.hits++
	}
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !reads && r.URL.Query().Get("dryRun") != "All" {
		m.problems = append(m.problems, fmt.Sprintf("a write was sent: %s %s", r.Method, r.URL.Path))
	}
	if reads && needed.Group == "" && needed.Resource == "secrets" && !strings.Contains(r.Header.Get("Accept"),
		"as=PartialObjectMetadata") {
		m.problems = append(m.problems, "Secrets were read whole: "+r.URL.Path)
	}
}
