package mechanism

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostOwners bounds how many owners are read for one answer.
const mostOwners = 8

// references reads the owners of an object as the garbage collector does: in the object's own namespace.
func references(ctx context.Context, reads *session.Session, object *Object) []ownership.Judged {
	var read []ownership.Judged
	for _, owner := range object.Meta.OwnerReferences[:min(mostOwners, len(object.Meta.OwnerReferences))] {
		read = append(read, judgeReference(ctx, reads, object, owner))
	}
	return read
}

func judgeReference(
	ctx context.Context, reads *session.Session, object *Object, owner metav1.OwnerReference,
) ownership.Judged {
	read := ownership.Judged{Reference: owner, State: finding.OwnerUnreadable}
	servedKinds, err := reads.Reader.ServedKinds(ctx)
	if err != nil {
		read.Err = err
		return read
	}
	kind, known := kindOf(servedKinds, owner), ownership.Owner{Unread: true}
	read.Undiscovered = kind.Failure
	read.State = ownership.Judge(object.Ref, owner, kind, known)
	if read.State != finding.OwnerUnreadable || kind.Failure != nil {
		return read // which no look at the owner would change
	}
	if read.Err = misled(reads, servedKinds, object, owner); read.Err != nil {
		return read
	}
	resource, _ := servedKinds.OfKind(kind.GroupKind)
	namespace := ""
	if kind.Namespaced {
		namespace = object.Ref.Namespace
	}
	version := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).Version
	found, err := readInVersion(ctx, reads, resource, version, session.Named(resource, namespace, owner.Name).Ref)
	switch {
	case apierrors.IsNotFound(err):
		known = ownership.Owner{}
	case err != nil:
		read.Err = err
	case found.Ref.UID == string(owner.UID):
		read.Owner, known = found, ownership.Owner{Real: &found.Ref}
	default:
		known = ownership.Owner{Namesake: &found.Ref}
	}
	read.State = ownership.Judge(object.Ref, owner, kind, known)
	return read
}

// readInVersion reads an owner as the garbage collector does, in the version that its reference names, where the
// preferred version can't be had: that the object can be read as it is stored does not help the collector.
func readInVersion(
	ctx context.Context, reads *session.Session, resource cluster.Resource, version string, at finding.Ref,
) (*Object, error) {
	found, err := reads.Read(ctx, resource, at.Namespace, at.Name)
	damage := reads.DamageOf(resource)
	switch {
	case damage == "":
		return found, err
	case err != nil && version != resource.Version:
		resource.Version = version
		return reads.Read(ctx, resource, at.Namespace, at.Name)
	case err == nil && found.Resource.Version != version:
		return nil, errors.New(damage)
	}
	return found, err
}

// misled notes an owner reference whose name no object can have: the request would lead elsewhere. It returns why.
func misled(
	reads *session.Session, servedKinds *cluster.ServedKinds, object *Object, owner metav1.OwnerReference,
) error {
	err := cluster.CheckName("", owner.Name)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("the owner reference of %s: %w", object.Ref, err)
	resource, _ := servedKinds.OfKind(schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).GroupKind())
	reads.Reader.Failed(resource, object.Ref.Namespace, owner.Name, err)
	return err
}

func kindOf(servedKinds *cluster.ServedKinds, reference metav1.OwnerReference) ownership.Kind {
	named := schema.FromAPIVersionAndKind(reference.APIVersion, reference.Kind)
	resource, known := servedKinds.OfKind(named.GroupKind())
	return ownership.Kind{
		GroupKind: named.GroupKind(), Served: known && !servedKinds.Unserved(named), Namespaced: resource.Namespaced,
		Failure: servedKinds.Failed[named.GroupVersion()],
	}
}

// JudgeOwner says what the garbage collector makes of a reference to an object that has the uid it names.
func JudgeOwner(
	ctx context.Context, reads *session.Session, dependent *Object, reference metav1.OwnerReference, owner finding.Ref,
) finding.Ownership {
	servedKinds, err := reads.Reader.ServedKinds(ctx)
	if err != nil {
		return finding.OwnerUnreadable
	}
	state := ownership.Judge(dependent.Ref, reference, kindOf(servedKinds, reference), ownership.Owner{Real: &owner})
	if state == finding.OwnerUnreadable {
		_ = misled(reads, servedKinds, dependent, reference)
	}
	return state
}

// Owners reads the owners of an object, and looks in all namespaces for one that isn't where it should be.
func Owners(ctx context.Context, t *Tools, object *Object) []ownership.Judged {
	var owners []ownership.Judged
	for _, reference := range object.Meta.OwnerReferences {
		owner := judgeReference(ctx, t.Session, object, reference)
		if owner.Owner == nil {
			owner.Owner = claimed(ctx, t.Session, object, reference)
		}
		if owner.State == finding.OwnerAbsent || owner.State == finding.OwnerReplaced {
			if elsewhere := elsewhere(ctx, t, owner.Owner); elsewhere != nil {
				owner.State, owner.Owner = JudgeOwner(ctx, t.Session, object, reference, elsewhere.Ref), elsewhere
			}
		}
		owners = append(owners, owner)
	}
	return owners
}

// elsewhere looks for an owner in all namespaces, by its uid, in one list of its kind.
func elsewhere(ctx context.Context, t *Tools, owner *Object) *Object {
	if !owner.Resource.Namespaced || owner.Ref.UID == "" {
		return nil
	}
	t.mu.Lock()
	byUID, known := t.everywhere[owner.Resource.String()]
	t.mu.Unlock()
	if !known {
		byUID = map[string]*Object{}
		every := cluster.Selector{}
		_ = t.Session.Reader.EachMetadata(ctx, owner.Resource, "", every, func(meta *metav1.PartialObjectMetadata) {
			found := session.Named(owner.Resource, meta.Namespace, meta.Name)
			found.Ref.UID = string(meta.UID)
			byUID[found.Ref.UID] = found
		})
		t.mu.Lock()
		t.everywhere[owner.Resource.String()] = byUID
		t.mu.Unlock()
	}
	return byUID[owner.Ref.UID]
}

// claimed is the owner that a reference names, unread.
func claimed(ctx context.Context, reads *session.Session, object *Object, reference metav1.OwnerReference) *Object {
	kind := schema.FromAPIVersionAndKind(reference.APIVersion, reference.Kind)
	named, known := reads.ServedKinds(ctx).OfKind(kind.GroupKind())
	if !known {
		named = cluster.Resource{Kind: kind.Kind}
		named.Group, named.Version = kind.Group, kind.Version
	}
	owner := session.Named(named, "", reference.Name)
	owner.Ref.APIVersion, owner.Ref.UID = reference.APIVersion, string(reference.UID)
	if named.Namespaced {
		owner.Ref.Namespace = object.Ref.Namespace
	}
	return owner
}
