package zoo_test

import (
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// place is where a fault is: which requests meet it.
type place struct {
	name   string
	meets  func(r *http.Request, needed controlplane.Permission, about bool) bool
	spares bool // what it says nothing of may not matter to who asks
	// prepares changes a request that doesn't meet it.
	prepares func(r *http.Request)
}

func places() []place {
	verb := func(verb string) func(*http.Request, controlplane.Permission, bool) bool {
		return func(_ *http.Request, needed controlplane.Permission, about bool) bool {
			return about && needed.Verb == verb
		}
	}
	return []place{
		{name: "all lists", meets: verb("list")},
		{name: "all reads of one object", meets: verb("get")},
		{name: "discovery", meets: func(_ *http.Request, _ controlplane.Permission, about bool) bool { return !about }},
		{
			name: "the discovery of groups",
			meets: func(r *http.Request, _ controlplane.Permission, about bool) bool {
				return !about && strings.HasPrefix(r.URL.Path, "/apis/") && strings.Count(r.URL.Path, "/") == 3
			},
			spares: true, prepares: plainDiscovery,
		},
		{name: "dry runs", meets: func(r *http.Request, _ controlplane.Permission, about bool) bool {
			return about && r.URL.Query().Get("dryRun") != ""
		}},
	}
}

// plainDiscovery has the API server answer as those before aggregated discovery: a request for each group version.
func plainDiscovery(r *http.Request) {
	if r.URL.Path == "/api" || r.URL.Path == "/apis" {
		r.Header.Set("Accept", "application/json")
	}
}

// single are places of one permission each, in the larger matrix.
func single(used *sync.Map) (all []place) {
	if os.Getenv(allFaults) == "" {
		return nil
	}
	for key := range used.Range {
		permission := key.(controlplane.Permission)
		all = append(all, place{
			name: permission.String(),
			meets: func(_ *http.Request, needed controlplane.Permission, about bool) bool {
				return about && needed == permission
			},
		})
	}
	return all
}
