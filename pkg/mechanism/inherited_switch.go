package mechanism

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
)

// inheritedSwitch looks for what is named as a pause where a pause is meant for several objects: on the owners and
// classes of the same API group, so probably of the same controller, and on the namespace under that group's name.
func inheritedSwitch(ctx context.Context, t *switchSearch, held Held) (*Object, *switches.Switch) {
	classes, unread := attribution.ClassesOf(ctx, t.Attribution, held.Object)
	t.unread = append(t.unread, unread...)
	bearers := append(ownersOfGroup(ctx, t, held.Object), classes...)
	for _, bearer := range bearers {
		for _, found := range switches.Named(fieldsOf(bearer)) {
			if found.Inherits {
				return bearer, &found
			}
		}
	}
	return namespaceSwitch(ctx, t, held)
}

// ownersOfGroup are the owners of an object of its own API group, and theirs, the nearest first, read whole. Who pauses
// what is at the top means all that was made for it: a Machine's MachineSet, its MachineDeployment, and its Cluster.
func ownersOfGroup(ctx context.Context, t *switchSearch, object *Object) (owners []*Object) {
	const highest, mostAbove = 4, 8
	level, seen := []*Object{object}, map[string]bool{object.Ref.UID: true}
	for range highest {
		var above []*Object
		for _, one := range level {
			for _, owner := range ownersInGroup(ctx, t, one) {
				if !seen[owner.Ref.UID] && len(owners)+len(above) < mostAbove {
					seen[owner.Ref.UID] = true
					above = append(above, owner)
				}
			}
		}
		owners, level = append(owners, above...), above
	}
	return owners
}

// ownersInGroup are the owners of an object of its own API group, read whole.
func ownersInGroup(ctx context.Context, t *switchSearch, object *Object) (owners []*Object) {
	for _, reference := range object.Meta.OwnerReferences[:min(mostOwners, len(object.Meta.OwnerReferences))] {
		if schema.FromAPIVersionAndKind(reference.APIVersion, reference.Kind).Group != object.Resource.Group {
			continue
		}
		judged := judgeReference(ctx, t.Session, object, reference)
		t.missed(judged.Named(), judged.Err)
		if owner := judged.Owner; owner != nil {
			t.missed(owner.Ref, t.Attribution.ReadFields(ctx, owner))
			owners = append(owners, owner)
		}
	}
	return owners
}

// namespaceSwitch looks for a pause in the annotations and labels of an object's namespace whose names are of the
// object's project.
func namespaceSwitch(ctx context.Context, t *switchSearch, held Held) (*Object, *switches.Switch) {
	if held.Ref.Namespace == "" {
		return nil, nil
	}
	namespace, err := t.Session.Read(ctx, cluster.Namespaces(), "", held.Ref.Namespace)
	if err != nil {
		t.missed(session.Named(cluster.Namespaces(), "", held.Ref.Namespace).Ref, err)
		return nil, nil
	}
	for _, found := range switches.Named(fieldsOf(namespace)) {
		domain, _, qualified := strings.Cut(found.Path[len(found.Path)-1], "/")
		if found.Inherits && qualified && (ofProject(domain, held.Resource.Group) ||
			ofProject(domain, naming.Domain(held.Hold.Name))) {
			return namespace, &found
		}
	}
	return nil, nil
}

// ofProject reports whether a domain is that of a group, or one above or below it, and not one that many share.
func ofProject(domain, group string) bool {
	return group != "" && !naming.Shared(domain) &&
		(domain == group || strings.HasSuffix(group, "."+domain) || strings.HasSuffix(domain, "."+group))
}
