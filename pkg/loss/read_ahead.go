package loss

import (
	"cmp"
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// carrier is a kind whose objects take something along.
type carrier struct {
	kind schema.GroupKind
	// sought says that the kind is looked through for dependents of an object where nothing has listed everything. Not
	// StatefulSets, whose claims name them as their owner if they go with them, nor Pods and Nodes.
	sought bool
	read   bool // to know what goes with an object, it is read whole
}

// carriers are the kinds that With and Deleting are about, what is worst first.
func carriers() []carrier {
	kind := func(group, name string) schema.GroupKind { return schema.GroupKind{Group: group, Kind: name} }
	return []carrier{
		{kind: kind("", "PersistentVolumeClaim"), sought: true, read: true},
		{kind: kind("", "PersistentVolume"), sought: true, read: true},
		{kind: kind(snapshots, "VolumeSnapshot"), sought: true, read: true},
		{kind: kind(snapshots, "VolumeSnapshotContent"), sought: true, read: true},
		{kind: kind("", "Namespace"), sought: true},
		{kind: kind("apiextensions.k8s.io", "CustomResourceDefinition"), sought: true},
		{kind: kind("", "Secret"), sought: true},
		{kind: kind("apps", "StatefulSet"), read: true},
		{kind: kind("", "Service"), sought: true, read: true},
		{kind: kind("", "Node")},
		{kind: kind("", "Pod"), read: true},
	}
}

// rank is an object's place among the kinds that take something along; false for all others.
func rank(object *session.Object) (place int, carries bool) {
	place = slices.IndexFunc(carriers(), func(one carrier) bool { return one.kind == object.Resource.GroupKind() })
	return place, place >= 0
}

// worstFirst returns the ones of some objects that take something along, what is worst first.
func worstFirst(objects []*session.Object) []*session.Object {
	carrying := slices.DeleteFunc(slices.Clone(objects), func(object *session.Object) bool {
		_, carries := rank(object)
		return !carries
	})
	slices.SortStableFunc(carrying, func(a, b *session.Object) int {
		first, _ := rank(a)
		second, _ := rank(b)
		return cmp.Compare(first, second)
	})
	return carrying
}

// inOrder returns objects in an order that doesn't depend on which list arrived first: what takes something along comes
// before the others, what is worst first.
func inOrder(objects []*session.Object) []*session.Object {
	place := func(object *session.Object) int {
		if place, carries := rank(object); carries {
			return place
		}
		return len(carriers())
	}
	return slices.SortedStableFunc(slices.Values(objects), func(a, b *session.Object) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Ref.String(), b.Ref.String()))
	})
}

// ReadAhead reads what Deleting needs of some objects, side by side, and in lists where it is much.
func (t *Teller) ReadAhead(ctx context.Context, objects []*session.Object) {
	var whole, behind []*session.Object
	for _, object := range objects {
		if place, carries := rank(object); carries && carriers()[place].read {
			whole = append(whole, object)
		}
	}
	t.Session.Wholes(ctx, whole)
	for _, object := range whole {
		switch name := VolumeOf(object); {
		case object.Is("", "Pod"):
			if pod, err := session.ReadAs[corev1.Pod](ctx, t.Session, object); err == nil {
				behind = append(behind, claimsOf(pod)...)
			}
		case object.Is("", "PersistentVolumeClaim") && name != "":
			behind = append(behind, session.Named(cluster.PersistentVolumes(), "", name))
		case object.Is(snapshots, "VolumeSnapshot"):
			if content := t.contentOf(ctx, object); content != nil {
				behind = append(behind, content)
			}
		}
	}
	t.Session.Wholes(ctx, behind)
}

// Sought are the kinds that are looked through for what goes with an object of its own data, where nothing has listed
// everything: with an owner in a namespace, only what is there.
func (t *Teller) Sought(ctx context.Context, owner *session.Object) (kinds []cluster.Resource) {
	servedKinds := t.Session.ServedKinds(ctx)
	for _, one := range carriers() {
		resource, served := servedKinds.OfKind(one.kind)
		if one.sought && served && (resource.Namespaced || owner.Ref.Namespace == "") {
			kinds = append(kinds, resource)
		}
	}
	return kinds
}

// UnlistedSought are the ones of some kinds that could not be listed that Sought returns.
func (t *Teller) UnlistedSought(
	ctx context.Context, owner *session.Object, unlisted []cluster.Unlisted,
) (sought []cluster.Unlisted) {
	kinds := t.Sought(ctx, owner)
	return slices.DeleteFunc(slices.Clone(unlisted), func(one cluster.Unlisted) bool {
		same := func(kind cluster.Resource) bool { return kind.GroupKind() == one.GroupKind() }
		return !slices.ContainsFunc(kinds, same)
	})
}

// ForLossesOnly reports whether lists of a resource, RESOURCE or RESOURCE.GROUP, are read only to tell what is lost:
// they are no evidence of who holds an object.
func ForLossesOnly(resource string) bool {
	return resource == "secrets" || strings.HasSuffix(resource, "."+snapshots)
}
