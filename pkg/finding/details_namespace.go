package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// ContentDetails are those of what is left in a namespace that is being deleted.
type ContentDetails struct {
	Namespace  Ref       `json:"namespace,omitzero"`
	Condition  string    `json:"condition,omitempty"`  // the type of a condition of the namespace
	Words      string    `json:"words,omitempty"`      // what that says
	Resource   string    `json:"resource,omitempty"`   // of objects of one kind
	Names      []string  `json:"names,omitempty"`      // of those objects
	Found      int       `json:"found,omitempty"`      // how many objects come later
	Finalizers []Counted `json:"finalizers,omitempty"` // what may hold them then
	// Unserved are kinds that the conditions name and that the server doesn't serve any more.
	Unserved []string `json:"unserved,omitempty"`
	Deep     bool     `json:"deep,omitempty"` // everything in the namespace was looked at
}

// ContentUnreadDetails are those of content that could not be read: what the namespace's own conditions tell.
type ContentUnreadDetails struct {
	Unread
	Remaining  []KindCounted     `json:"remaining,omitempty"`  // of what could not be read
	Finalizers []FinalizerOnMany `json:"finalizers,omitempty"` // of all that is left
}

// Left names the kinds, with how many objects are left.
func (d ContentUnreadDetails) Left() []string {
	return Each(d.Remaining, KindCounted.String)
}

// Held names the finalizers.
func (d ContentUnreadDetails) Held() []string {
	return Each(d.Finalizers, func(many FinalizerOnMany) string { return many.Name })
}

// KindCounted is how many objects there are of a kind.
type KindCounted struct {
	Resource string `json:"resource"`
	Kind     string `json:"kind"`
	Count    int    `json:"count"`
}

// FinalizerOnMany is how many objects have a finalizer, and who removes it, by the catalogue.
type FinalizerOnMany struct {
	Counted
	RemovedBy string `json:"removedBy,omitempty"`
}

// Held names the finalizers, with how many objects have them.
func (d ContentDetails) Held() []string {
	return Each(d.Finalizers, func(counted Counted) string {
		return fmt.Sprintf("%s (%s)", counted.Name, Plural(counted.Count, "object"))
	})
}

// Counted is how many objects have something of a name.
type Counted struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// GroupVersionDetails are those of an API group version that can't be discovered, and of APIServiceUnavailable.
type GroupVersionDetails struct {
	Version string     `json:"version"`
	Words   string     `json:"words,omitempty"` // why discovery, or a request, fails
	Since   *time.Time `json:"since,omitempty"` // when its APIService was available again
	// Available, Reason and Said are the APIService's condition: its status, reason and message.
	Available string  `json:"available,omitempty"`
	Reason    string  `json:"reason,omitempty"`
	Said      string  `json:"said,omitempty"`
	Backend   *Phrase `json:"backend,omitempty"`  // how what serves it fares, if that is why
	Inside    bool    `json:"inside,omitempty"`   // the backend is part of the namespace that is being deleted
	Together  int     `json:"together,omitempty"` // the failing APIServices of one backend, where there are several
	// Dependent names Unresolved, an object of the version, as an owner.
	Dependent  *Ref `json:"dependent,omitempty"`
	Unresolved *Ref `json:"unresolved,omitempty"`
	// Resources are those of the version whose requests fail, although it can be discovered.
	Resources []string `json:"resources,omitempty"`
}

// Explains reports whether objects of the version could not be looked at because it can't be discovered, or because
// their requests fail.
func (d GroupVersionDetails) Explains(failed Unreadable) bool {
	return failed.Resource == "*."+d.Version || slices.Contains(d.Resources, failed.Resource)
}

// InstancesDetails are those of the instances of a definition that is being deleted.
type InstancesDetails struct {
	Resource  string `json:"resource"`
	Instances int    `json:"instances,omitempty"` // that are left
}

// NamespaceControllerDetails are those of a namespace controller without its rights.
type NamespaceControllerDetails struct {
	User  string `json:"user"`
	Words string `json:"words"` // what it may not do, as the API server has it
}

// String counts the objects by their kind, or, where only the name of the resource is known, by that.
func (k KindCounted) String() string {
	if k.Kind == strings.ToLower(k.Kind) {
		return Plural(k.Count, "object") + " of " + cmp.Or(k.Resource, k.Kind)
	}
	return Plural(k.Count, k.Kind)
}
