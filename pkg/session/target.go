package session

import (
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Target is an object that is asked about.
type Target struct {
	Resource        cluster.Resource
	Namespace, Name string
}

// Same tells whether two targets are one object.
func (t Target) Same(other Target) bool {
	return t.Resource.GroupResource() == other.Resource.GroupResource() && t.Namespace == other.Namespace && t.Name == other.Name
}

// GoneError says that a target vanished while it was being looked at: its deletion is over.
type GoneError struct {
	Ref finding.Ref
	// Recreated says that an object of the same name has taken its place.
	Recreated bool
}

// Error implements error.
func (e *GoneError) Error() string {
	if e.Recreated {
		return fmt.Sprintf("%s was deleted while this command looked at it, and another object of the same name was created; "+
			"ask again about that one", e.Ref)
	}
	return fmt.Sprintf("%s is gone: its deletion finished while this command looked at it", e.Ref)
}
