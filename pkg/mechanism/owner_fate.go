package mechanism

import (
	"context"
	"slices"

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

// references reads the owners of an object as the garbage collector does: by kind and name, in the
// object's own namespace.
func (t *Tools) references(ctx context.Context, object *session.Object) []ownership.Judged {
	var read []ownership.Judged
	for _, owner := range object.Meta.OwnerReferences[:min(mostOwners, len(object.Meta.OwnerReferences))] {
		read = append(read, t.reference(ctx, object, owner))
	}
	return read
}

// reference reads one owner, and has it judged.
func (t *Tools) reference(ctx context.Context, object *session.Object, owner metav1.OwnerReference) ownership.Judged {
	read := ownership.Judged{Reference: owner, State: finding.OwnerUnreadable}
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		read.Err = err
		return read
	}
	kind, known := kindOf(catalog, owner), ownership.Owner{Unread: true}
	read.Undiscovered = kind.Failure
	read.State = ownership.Judge(object.Ref, owner, kind, known)
	if read.State != finding.OwnerUnreadable || kind.Failure != nil {
		return read // which no look at the owner would change
	}
	resource, _ := catalog.OfKind(kind.GroupKind)
	namespace := ""
	if kind.Namespaced {
		namespace = object.Ref.Namespace
	}
	found, err := t.Session.Read(ctx, resource, namespace, owner.Name)
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

// kindOf is what discovery says of the kind that an owner reference names.
func kindOf(catalog *cluster.Catalog, reference metav1.OwnerReference) ownership.Kind {
	named := schema.FromAPIVersionAndKind(reference.APIVersion, reference.Kind)
	resource, known := catalog.OfKind(named.GroupKind())
	return ownership.Kind{
		GroupKind: named.GroupKind(), Served: known && !catalog.Unserved(named), Namespaced: resource.Namespaced,
		Failure: catalog.Failed[named.GroupVersion()],
	}
}

// Judge says what the garbage collector makes of a reference whose uid is that of an object that exists.
func Judge(
	catalog *cluster.Catalog, dependent finding.Ref, reference metav1.OwnerReference, owner finding.Ref,
) finding.Ownership {
	return ownership.Judge(dependent, reference, kindOf(catalog, reference), ownership.Owner{Real: &owner})
}

// Fate is what becomes of an object that nobody has deleted, because of others.
type Fate struct {
	// Awaits is an owner, or the namespace, that is being deleted, and with which the object goes.
	Awaits *session.Object
	// Follows says that the object goes only after Awaits has gone; otherwise Awaits goes after it.
	Follows bool
	// Says are told in the answer, in the form that foretells.
	Says []finding.Finding
	// Notes are those of them that have evidence, or something that may be done.
	Notes []finding.Finding
}

// Fate reads the owners of a live object, and its namespace, and tells what they will make of it. It
// says nothing of what goes on for ever as it is.
func (t *Tools) Fate(ctx context.Context, object *session.Object) Fate {
	fate := Fate{}
	references := t.references(ctx, object)
	outcome, decisive := ownership.Decide(references)
	unread := slices.IndexFunc(references, ownership.Judged.Unread)
	switch {
	case outcome == ownership.Undecidable:
		fate.tell(t.unjudgeable(object, *decisive))
	case unread >= 0:
		about := finding.OwnerDetails{Owner: references[unread].Named()}
		fate.tell(finding.Finding{Situation: "OwnerUnread", Details: about})
	case outcome != ownership.Kept:
		fate.tell(t.unowned(ctx, object, references, *decisive))
		awaitOwner(references, &fate)
	default:
		awaitOwner(references, &fate)
	}
	if fate.Awaits == nil {
		t.awaitAncestor(ctx, references, &fate)
	}
	if fate.Awaits == nil {
		t.awaitNamespace(ctx, object, &fate)
	}
	fate.Says = append(fate.Says, Mirror(object)...)
	return fate
}

// tell says what will become of the object, and notes what that rests on.
func (f *Fate) tell(note finding.Finding) {
	f.Says = append(f.Says, note)
	if len(note.Evidence)+len(note.Remedies) > 0 {
		f.Notes = append(f.Notes, note)
	}
}

// unjudgeable tells of an object of which one owner can't be resolved: one such reference keeps the
// garbage collector from judging any (rows A6, A8, A15).
func (t *Tools) unjudgeable(object *session.Object, refused ownership.Judged) finding.Finding {
	named := refused.Named()
	note := finding.Finding{
		Object: object.Ref, Details: finding.OwnerDetails{Owner: named, Ownership: refused.State},
		Evidence: []finding.Evidence{referenceTo(object, named)},
	}
	switch {
	case refused.Undiscovered != nil:
		note.Situation = "OwnerUndiscovered"
		note.Evidence = append(note.Evidence, finding.Evidence{Source: "discovery", Observed: refused.Undiscovered.Error()})
		return note
	case refused.State == finding.DependentClusterScoped:
		note.Situation = "OwnerInNamespace"
	default:
		note.Situation = "OwnerUnserved"
		note.Evidence = append(note.Evidence, finding.Evidence{
			Source: "discovery", Observed: named.Kind + " in " + named.APIVersion + " is not served",
		})
	}
	note.Remedies = []finding.Remedy{t.removeReference(object, named, finding.OwnerUnserved), {
		Step:    "DeleteOrphan",
		Command: t.Session.Kubectl.Command(object, "delete", "--wait=false"), Risk: finding.DataLoss,
	}}
	return note
}
