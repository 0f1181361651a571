package session

import (
	"cmp"
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Owners is who owns what, as far as a session reads it, each part of the cluster once.
type Owners struct {
	session  *Session
	indexes  cluster.Memo[Part, *ownerIndex]
	unlisted cluster.Memo[[2]*ownerIndex, *NotListed]
	lineages cluster.Memo[string, *Lineage] // by namespace
}

// ownerIndex holds the objects of one part of the cluster that have owners, by each owner's uid, and the ones that are
// Terminating. No API selects objects by these, so each part is read once and kept; all others are dropped on the way.
type ownerIndex struct {
	byOwner     map[string][]*Object
	terminating map[string]*Object
	known       map[ownership]int  // where in byOwner
	unread      []cluster.Unlisted // of these kinds, nothing is known
}

// ownership is one owner reference, by uids.
type ownership struct{ owner, dependent string }

// Part is a part of the cluster that is scanned in one go.
type Part struct {
	Namespace string // of namespaced kinds; empty for all
	Scope     scope
	Recent    bool // what the API server has in memory of it will do (cluster.Selector.Recent)
}

type scope string

const (
	Namespaced    scope = "namespaced kinds"
	ClusterScoped scope = "cluster-scoped kinds"
)

// DependentsIn returns the objects in one or two parts of the cluster that have an owner reference with a uid, and the
// kinds that could not be listed there, the same for every uid. The garbage collector, too, compares the uid alone
// (docs/deletion.md#foreground-deletion).
func (o *Owners) DependentsIn(
	ctx context.Context, uid string, parts ...Part,
) (found []*Object, unlisted *NotListed, err error) {
	seen, indexes := map[string]bool{}, [2]*ownerIndex{}
	o.session.ServedKinds(ctx).AskAll()
	for i, part := range parts {
		index, err := o.Index(ctx, part)
		if err != nil {
			return nil, nil, err
		}
		indexes[i] = index
		for _, dependent := range index.byOwner[uid] {
			uid := cmp.Or(dependent.Ref.UID, dependent.Ref.String()) // a manifest may lack it
			if !seen[uid] {                                          // one kind can be served by two groups
				found = append(found, dependent)
			}
			seen[uid] = true
		}
	}
	slices.SortFunc(found, func(a, b *Object) int { return finding.Compare(a.Ref, b.Ref) })
	unlisted, err = o.unlisted.Get(indexes, func() (*NotListed, error) { return notListed(indexes), nil })
	return found, unlisted, err
}

// Index returns who refers to which owner in a part of the cluster, read once.
func (o *Owners) Index(ctx context.Context, part Part) (*ownerIndex, error) {
	exact := Part{Namespace: part.Namespace, Scope: part.Scope}
	if _, known := o.indexes.Lookup(exact); known {
		part = exact
	}
	return o.indexes.Get(part, func() (*ownerIndex, error) {
		if part.Namespace != "" {
			if all, known := o.indexes.Lookup(Part{Scope: part.Scope}); known {
				return o.nearIndex(ctx, all, part.Namespace), nil
			}
		}
		return o.readIndex(ctx, part)
	})
}

func (o *Owners) readIndex(ctx context.Context, part Part) (*ownerIndex, error) {
	servedKinds, err := o.session.Reader.ServedKinds(ctx)
	if err != nil {
		return nil, err
	}
	resources := slices.DeleteFunc(slices.Clone(servedKinds.Watched()), func(resource cluster.Resource) bool {
		return scopeOf(resource) != part.Scope
	})
	index := newOwnerIndex()
	selector := cluster.Selector{Keep: cluster.KeepOwned | cluster.KeepTerminating, Recent: part.Recent}
	index.unread = o.session.scanAll(ctx, resources, part.Namespace, selector, index.add)
	return index, nil
}

// nearIndex narrows an index of all namespaces to one, and lists there what may not be listed everywhere.
func (o *Owners) nearIndex(ctx context.Context, all *ownerIndex, namespace string) *ownerIndex {
	near := newOwnerIndex()
	for uid, object := range all.terminating {
		if object.Ref.Namespace == namespace {
			near.terminating[uid] = object
		}
	}
	for owner, dependents := range all.byOwner {
		for _, dependent := range dependents {
			if dependent.Ref.Namespace == namespace {
				near.byOwner[owner] = append(near.byOwner[owner], dependent)
			}
		}
	}
	var forbidden []cluster.Resource
	for _, unlisted := range all.unread {
		if apierrors.IsForbidden(unlisted.Err) {
			forbidden = append(forbidden, unlisted.Resource)
		} else {
			near.unread = append(near.unread, unlisted)
		}
	}
	keep := cluster.Selector{Keep: cluster.KeepOwned | cluster.KeepTerminating}
	near.unread = append(near.unread, o.session.scanAll(ctx, forbidden, namespace, keep, near.add)...)
	return near
}

func (o *Owners) keepIndexes(
	servedKinds *cluster.ServedKinds, area Area, indexes map[scope]*ownerIndex, unlisted []cluster.Unlisted,
) {
	watched := map[string]bool{}
	for _, resource := range servedKinds.Watched() {
		watched[resource.String()] = true
	}
	for kind, index := range indexes {
		if kind == ClusterScoped && area.Namespace != "" {
			continue // these were not read
		}
		for _, one := range unlisted {
			if scopeOf(one.Resource) == kind && watched[one.String()] {
				index.unread = append(index.unread, one)
			}
		}
		o.indexes.Put(Part{Scope: kind, Namespace: area.Namespace}, index)
	}
}

func newOwnerIndex() *ownerIndex {
	return &ownerIndex{
		byOwner: map[string][]*Object{}, terminating: map[string]*Object{}, known: map[ownership]int{},
	}
}

// add keeps an object under each of its owners, once: a list that starts again visits its objects again.
func (i *ownerIndex) add(object *Object) {
	if uid := cmp.Or(object.Ref.UID, object.Ref.String()); object.Terminating() { // a manifest may lack its uid
		i.terminating[uid] = rather(i.terminating[uid], object)
	}
	for _, owner := range object.Meta.OwnerReferences {
		key := ownership{owner: string(owner.UID), dependent: object.Ref.UID}
		dependents := i.byOwner[key.owner]
		if at, known := i.known[key]; known {
			dependents[at] = rather(dependents[at], object)
			continue
		}
		i.known[key] = len(dependents)
		i.byOwner[key.owner] = append(dependents, object)
	}
}

// Blocks reports whether a dependent keeps an owner from going in foreground deletion: one of its references has the
// owner's uid and blockOwnerDeletion (k8s v1.37 pkg/controller/garbagecollector/graph.go:blockingDependents).
func Blocks(dependent *Object, ownerUID string) bool {
	return slices.ContainsFunc(dependent.Meta.OwnerReferences, func(owner metav1.OwnerReference) bool {
		return string(owner.UID) == ownerUID && owner.BlockOwnerDeletion != nil && *owner.BlockOwnerDeletion
	})
}

// KnownReferrers is Referrers as far as something else has read who refers to what: it reads nothing.
func (o *Owners) KnownReferrers(owner *Object) (found []*Object) {
	seen := map[string]bool{}
	for _, part := range []Part{
		{Scope: Namespaced}, {Scope: Namespaced, Namespace: owner.Ref.Namespace}, {Scope: ClusterScoped},
		{Scope: Namespaced, Recent: true}, {Scope: Namespaced, Namespace: owner.Ref.Namespace, Recent: true},
		{Scope: ClusterScoped, Recent: true},
	} {
		index, known := o.indexes.Lookup(part)
		if !known || index == nil {
			continue
		}
		for _, dependent := range index.byOwner[owner.Ref.UID] {
			if !seen[dependent.Ref.UID] {
				found = append(found, dependent)
			}
			seen[dependent.Ref.UID] = true
		}
	}
	return found
}

// Referrers returns the objects that refer to one as their owner, and the kinds that could not be listed. Those without
// blockOwnerDeletion count as well: the garbage collector deals with them when the owner is gone.
func (o *Owners) Referrers(ctx context.Context, owner *Object) ([]*Object, *NotListed, error) {
	namespaced := Part{Scope: Namespaced, Namespace: owner.Ref.Namespace}
	return o.DependentsIn(ctx, owner.Ref.UID, namespaced, Part{Scope: ClusterScoped})
}
