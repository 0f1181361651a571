package result

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Cluster is one of several clusters that were to be asked, and what became of that.
type Cluster struct {
	Name  string       `json:"name"`           // of the context by which it was asked
	Also  []string     `json:"also,omitempty"` // other contexts of the same cluster, by which it was not asked again
	State ClusterState `json:"state"`
	// Namespace is what was asked about; absent for all, and where objects were named.
	Namespace string  `json:"namespace,omitempty"`
	Seconds   float64 `json:"seconds"`         // how long it took
	Error     string  `json:"error,omitempty"` // why there is no answer, or not all of it
}

// ClusterState says whether a cluster answered.
type ClusterState string

// The states. Nothing is known of a cluster that didn't answer.
const (
	Answered   ClusterState = "Answered"
	NotThere   ClusterState = "NotFound"   // it answered that the object, or the namespace, doesn't exist there
	Incomplete ClusterState = "Incomplete" // its time was over, or the program was interrupted, before it was finished
	Unanswered ClusterState = "Failed"
)

// Asked reports whether the cluster gave a complete answer.
func (c Cluster) Asked() bool { return c.State == Answered || c.State == NotThere }

// Asked returns how many of some clusters gave a complete answer.
func Asked(clusters []Cluster) (asked int) {
	for _, cluster := range clusters {
		if cluster.Asked() {
			asked++
		}
	}
	return asked
}

// AllFailed reports whether several clusters were to be asked, and nothing is known of any of them.
func AllFailed(clusters []Cluster) bool {
	knows := func(cluster Cluster) bool { return cluster.State != Unanswered }
	return len(clusters) > 0 && !slices.ContainsFunc(clusters, knows)
}

// SharedCause is the same root cause, or the same finding of check, in one or more of several clusters.
type SharedCause struct {
	Reason    finding.Reason `json:"reason"`
	About     string         `json:"about"` // whatever it is about in all of them: a controller, a finalizer, an object
	Finalizer string         `json:"finalizer,omitempty"`
	Clusters  []string       `json:"clusters"` // in which it was found: the one with most objects first
	// Causes are its indexes among the root causes, or the findings: in the order of the clusters.
	Causes  []int `json:"causes"`
	Objects int   `json:"objects"` // that wait for it, or, for check, that it is about
}
