package plugins

import (
	"slices"
	"strings"
)

// APIVersion and Kind are what the head of every plugin file says.
const APIVersion, Kind = "finalizers.kubectl/v1alpha1", "FinalizerPlugin"

// Plugin is one file: what is known of the finalizers of one project.
type Plugin struct {
	// APIVersion is finalizers.kubectl/v1alpha1.
	APIVersion string `json:"apiVersion"`
	// Kind is FinalizerPlugin.
	Kind string `json:"kind"`
	// Project is the name of the project.
	Project string `json:"project"`
	// Defaults hold what several finalizers of the project have in common. A field that a finalizer
	// gives itself replaces the default, lists as a whole.
	Defaults *Finalizer `json:"defaults,omitempty"`
	// Finalizers are the finalizers of the project.
	Finalizers []Finalizer `json:"finalizers,omitempty"`
	// Observers are programs that judge all objects and manage none of them: scanners, policy engines, dashboards. These
	// are the names under which they report events and write fields; * stands for any characters. What they say about
	// an object does not come from the controller that has to remove its finalizer.
	Observers []string `json:"observers,omitempty"`
}

// Finalizer is what is known about one finalizer, or about several for which the same is true.
type Finalizer struct {
	// Names are exact names, or globs in which * stands for any characters.
	Names []string `json:"names,omitempty"`
	// Kinds are the kinds that carry it, as KIND or KIND.GROUP; * stands for any characters. Without
	// any, it may be on every kind.
	Kinds []string `json:"kinds,omitempty"`
	// AddedBy is the component that sets it.
	AddedBy string `json:"addedBy,omitempty"`
	// RemovedBy is the component that removes it.
	RemovedBy string `json:"removedBy,omitempty"`

	// Workloads run that component, as KIND/NAME; * stands for any characters.
	Workloads []string `json:"workloads,omitempty"`
	// Containers are its containers, if it runs inside the Pods of another program's workload.
	Containers []string `json:"containers,omitempty"`
	// Labels are labels of its Pods, as KEY=VALUE; * stands for any characters of the value.
	Labels []string `json:"labels,omitempty"`
	// Namespaces are where it is usually installed; * stands for any characters.
	Namespaces []string `json:"namespaces,omitempty"`
	// OwnNamespace says that it acts only on objects in the namespace that it runs in.
	OwnNamespace bool `json:"ownNamespace,omitempty"`
	// Agent says that it runs in the Pods of an object that the held one names.
	Agent *Agent `json:"agent,omitempty"`
	// StandsIn says that it has a Pod on each Node, and that the Pod on any Node acts in the end for an object whose own
	// Node has none.
	StandsIn bool `json:"standsIn,omitempty"`
	// Leases are those it holds while it leads, as NAMESPACE/NAME; * stands for any characters, and {driver} for the
	// storage driver that the held object names, with dashes for what isn't a letter or a digit.
	Leases []string `json:"leases,omitempty"`
	// Managers are the field managers that it writes as.
	Managers []string `json:"managers,omitempty"`
	// Reporters are the names under which it reports events: reportingComponent or source.component.
	Reporters []string `json:"reporters,omitempty"`
	// RemovesBy is the verb of the write by which it removes the finalizer, if that is known: update or patch.
	RemovesBy string `json:"removesBy,omitempty"`
	// MayRunOutside says when the component runs outside the cluster: not finding it then means nothing.
	MayRunOutside string `json:"mayRunOutside,omitempty"`
	// AlwaysOutside says that it never runs in the cluster; MayRunOutside then says where it does.
	AlwaysOutside bool `json:"alwaysOutside,omitempty"`

	// WaitsFor completes the sentence "it is removed when …": a clause, without a full stop or a semicolon.
	WaitsFor string `json:"waitsFor,omitempty"`
	// Waits are objects that are waited for, found by an expression.
	Waits []Wait `json:"waits,omitempty"`
	// Acts are what its controller writes before it removes the finalizer.
	Acts []Act `json:"acts,omitempty"`
	// Needs are the objects that its controller needs for the cleanup, in a state in which it can use them.
	Needs []Need `json:"needs,omitempty"`
	// Drains says that a Node is drained first, and which of its Pods that waits for.
	Drains *Drain `json:"drains,omitempty"`
	// Elsewhere says that what it waits for is in another cluster.
	Elsewhere *Elsewhere `json:"elsewhere,omitempty"`
	// Guards say what it protects.
	Guards []Guard `json:"guards,omitempty"`
	// Loses says what is lost when it is removed by force: a noun phrase.
	Loses string `json:"loses,omitempty"`
	// Deletes says what its controller deletes before it removes the finalizer, and what stays if that is removed by
	// force: a noun phrase.
	Deletes string `json:"deletes,omitempty"`
	// Start says to have its controller run: whole sentences. An answer that knows how it fares leaves it out.
	Start string `json:"start,omitempty"`
	// EndsWait says how to end what Waits finds: whole sentences. An answer that found nothing of that leaves it out.
	EndsWait string `json:"endsWait,omitempty"`
	// IfRunning says what else helps, but only while its controller runs: whole sentences. An answer that knows that the
	// controller is missing leaves it out.
	IfRunning string `json:"ifRunning,omitempty"`
	// SafeWayOut says what to do instead of removing it by force that holds whether its controller runs or not, the deed
	// first: whole sentences.
	SafeWayOut string `json:"safeWayOut,omitempty"`
	// SafeWayOutElsewhere takes the place of SafeWayOut where the object's namespace is being deleted, if that would
	// create something there: whole sentences.
	SafeWayOutElsewhere string `json:"safeWayOutElsewhere,omitempty"`

	// Switches are fields by which a person tells its controller not to act on the object, or not to delete it.
	Switches []Switch `json:"switches,omitempty"`
	// Hooks are annotations by which other programs keep its controller from continuing.
	Hooks []Hook `json:"hooks,omitempty"`
	// Rescue says how what the object stands for outside the cluster is kept after a deletion by mistake.
	Rescue *Rescue `json:"rescue,omitempty"`

	// StatusFields are where the object itself says why it waits.
	StatusFields []Field `json:"statusFields,omitempty"`
	// ResourceFields are where the object names what is lost: the bucket, the volume, the load balancer.
	ResourceFields []Field `json:"resourceFields,omitempty"`
	// Notes are what else is worth knowing, in whole sentences.
	Notes string `json:"notes,omitempty"`
	// Links lead to where more can be read.
	Links []string `json:"links,omitempty"`
	// Verified says how far the statements above were checked.
	Verified Verified `json:"verified,omitzero"`
	// Source is where they were read.
	Source string `json:"source,omitempty"`
	// Module is the Go module that has that source, as PATH@VERSION: make verify-catalogue reads it there.
	Module string `json:"module,omitempty"`
	// Symbols are the module's constants and variables with the names above, as FOLDER.NAME.
	Symbols []string `json:"symbols,omitempty"`

	// Project is the project of the file that has the finalizer.
	Project string `json:"-"`
	// File is that file, as answers name it.
	File string `json:"-"`
	// Dir is the folder of a user's file; empty for what comes with the program.
	Dir string `json:"-"`
}

// NamesWorkload reports whether the entry names the workload of its controller. A pattern alone may stand for several.
func (f Finalizer) NamesWorkload() bool {
	return slices.ContainsFunc(f.Workloads, func(workload string) bool { return !isGlob(workload) })
}

// SafeWay is all that may be done instead of removing it by force.
func (f Finalizer) SafeWay() string {
	return strings.Join(strings.Fields(f.Start+" "+f.EndsWait+" "+f.IfRunning+" "+f.SafeWayOut), " ")
}

// WayOut is what may be done beside starting its controller: all of it while that runs, without EndsWait if nothing is
// left of what Waits finds. Without a controller, nothing removes the finalizer when a wait ends: SafeWayOut is left.
// closed says that nothing can be created in the object's namespace.
func (f Finalizer) WayOut(runs, waits, closed bool) string {
	if closed && f.SafeWayOutElsewhere != "" {
		f.SafeWayOut = f.SafeWayOutElsewhere
	}
	if !runs {
		f.EndsWait, f.IfRunning = "", ""
	}
	if !waits {
		f.EndsWait = ""
	}
	f.Start = ""
	return f.SafeWay()
}

// Field is a place in an object, and what its value means.
type Field struct {
	// Path is a JSONPath, as kubectl takes it: {.spec.bucketName}.
	Path string `json:"path"`
	// Says is what its value means, without an article: bucket, reason for the failure.
	Says string `json:"says"`
}

// Wait is objects that hold a deletion up as long as they are there.
type Wait struct {
	// Resource is the objects' resource, as PLURAL or PLURAL.GROUP. PLURAL.* stands for the one in the
	// held object's own group; {.spec.names.plural}.{.spec.group} for a kind that the held object defines.
	Resource string `json:"resource"`
	// Scope says where to look: in the held object's own namespace, or in the whole cluster. An object
	// without a namespace is waited for in the whole cluster either way.
	Scope Scope `json:"scope"`
	// Where is a CEL expression that is true for objects that are waited for. In it, self is the
	// held object and object is the one that is looked at.
	Where string `json:"where"`
	// Says completes the sentence "OBJECT …": stores its data in it.
	Says string `json:"says"`
	// Loses says what is lost when that object is deleted, if that is more than the object itself.
	Loses string `json:"loses,omitempty"`
	// Records is a field of that object that refers to what really uses the held one, and takes the record along when it
	// goes: resourceRef, or spec.claimRef. As long as that exists, it is what has to be deleted. A name alone is that of
	// the owner with this name.
	Records string `json:"records,omitempty"`
	// Deletes says that the controller which removes the finalizer deletes these objects itself: no one else has to, and
	// only the ones that are being deleted are waited for.
	Deletes bool `json:"deletes,omitempty"`
}

// Defined reports whether the kind of the objects is one that the held object defines.
func (w Wait) Defined() bool { return strings.HasPrefix(w.Resource, "{.") }

// Scope is where to look for objects.
type Scope string

// The scopes.
const (
	ScopeNamespace Scope = "Namespace"
	ScopeCluster   Scope = "Cluster"
)

// Guard is what a finalizer protects.
type Guard string

// The guards.
const (
	// GuardInUse stands for something that still refers to the object.
	GuardInUse Guard = "InUse"
	// GuardExternal stands for something outside this cluster's API: a disk, a load balancer, a
	// bucket, a database, a remote cluster.
	GuardExternal Guard = "External"
	// GuardCascade stands for other objects or processes in the cluster, which are cleaned up in order.
	GuardCascade Guard = "Cascade"
	// GuardBookkeeping stands for records: nothing that lasts is lost.
	GuardBookkeeping Guard = "Bookkeeping"
	// GuardOptInDeletion stands for data that the finalizer exists to delete: removing it by
	// force keeps the data.
	GuardOptInDeletion Guard = "OptInDeletion"
)

// Guards returns all guards.
func Guards() []Guard {
	return []Guard{GuardInUse, GuardExternal, GuardCascade, GuardBookkeeping, GuardOptInDeletion}
}
