package mechanism

import (
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// switchSearch is the search for a switch of a hold.
type switchSearch struct {
	*Tools
	unread []finding.Unread // what may bear one, and could not be read
}

// missed remembers what could not be read, unless it isn't there.
func (s *switchSearch) missed(object finding.Ref, err error) {
	if err != nil && !apierrors.IsNotFound(err) {
		s.unread = append(s.unread, finding.UnreadObject(object).Because(err))
	}
}

// switchOn returns the first switch that is on, and the object that bears it: the held one, one that it names, or one
// of its owners. Only where the catalogue knows nothing of the finalizer, names tell what is a switch.
func switchOn(ctx context.Context, t *switchSearch, held Held, said Answer) (*Object, *switches.Switch) {
	known, isKnown := t.Plugins.Find(held.Hold.Name, held.Resource.GroupKind().String())
	if isKnown {
		return knownSwitch(ctx, t, held.Object, known.Switches, said)
	}
	if cluster.ServedByKubernetes(held.Resource.Group) || len(said.Waits) > 0 || said.Absent() || lacksReads(said) {
		return nil, nil
	}
	t.missed(held.Ref, t.Attribution.ReadFields(ctx, held.Object)) // its metadata is there
	for _, found := range switches.Named(fieldsOf(held.Object)) {
		if found.Vague && len(troubles(said, Finding{})) > 0 {
			continue
		}
		if concerns(found, held) && (found.Protects && !found.Vague || !acts(said)) {
			return held.Object, &found
		}
	}
	if acts(said) {
		return nil, nil
	}
	return inheritedSwitch(ctx, t, held)
}

// concerns reports whether a switch that is known by its name may be meant for the controller of a hold: for the kind's
// own, unless the switch's name has the domain of the finalizer. A finalizer of another project is another program's
// where the kind's own has one beside it, and that program may not know the switch. An annotation or a label with the
// domain of a third project is that one's switch.
func concerns(found switches.Switch, held Held) bool {
	foreign := func(finalizer string) bool {
		return naming.Foreign(finalizer, held.Resource.Group, held.Resource.Resource, held.Resource.Kind)
	}
	name := found.Path[len(found.Path)-1]
	named, _, qualified := strings.Cut(name, "/")
	if qualified && foreign(name) && !naming.SameRegistrant(named, held.Resource.Group) &&
		!naming.SameRegistrant(named, naming.Domain(held.Hold.Name)) {
		return false
	}
	return qualified && ofProject(named, naming.Domain(held.Hold.Name)) || !foreign(held.Hold.Name) ||
		!slices.ContainsFunc(held.Object.Meta.Finalizers, func(finalizer string) bool {
			return naming.RelationOf(naming.Domain(finalizer), held.Resource.Group) != naming.Unrelated
		})
}

// knownSwitch looks for a switch of the catalogue. That the controller isn't there is enough to know: other objects are
// not read then.
func knownSwitch(
	ctx context.Context, t *switchSearch, object *Object, known []plugins.Switch, said Answer,
) (*Object, *switches.Switch) {
	if found := switchesOf(ctx, t, object, own(known)); len(found) > 0 {
		return object, &found[0]
	}
	if said.Absent() {
		return nil, nil
	}
	ofOwners := false
	for _, one := range known {
		if one.Named == "" {
			ofOwners = ofOwners || one.Of != "" && one.Of != object.Resource.GroupKind().String()
		} else if bearer := namedBearer(ctx, t, object, one); bearer != nil {
			one.Named = ""
			if found := switchesOf(ctx, t, bearer, []plugins.Switch{one}); len(found) > 0 {
				return bearer, &found[0]
			}
		}
	}
	if !ofOwners {
		return nil, nil
	}
	return ownerSwitch(ctx, t, object, own(known), map[string]bool{})
}

// own are the switches that the held object or its owners have.
func own(known []plugins.Switch) []plugins.Switch {
	return slices.DeleteFunc(slices.Clone(known), func(one plugins.Switch) bool { return one.Named != "" })
}

// switchesOf returns the switches of an object that are on, which is read whole if one of them is not in its metadata.
func switchesOf(ctx context.Context, t *switchSearch, object *Object, known []plugins.Switch) []switches.Switch {
	kind := object.Resource.GroupKind().String()
	mine := func(one plugins.Switch) bool { return one.Of == "" || one.Of == kind }
	if slices.ContainsFunc(known, func(one plugins.Switch) bool { return mine(one) && !switches.InMetadata(one) }) {
		t.missed(object.Ref, t.Attribution.ReadFields(ctx, object)) // its metadata is there
	}
	return switches.On(fieldsOf(object), kind, known)
}

// namedBearer reads the object that bears a switch and is no owner: a class, the namespace, or the settings of the
// controller. It is nil if that one isn't there, or can't be read.
func namedBearer(ctx context.Context, t *switchSearch, object *Object, known plugins.Switch) *Object {
	resource, served := t.Session.ServedKinds(ctx).OfKind(schema.ParseGroupKind(known.Of))
	if !served {
		return nil
	}
	if known.Named != "" && !switches.Here(known) {
		t.missed(object.Ref, t.Attribution.ReadFields(ctx, object))
	}
	name, namespace := switches.Bearer(fieldsOf(object), known), ""
	if resource.Namespaced {
		namespace = object.Ref.Namespace
	}
	if name == "" || cluster.CheckName(namespace, name) != nil {
		return nil
	}
	bearer, err := t.Session.Read(ctx, resource, namespace, name)
	if err != nil {
		t.missed(session.Named(resource, namespace, name).Ref, err)
		return nil
	}
	return bearer
}

// ownerSwitch looks at owners, and at theirs, for switches of the catalogue.
func ownerSwitch(
	ctx context.Context, t *switchSearch, object *Object, known []plugins.Switch, seen map[string]bool,
) (*Object, *switches.Switch) {
	for _, judged := range references(ctx, t.Session, object) {
		owner := judged.Owner
		t.missed(judged.Named(), judged.Err)
		if owner == nil || seen[owner.Ref.UID] || len(seen) == mostOwners {
			continue
		}
		seen[owner.Ref.UID] = true
		kind := owner.Resource.GroupKind().String()
		ofOwners := slices.DeleteFunc(slices.Clone(known), func(one plugins.Switch) bool { return one.Of != kind })
		if found := switchesOf(ctx, t, owner, ofOwners); len(found) > 0 {
			return owner, &found[0]
		}
		if bearer, on := ownerSwitch(ctx, t, owner, known, seen); on != nil {
			return bearer, on
		}
	}
	return nil, nil
}

// fieldsOf are the fields of an object, as far as it was read.
func fieldsOf(object *Object) map[string]any {
	if object.Whole != nil {
		return object.Whole.Object
	}
	return map[string]any{"metadata": map[string]any{
		"name": object.Ref.Name, "namespace": object.Ref.Namespace,
		"annotations": valuesOf(object.Meta.Annotations), "labels": valuesOf(object.Meta.Labels),
	}}
}

func valuesOf(texts map[string]string) map[string]any {
	values := map[string]any{}
	for key, text := range texts {
		values[key] = text
	}
	return values
}
