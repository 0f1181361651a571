package mechanism

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Dependent is an object that refers to an owner.
type Dependent struct {
	*Object
	Reference metav1.OwnerReference // to the owner
	State     finding.Ownership
}

// Dependents returns the objects that refer to an owner by its uid: those in its namespace and those without one, those
// that the garbage collector has complained about, and with everywhere those in all other namespaces too.
func (t *Tools) Dependents(ctx context.Context, owner *Object, everywhere bool) ([]Dependent, error) {
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
		ours := slices.IndexFunc(object.Meta.OwnerReferences, func(one metav1.OwnerReference) bool {
			return string(one.UID) == owner.Ref.UID
		})
		dependent := Dependent{Object: object, Reference: object.Meta.OwnerReferences[ours]}
		dependent.State = t.JudgeOwner(ctx, object, dependent.Reference, owner.Ref)
		dependents = append(dependents, dependent)
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

// addComplained adds dependents in other namespaces that the garbage collector has written events about: one request,
// where to look for them would take many. That there are no events proves nothing (deletion-mechanics A, "Event text").
func (t *Tools) addComplained(ctx context.Context, owner *Object, found []*Object) []*Object {
	for _, complaint := range t.Complaints(ctx) {
		named := complaint.Dependent
		same := func(known *Object) bool { return known.Ref.UID == named.Ref.UID }
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
