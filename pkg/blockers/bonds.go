package blockers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// deepest is how many owners deep an object is looked for below another.
const deepest = 8

// owned adds what is Terminating and has the object for an owner, also by way of owners that were not deleted: those a
// controller may keep on purpose, and pods come and go below them, so that it counts only where something is stuck.
func (d *descent) owned() {
	type step struct {
		owner *session.Object
		depth int
	}
	visited := map[string]bool{d.object.Ref.UID: true}
	for queue := []step{{owner: d.object}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, dependent := range d.survey.Owned(at.owner.Ref.UID) {
			if visited[dependent.Ref.UID] || at.owner.Ref.UID == "" {
				continue
			}
			visited[dependent.Ref.UID] = true
			if !dependent.Terminating() {
				if at.depth < deepest {
					queue = append(queue, step{dependent, at.depth + 1})
				}
				continue
			}
			bond := session.Bond{Strength: session.OwnedByIt, IfStuck: at.depth > 0, Evidence: []finding.Evidence{
				dependent.Ref.Observed("its ownerReferences name %s", at.owner.Ref),
			}}
			relation, through := finding.Owns, finding.LinkDetails{}
			if at.depth > 0 {
				relation, through.Object = "", &at.owner.Ref
				bond.Evidence = append(bond.Evidence, at.owner.Ref.Observed(
					"not deleted; its ownerReferences name %s", d.object.Ref))
			}
			bond.Link = finding.Phrase{Situation: "OwnedByIt", Details: through}
			d.add(dependent, bond, relation)
		}
	}
}

// bearing adds what is Terminating and has the object's uid for a label or an annotation, as some controllers mark what
// they have made. A name in a label is no bond: many objects have one name.
func (d *descent) bearing() {
	bearers := slices.SortedFunc(slices.Values(d.survey.Bearers(d.object.Ref.UID)), func(a, b session.Bearer) int {
		return cmp.Or(finding.Compare(a.Object.Ref, b.Object.Ref), cmp.Compare(a.Key, b.Key))
	})
	for _, bearer := range bearers {
		link := finding.Phrase{Situation: "MarkedWithUID", Details: finding.LinkDetails{Field: bearer.Key}}
		d.add(bearer.Object, session.Bond{Strength: session.BearsUID, Link: link, Evidence: []finding.Evidence{
			bearer.Object.Ref.Observed("%s is the uid of %s", bearer.Key, d.object.Ref),
		}}, "")
	}
}

// named adds what is Terminating and named by the object: in words first, which say why, then in fields.
func (d *descent) named(ctx context.Context, whole *unstructured.Unstructured) {
	kinds := d.session.ServedKinds(ctx).ByWord()
	for _, statement := range statuses.Statements(whole) {
		for _, reference := range statement.Named(func(word string) bool { return len(kinds[word]) > 0 }) {
			if blocker := d.meant(reference); blocker != nil {
				said := session.ObservedOf(d.object, statement.Where+": "+finding.Quoted(statement.Words))
				d.add(blocker, session.Bond{
					Strength: session.NamedInWords, Link: namedIn(statement.Where), Evidence: []finding.Evidence{said},
				}, "")
			}
		}
	}
	references := statuses.References(whole)
	// What is in the status was put there for what the object has made, and in the spec for what it uses, too.
	slices.SortStableFunc(references, func(a, b statuses.Reference) int { return strings.Compare(b.Path, a.Path) })
	for _, reference := range references {
		blocker := d.meant(reference)
		if blocker == nil || reference.Upward {
			continue
		}
		strength := session.NamedInStatus
		if reference.InSpec() {
			strength = session.NamedInSpec
		}
		if _, bound := d.seen[blocker.Ref.UID]; !bound && strength == session.NamedInSpec && d.mutual(ctx, blocker) {
			continue
		}
		observed := fmt.Sprintf("names %s in %s", blocker.Ref, reference.Path)
		d.add(blocker, session.Bond{Strength: strength, Link: namedIn(reference.Path), Evidence: []finding.Evidence{
			session.ObservedOf(d.object, observed),
		}}, "")
	}
}

func namedIn(field string) finding.Phrase {
	return finding.Phrase{Situation: "NamedInField", Details: finding.LinkDetails{Field: field}}
}

// meant returns what is Terminating and meant by a reference; nil where nothing is, or it could be several.
func (d *descent) meant(reference statuses.Reference) *session.Object {
	if reference.UID != "" && reference.Name == "" {
		if object, known := d.survey.Known(reference.UID); known && object.Terminating() {
			return object
		}
		return nil
	}
	var fitting []*session.Object
	for _, object := range d.survey.Named(reference.Name) {
		if reference.Fits(referent(object), d.object.Ref.Namespace) && object.Ref.UID != d.object.Ref.UID {
			fitting = append(fitting, object)
		}
	}
	if len(fitting) > 1 { // of several kinds of one name, the object's own group's is meant
		fitting = slices.DeleteFunc(fitting, func(object *session.Object) bool {
			return object.Resource.Group != d.object.Resource.Group
		})
	}
	if len(fitting) != 1 {
		return nil
	}
	return fitting[0]
}

// mutual reports whether something that the object's spec names does the same with the object: which of them waits for
// the other isn't told then.
func (d *descent) mutual(ctx context.Context, other *session.Object) bool {
	whole := d.wholeOf(ctx, other)
	if whole == nil {
		return false
	}
	self := referent(d.object)
	return slices.ContainsFunc(statuses.References(whole), func(reference statuses.Reference) bool {
		return !reference.Upward && reference.Fits(self, other.Ref.Namespace)
	})
}

func referent(object *session.Object) statuses.Referent {
	return statuses.Referent{
		Group: object.Resource.Group, Kind: object.Resource.Kind, Plural: object.Resource.Resource,
		Singular: object.Resource.Singular, Namespace: object.Ref.Namespace, Name: object.Ref.Name, UID: object.Ref.UID,
	}
}
