package mechanism

import (
	"context"
	"regexp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// invalidNamespace is the reason of the events in which the garbage collector refuses a reference.
const invalidNamespace = "OwnerRefInvalidNamespace"

// Owners reads the owners of an object as the garbage collector does. One that it doesn't find there is looked for in
// all namespaces.
func (t *Tools) Owners(ctx context.Context, object *session.Object) []ownership.Judged {
	var owners []ownership.Judged
	for _, reference := range object.Meta.OwnerReferences {
		owner := t.reference(ctx, object, reference)
		if owner.Owner == nil {
			owner.Owner = t.claimed(ctx, object, reference)
		}
		if owner.State == finding.OwnerAbsent || owner.State == finding.OwnerReplaced {
			if elsewhere := t.elsewhere(ctx, owner.Owner); elsewhere != nil {
				owner.State, owner.Owner = t.honoured(ctx, elsewhere.Ref, object), elsewhere
			}
		}
		owners = append(owners, owner)
	}
	return owners
}

// elsewhere looks for an owner in all namespaces, by its uid: one list of its kind tells an owner that
// is gone from one that the garbage collector doesn't find.
func (t *Tools) elsewhere(ctx context.Context, owner *session.Object) *session.Object {
	if !owner.Resource.Namespaced || owner.Ref.UID == "" {
		return nil
	}
	t.mu.Lock()
	if t.everywhere == nil {
		t.everywhere = map[string]map[string]*session.Object{}
	}
	byUID, known := t.everywhere[owner.Resource.String()]
	t.mu.Unlock()
	if !known {
		byUID = map[string]*session.Object{}
		keep := func(meta *metav1.PartialObjectMetadata) {
			byUID[string(meta.UID)] = session.Named(owner.Resource, meta.Namespace, meta.Name)
			byUID[string(meta.UID)].Ref.UID = string(meta.UID)
		}
		_ = t.Session.Reader.EachMetadata(ctx, owner.Resource, "", cluster.Selector{}, keep)
		t.mu.Lock()
		t.everywhere[owner.Resource.String()] = byUID
		t.mu.Unlock()
	}
	return byUID[owner.Ref.UID]
}

// claimed is the owner that a reference names, unread.
func (t *Tools) claimed(ctx context.Context, object *session.Object, reference metav1.OwnerReference) *session.Object {
	named := cluster.Resource{Kind: reference.Kind}
	version := schema.FromAPIVersionAndKind(reference.APIVersion, reference.Kind)
	named.Group, named.Version = version.Group, version.Version
	if catalog, err := t.Session.Reader.Catalog(ctx); err == nil {
		if served, known := catalog.OfKind(version.GroupKind()); known {
			named = served
		}
	}
	owner := session.Named(named, "", reference.Name)
	owner.Ref.APIVersion, owner.Ref.UID = reference.APIVersion, string(reference.UID)
	if named.Namespaced {
		owner.Ref.Namespace = object.Ref.Namespace
	}
	return owner
}

// Dependent is an object that refers to an owner.
type Dependent struct {
	*session.Object
	State finding.Ownership
}

// Dependents returns the objects that refer to an owner by its uid: those in its namespace and those
// without one, those that the garbage collector has complained about, and with everywhere those in all
// other namespaces too.
func (t *Tools) Dependents(ctx context.Context, owner *session.Object, everywhere bool) ([]Dependent, error) {
	parts := partsOf(owner.Ref.Namespace, everywhere)
	t.warm(ctx, parts)
	found, _, err := t.Session.DependentsIn(ctx, owner.Ref.UID, parts...)
	if err != nil {
		return nil, err
	}
	if parts[0].Namespace != "" {
		found = t.addComplained(ctx, owner, found)
	}
	var dependents []Dependent
	for _, object := range found {
		dependents = append(dependents, Dependent{Object: object, State: t.honoured(ctx, owner.Ref, object)})
	}
	return dependents, nil
}

// partsOf is where the dependents of an owner are looked for, to be shown. Those without a namespace of something
// that is in one refer to it by mistake, and a mistake of the last second may be missed (docs/decisions/0013).
func partsOf(namespace string, everywhere bool) []session.Part {
	if everywhere {
		namespace = ""
	}
	return []session.Part{
		{Scope: session.Namespaced, Namespace: namespace}, {Scope: session.ClusterScoped, Recent: namespace != ""},
	}
}

// Expect reads beforehand what Dependents of something in a namespace will rest on.
func (t *Tools) Expect(ctx context.Context, namespace string, everywhere bool) {
	t.warm(ctx, partsOf(namespace, everywhere))
}

// warm reads several parts of the cluster, and complaints, side by side.
func (t *Tools) warm(ctx context.Context, parts []session.Part) {
	reads := []func(){func() { _ = t.Complaints(ctx) }}
	for _, one := range parts {
		reads = append(reads, func() { _, _ = t.Session.Index(ctx, one) })
	}
	session.SideBySide(reads)
}

// honoured says what the garbage collector makes of a dependent's reference to an owner that exists.
func (t *Tools) honoured(ctx context.Context, owner finding.Ref, dependent *session.Object) finding.Ownership {
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		return finding.OwnerUnreadable
	}
	for _, reference := range dependent.Meta.OwnerReferences {
		if string(reference.UID) == owner.UID {
			return Judge(catalog, dependent.Ref, reference, owner)
		}
	}
	return finding.Honoured
}

// addComplained adds dependents in other namespaces that the garbage collector has written events about:
// one request, where to look for them would take many. That there are no events proves nothing
// (deletion-mechanics A, "Event text").
func (t *Tools) addComplained(ctx context.Context, owner *session.Object, found []*session.Object) []*session.Object {
	for _, complaint := range t.Complaints(ctx) {
		named := complaint.Dependent
		same := func(known *session.Object) bool { return known.Ref.UID == named.Ref.UID }
		if complaint.OwnerUID != owner.Ref.UID || slices.ContainsFunc(found, same) {
			continue
		}
		meta, err := t.Session.Reader.Metadata(ctx, named.Resource, named.Ref.Namespace, named.Ref.Name)
		if err == nil && refersTo(meta, owner.Ref.UID) {
			found = append(found, session.FromMetadata(named.Resource, meta))
		}
	}
	return found
}

// Complaint is an event in which the garbage collector refuses an owner reference.
type Complaint struct {
	Dependent *session.Object // by name only
	OwnerUID  string
	Message   string
}

// Complaints returns the events about references into another namespace. Those that can't be read are
// among the failures of the Reader.
func (t *Tools) Complaints(ctx context.Context) []Complaint {
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		return nil
	}
	events, err := t.Session.Reader.List(ctx, cluster.Events(), "", cluster.Selector{Fields: "reason=" + invalidNamespace})
	if err != nil && !apierrors.IsNotFound(err) {
		return nil
	}
	uid := regexp.MustCompile(`uid: ([^\]]+)\]`)
	var complaints []Complaint
	for i := range events {
		event, err := session.As[corev1.Event](&events[i])
		if err != nil {
			continue
		}
		about := event.InvolvedObject
		resource, known := catalog.OfKind(about.GroupVersionKind().GroupKind())
		if !known {
			continue
		}
		complaint := Complaint{Dependent: session.Named(resource, about.Namespace, about.Name), Message: event.Message}
		complaint.Dependent.Ref.UID = string(about.UID)
		if named := uid.FindStringSubmatch(event.Message); named != nil {
			complaint.OwnerUID = named[1]
		}
		complaints = append(complaints, complaint)
	}
	return complaints
}
