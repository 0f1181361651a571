package mechanism

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// ownerState is what the garbage collector makes of one owner reference (k8s v1.37
// pkg/controller/garbagecollector/garbagecollector.go:isDangling, classifyReferences; rows of
// deletion-mechanics A).
type ownerState string

const (
	ownerSolid        ownerState = "solid"        // A1, A13: it exists, Terminating or not
	ownerWaiting      ownerState = "waiting"      // A10, A11: it is being deleted in the foreground
	ownerAbsent       ownerState = "absent"       // A2, A7: nothing of that name where the collector looks
	ownerReplaced     ownerState = "replaced"     // A3: another object of that name
	ownerUnserved     ownerState = "unserved"     // A6: the kind can't be resolved
	ownerInvalid      ownerState = "invalid"      // A8: it has a namespace and the dependent has none
	ownerUndiscovered ownerState = "undiscovered" // discovery of its group fails
	ownerUnreadable   ownerState = "unreadable"   // it may not be read, or reading fails
)

// reference is an owner reference and what became of the owner.
type reference struct {
	metav1.OwnerReference
	state ownerState
	owner *session.Object // where it was read
	err   error
}

func (r reference) String() string { return r.Kind + " " + r.Name }

// mostOwners bounds how many owners are read for one answer.
const mostOwners = 8

// references reads the owners of an object as the garbage collector does: by kind and name, in the
// object's own namespace.
func (t *Tools) references(ctx context.Context, object *session.Object) []reference {
	var read []reference
	for _, owner := range object.Meta.OwnerReferences[:min(mostOwners, len(object.Meta.OwnerReferences))] {
		read = append(read, t.reference(ctx, object, owner))
	}
	return read
}

func (t *Tools) reference(ctx context.Context, object *session.Object, owner metav1.OwnerReference) reference {
	read := reference{OwnerReference: owner, state: ownerUnreadable}
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		read.err = err
		return read
	}
	kind := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind)
	resource, known := catalog.OfKind(kind.GroupKind())
	switch {
	case catalog.Failed[kind.GroupVersion()] != nil:
		read.state, read.err = ownerUndiscovered, catalog.Failed[kind.GroupVersion()]
		return read
	case !known || catalog.Unserved(kind):
		read.state = ownerUnserved
		return read
	case resource.Namespaced && object.Ref.Namespace == "":
		read.state = ownerInvalid
		return read
	}
	namespace := ""
	if resource.Namespaced {
		namespace = object.Ref.Namespace
	}
	found, err := t.Session.Read(ctx, resource, namespace, owner.Name)
	switch {
	case apierrors.IsNotFound(err):
		read.state = ownerAbsent
	case err != nil:
		read.err = err
	case found.Ref.UID != string(owner.UID):
		read.state = ownerReplaced
	default:
		read.owner, read.state = found, ownerSolid
		if found.Terminating() && hasFinalizer(found.Meta, metav1.FinalizerDeleteDependents) {
			read.state = ownerWaiting
		}
	}
	return read
}

func hasFinalizer(meta *metav1.PartialObjectMetadata, name string) bool {
	for _, finalizer := range meta.Finalizers {
		if finalizer == name {
			return true
		}
	}
	return false
}

// Fate is what becomes of an object that nobody has deleted, because of others.
type Fate struct {
	// Awaits is an owner, or the namespace, that is being deleted, and with which the object goes.
	Awaits *session.Object
	// Follows says that the object goes only after Awaits has gone; otherwise Awaits goes after it.
	Follows bool
	// Says is told in the answer: whole sentences.
	Says []string
	// Notes tell it with evidence, and with what may be done.
	Notes []finding.Finding
}

// Fate reads the owners of a live object, and its namespace, and tells what they will make of it. It
// says nothing of what goes on for ever as it is.
func (t *Tools) Fate(ctx context.Context, object *session.Object) Fate {
	fate := Fate{}
	references := t.references(ctx, object)
	if refused := first(references, ownerUnserved, ownerInvalid, ownerUndiscovered); refused != nil {
		fate.tell(fmt.Sprintf("%s and its owner %s", object.Ref, refused), t.unjudgeable(object, *refused))
	} else if unread := first(references, ownerUnreadable); unread != nil {
		fate.Says = append(fate.Says, fmt.Sprintf("Whether its owner %s is still there can't be told: that could not be read.", unread))
	} else if len(references) > 0 && first(references, ownerSolid) == nil {
		t.unowned(ctx, object, references, &fate)
	}
	t.awaitOwner(references, &fate)
	if fate.Awaits == nil {
		t.awaitAncestor(ctx, references, &fate)
	}
	if fate.Awaits == nil {
		t.awaitNamespace(ctx, object, &fate)
	}
	t.mirror(object, &fate)
	return fate
}

// tell says a sentence, and leaves what it rests on for a note below: what it is about stands there
// in place of the sentence.
func (f *Fate) tell(about string, note finding.Finding) {
	f.Says = append(f.Says, note.Message)
	if len(note.Evidence)+len(note.Remedies) > 0 {
		note.Message = about + ":"
		f.Notes = append(f.Notes, note)
	}
}

// first returns the first reference in one of some states.
func first(references []reference, states ...ownerState) *reference {
	for i := range references {
		for _, state := range states {
			if references[i].state == state {
				return &references[i]
			}
		}
	}
	return nil
}

// unjudgeable tells of an object of which one owner can't be resolved: one such reference keeps the
// garbage collector from judging any (rows A6, A8, A15).
func (t *Tools) unjudgeable(object *session.Object, refused reference) finding.Finding {
	kind := refused.Kind + " in " + refused.APIVersion
	note := finding.Finding{Awaited: "an owner that the garbage collector can't resolve: " + string(refused.UID)}
	source := finding.Evidence{Source: object.Ref.String(), Observed: fmt.Sprintf("an owner reference to %s %s, uid %s", kind, refused.Name, refused.UID), Object: &object.Ref}
	switch refused.state {
	case ownerInvalid:
		note.Message = fmt.Sprintf("It names %s as its owner, which has a namespace, and has none itself: the garbage collector refuses such a reference and never deletes it, whatever becomes of that owner.", refused)
		note.Evidence = []finding.Evidence{source}
	case ownerUndiscovered:
		note.Message = fmt.Sprintf("It names %s as its owner, and %s can't be discovered at present: until it can, nobody can tell whether the owner is there, nor can the garbage collector.", refused, refused.APIVersion)
		note.Evidence = []finding.Evidence{source, {Source: "discovery", Observed: refused.err.Error()}}
		return note
	default:
		note.Message = fmt.Sprintf("It names %s as its owner, and the server doesn't serve %s: the garbage collector can't judge it and leaves it for ever, unless it saw that owner go.", refused, kind)
		note.Evidence = []finding.Evidence{source, {Source: "discovery", Observed: kind + " is not served"}}
	}
	note.Remedies = t.disown(object, string(refused.UID), "the record that it belonged to "+refused.String())
	note.Remedies = append(note.Remedies, finding.Remedy{
		Action:  "Or delete it, if it should have gone with its owner.",
		Command: t.Session.Kubectl.Command(object, "delete", "--wait=false"), Risk: finding.DataLoss, Loses: "the object",
	})
	return note
}
