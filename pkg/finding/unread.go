package finding

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Unread is something that could not be read: an object, objects of some kinds, or an answer that takes several reads.
type Unread struct {
	// Aspect says what of it was to be read; empty for the object, or the objects, themselves.
	Aspect    Aspect   `json:"aspect,omitempty"`
	Object    *Ref     `json:"object,omitempty"`
	Kinds     []string `json:"kinds,omitempty"`
	Namespace string   `json:"namespace,omitempty"` // of the kinds; AllNamespaces for all
	Name      string   `json:"name,omitempty"`
	Why       Failure  `json:"why,omitempty"`
}

// UnreadObject is an object that could not be read.
func UnreadObject(ref Ref) Unread { return Unread{Object: &ref} }

// AllNamespaces says that objects were to be read in all namespaces.
const AllNamespaces = "*"

// Aspect is what was to be read.
type Aspect string

// The aspects.
const (
	Rights       Aspect = "Rights"       // what RBAC allows
	Discovery    Aspect = "Discovery"    // what the server serves
	APIGroups    Aspect = "APIGroups"    // which groups are served
	Refusals     Aspect = "Refusals"     // what may refuse the removal of a finalizer
	DefinitionOf Aspect = "DefinitionOf" // a resource
	OriginOf     Aspect = "OriginOf"     // an object: what it was made of
	EventsAbout  Aspect = "EventsAbout"  // an object
	LeaseOf      Aspect = "LeaseOf"      // a component of the control plane
	FailedGroups Aspect = "FailedGroups" // the APIServices whose discovery fails
	OtherOwner   Aspect = "OtherOwner"   // an object: another owner of what blocks the held object
	PhaseShown   Aspect = "PhaseShown"   // the phase of an object
	// DriverEvents are EventsAbout an object by which its storage driver would show that it runs.
	DriverEvents Aspect = "DriverEvents"
)

// Failure is why something could not be read.
type Failure string

// The failures.
const (
	Forbidden   Failure = "Forbidden"
	Interrupted Failure = "Interrupted"
	Failed      Failure = "Failed"
)

// Because adds why something could not be read.
func (u Unread) Because(err error) Unread {
	switch {
	case apierrors.IsForbidden(err):
		u.Why = Forbidden
	case errors.Is(err, context.Canceled):
		u.Why = Interrupted
	default:
		u.Why = Failed
	}
	return u
}

// FailedRead is why something could not be looked at where only the error itself tells more.
const FailedRead = "failed"

// ForbiddenRead is why something could not be looked at where the user is not allowed to, and NotRecordedRead where it
// is not in the files that were given.
const (
	ForbiddenRead   = "forbidden"
	NotRecordedRead = "not recorded"
)

// Unreadable is something that could not be looked at. Nothing is concluded from its absence.
type Unreadable struct {
	Resource  string `json:"resource"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Error     string `json:"error"`
	Why       string `json:"why"` // the error in a few words: forbidden, timed out, answered with HTML
	// Cluster is where it is, if several clusters were asked.
	Cluster string `json:"cluster,omitempty"`
	// Ask is a command that says what to do about it, where something else than the asking has to be repaired.
	Ask    Command `json:"ask,omitempty"`
	Stored bool    `json:"-"` // because of what is in storage
}

// Explaining is what details implement that may be the reason why something could not be looked at.
type Explaining interface{ Explains(failed Unreadable) bool }

// manyKinds counts kinds that are too many to be named in a sentence. It is empty where they are few. A star stands for
// kinds that nothing shows.
func manyKinds(few int, kinds []string) string {
	switch {
	case len(kinds) <= few:
		return ""
	case slices.Contains(kinds, "*"):
		return "most kinds"
	}
	return fmt.Sprintf("%d kinds", len(kinds))
}
