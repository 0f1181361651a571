package mechanism

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
)

// Fate is what becomes of an object that nobody has deleted, because of others.
type Fate struct {
	// Awaits is an owner, or the namespace, that is being deleted, and with which the object goes.
	Awaits *Object
	// Follows says that the object goes only after Awaits has gone; otherwise Awaits goes after it.
	Follows bool
	// Says is part of the answer, in the form that foretells.
	Says []finding.Finding
	// Notes are those of them that have evidence, or something that may be done.
	Notes []finding.Finding
}

// Fate reads the owners of a live object, and its namespace, and returns what will become of it because of them:
// nothing, if everything stays as it is.
func (t *Tools) Fate(ctx context.Context, object *Object) Fate {
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

// tell adds a statement, and a note if it has evidence or remedies.
func (f *Fate) tell(note finding.Finding) {
	f.Says = append(f.Says, note)
	if len(note.Evidence)+len(note.Remedies) > 0 {
		f.Notes = append(f.Notes, note)
	}
}

// unjudgeable is about an object with an owner that can't be resolved: one such reference keeps the
// garbage collector from judging any (rows A6, A8, A15).
func (t *Tools) unjudgeable(object *Object, refused ownership.Judged) finding.Finding {
	named := refused.Named()
	note := finding.Finding{
		Object: object.Ref, Details: finding.OwnerDetails{Owner: named, Ownership: refused.State},
		Evidence: []finding.Evidence{referenceTo(object, named)},
	}
	switch {
	case refused.Undiscovered != nil:
		note.Situation = "OwnerUndiscovered"
		note.Evidence = append(note.Evidence, finding.Observed("discovery", "%s", refused.Undiscovered.Error()))
		return note
	case refused.State == finding.DependentClusterScoped:
		note.Situation = "OwnerInNamespace"
	default:
		note.Situation = "OwnerUnserved"
		note.Evidence = append(note.Evidence, finding.Observed("discovery", "%s in %s is not served", named.Kind, named.APIVersion))
	}
	note.Remedies = []finding.Remedy{t.removeReference(object, named, finding.OwnerUnserved), {
		Step: "DeleteOrphan", Command: t.kubectl(object, "delete", "--wait=false"), Risk: finding.DataLoss,
	}}
	return note
}
