package finding

import (
	"cmp"
	"fmt"
	"strings"
)

// Ref names one Kubernetes object. Its JSON form is that of the result (docs/json.md).
type Ref struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
	UID        string `json:"uid,omitempty"`
	// Cluster is where the object is, if several clusters were asked: the name of a context.
	Cluster string `json:"cluster,omitempty"`
}

// Group returns the API group; the core group is the empty string.
func (r Ref) Group() string {
	if group, _, found := strings.Cut(r.APIVersion, "/"); found {
		return group
	}
	return ""
}

// Path returns NAMESPACE/NAME, or NAME for what has no namespace. If the object's name isn't known, it is NAMESPACE.
func (r Ref) Path() string {
	switch {
	case r.Namespace == "":
		return r.Name
	case r.Name == "":
		return r.Namespace
	}
	return r.Namespace + "/" + r.Name
}

// String returns the object's name as people read it: Kind namespace/name, or Kind in namespace.
func (r Ref) String() string {
	switch {
	case r.Name != "":
		return r.Kind + " " + r.Path()
	case r.Namespace != "":
		return r.Kind + " in " + r.Namespace
	}
	return r.Kind
}

// Place is the name by which an object is known without being read, whichever its version and uid.
func (r Ref) Place() Ref {
	return Ref{APIVersion: r.Group(), Kind: r.Kind, Namespace: r.Namespace, Name: r.Name, Cluster: r.Cluster}
}

// Compare orders references by kind, namespace and name, for sorted output.
func Compare(a, b Ref) int {
	return cmp.Or(
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.UID, b.UID), cmp.Compare(a.Cluster, b.Cluster),
	)
}

// SameAs reports whether two references are to one object, as far as they tell.
func (r Ref) SameAs(other Ref) bool {
	if r.UID != "" && other.UID != "" {
		return r.UID == other.UID && r.Cluster == other.Cluster
	}
	return r.Place() == other.Place()
}

// HoldType says which of an object's lists, or its grace period, keeps it from going.
type HoldType string

// The ways in which the API server keeps a Terminating object (docs/deletion.md#when-an-object-leaves-storage).
const (
	GracePeriod   HoldType = "GracePeriod"   // a Pod whose kubelet has not confirmed its end
	Finalizer     HoldType = "Finalizer"     // an entry of metadata.finalizers
	SpecFinalizer HoldType = "SpecFinalizer" // an entry of a Namespace's spec.finalizers
)

// Hold is one thing that keeps an object from going.
type Hold struct {
	Type HoldType `json:"type"`
	Name string   `json:"name,omitempty"` // of the finalizer
}

// OfContent reports whether it is the namespace controller's own finalizer, which it removes when a Namespace is empty.
func (h Hold) OfContent() bool {
	return h.Type == SpecFinalizer && h.Name == "kubernetes"
}

// EdgeType says how two objects belong together.
type EdgeType string

// WaitsFor is the only type that blocks.
const (
	WaitsFor EdgeType = "WaitsFor" // a hold of From waits for To, or for an answer from it
	Owns     EdgeType = "Owns"     // To has an owner reference to From
	Contains EdgeType = "Contains" // From is the Namespace of To
)

// Ownership says what the garbage collector makes of a reference (docs/deletion.md#how-owner-references-are-judged).
// Its values are an interface.
type Ownership string

// Only an owner reference that is honoured says when its dependent goes.
const (
	Honoured       Ownership = ""               // the owner is alive
	OwnerAbsent    Ownership = "OwnerAbsent"    // no object of that kind and name
	OwnerReplaced  Ownership = "OwnerReplaced"  // another object, with another uid, has the name
	OwnerMisnamed  Ownership = "OwnerMisnamed"  // the uid is an object of another kind or name
	OwnerUnserved  Ownership = "OwnerUnserved"  // the kind isn't served
	OwnerElsewhere Ownership = "OwnerElsewhere" // the owner is in another namespace
	// the owner's kind has namespaces, the dependent has none
	DependentClusterScoped Ownership = "DependentClusterScoped"
	OwnerUnreadable        Ownership = "OwnerUnreadable" // it could not be looked at
	OwnersCycle            Ownership = "OwnersCycle"     // in the end, it owns itself
)

// Request is a request to the API server that a deletion depends on.
type Request struct {
	Operation   string `json:"operation"` // as admission has it: UPDATE, DELETE
	Resource    string `json:"resource,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	Object      *Ref   `json:"object,omitempty"`
	Removes     string `json:"removes,omitempty"`  // the finalizer that an update removes
	Disowns     *Ref   `json:"disowns,omitempty"`  // the owner to which an update removes the reference
	Unblocks    bool   `json:"unblocks,omitempty"` // an update sets blockOwnerDeletion of its owner references to false
	// Sender sent it for Object, where no more is known of the request: a controller that reports a refusal.
	Sender *Ref `json:"sender,omitempty"`
	// Namespace replaces the object, if the request is about objects whose names aren't known.
	Namespace *Ref `json:"namespace,omitempty"`
}

// String names a request in the API's words, as evidence does: UPDATE of Database shop/orders.
func (r Request) String() string {
	switch {
	case r.Operation == "" && r.Object != nil:
		return "a request for " + r.Object.String()
	case r.Object != nil && r.Subresource != "":
		return fmt.Sprintf("%s (%s) of %s", r.Operation, r.Subresource, r.Object)
	case r.Object != nil:
		return fmt.Sprintf("%s of %s", r.Operation, r.Object)
	case r.Namespace != nil:
		return fmt.Sprintf("%s of %s in %s", r.Operation, cmp.Or(r.Resource, "objects"), r.Namespace)
	}
	return fmt.Sprintf("%s of %s", r.Operation, r.Resource)
}

// Every names requests of this sort, whatever the object: update of databases.shop.example.com.
func (r Request) Every() string {
	if r.Operation == "" && r.Object != nil {
		return "requests of its controller"
	}
	kind := cmp.Or(r.Resource, "objects")
	if r.Removes != "" {
		return "removal of finalizers from " + kind
	}
	if r.Disowns != nil {
		return "removal of owner references from " + kind
	}
	if r.Unblocks {
		return "change of blockOwnerDeletion in " + kind
	}
	return r.act() + " of " + kind
}

// act is what a request does, as a noun: update, status update, eviction.
func (r Request) act() string {
	act := map[string]string{"CREATE": "creation", "UPDATE": "update", "DELETE": "deletion"}[r.Operation]
	sub := r.Subresource[strings.LastIndex(r.Subresource, "/")+1:]
	switch {
	case sub == "eviction":
		return sub
	case sub == "finalize":
		return cmp.Or(act, r.Operation) + " that ends the deletion"
	case sub != "":
		return sub + " " + cmp.Or(act, r.Operation)
	}
	return cmp.Or(act, r.Operation)
}

// Request names a request in a sentence: the update of Database shop/orders, its deletion, the removal of the finalizer
// shop.example.com/cleanup, the removal of the owner reference to it from Secret shop/child.
func (v Voice) Request(r Request) string {
	it := r.Object != nil && v.Name(*r.Object) == "it"
	switch {
	case r.Operation == "" && r.Object != nil && r.Sender != nil:
		return fmt.Sprintf("a request that %s sent for %s", v.Name(*r.Sender), v.Name(*r.Object))
	case r.Operation == "" && r.Object != nil:
		return "a request that its controller sent for " + v.Name(*r.Object)
	case r.Removes != "" && it:
		return "the removal of the finalizer " + r.Removes
	case r.Removes != "" && r.Object != nil:
		return fmt.Sprintf("the removal of the finalizer %s from %s", r.Removes, v.Name(*r.Object))
	case r.Disowns != nil && r.Object != nil && v.Name(*r.Disowns) == "it":
		return "the removal of the owner reference to it from " + v.Name(*r.Object)
	case r.Disowns != nil && r.Object != nil:
		return fmt.Sprintf("the removal of the owner reference to %s from %s", r.Disowns, v.Name(*r.Object))
	case r.Unblocks && r.Object != nil:
		return "the change of blockOwnerDeletion in " + v.Name(*r.Object)
	case it && strings.HasSuffix(r.Subresource, "finalize"):
		return "the " + strings.Replace(r.act(), " the ", " its ", 1)
	case it:
		return "its " + r.act()
	case r.Object != nil:
		return fmt.Sprintf("the %s of %s", r.act(), v.Name(*r.Object))
	case r.Namespace != nil:
		return fmt.Sprintf("the %s in %s", r.Every(), v.Name(*r.Namespace))
	}
	return "the " + r.Every()
}
