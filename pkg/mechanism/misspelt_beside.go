package mechanism

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// nameBeside is a finalizer that objects of a kind have.
type nameBeside struct {
	name    string
	objects []*Object
}

// SeeBeside keeps which finalizers the objects of each kind have, of a list that was made anyway: a name may be a
// misspelling of one of these.
func SeeBeside(t *Tools, listed []*Object) {
	t.beside = map[string][]nameBeside{}
	for _, object := range listed {
		kind := object.Resource.QualifiedName()
		for _, name := range object.Meta.Finalizers {
			at := slices.IndexFunc(t.beside[kind], func(beside nameBeside) bool { return beside.name == name })
			if at < 0 {
				at, t.beside[kind] = len(t.beside[kind]), append(t.beside[kind], nameBeside{name: name})
			}
			one := &t.beside[kind][at]
			one.objects = append(one.objects, object)
		}
	}
}

// meantBeside is the finalizer of other objects of the kind, which the catalogue need not know, that a name is probably
// a misspelling of: set by a program, or on more objects than the name that resembles it.
func meantBeside(beside map[string][]nameBeside, held Held) (meant meantName, misspelt bool) {
	listed, same := beside[held.Resource.QualifiedName()], 0
	for _, one := range listed {
		if one.name == held.Hold.Name {
			same = len(one.objects)
		}
	}
	for _, one := range listed {
		if !spelling.IsSlip(held.Hold.Name, one.name) {
			continue
		}
		meant = meantName{known: plugins.Finalizer{Names: []string{one.name}}, seen: one.objects[0]}
		for _, object := range one.objects { // a list has the managedFields of few
			setters := writers.Setters(object.Meta, one.name)
			if at := slices.IndexFunc(setters, byProgram); at >= 0 {
				meant.seen, misspelt = object, true
				if setters[at].Concrete() {
					meant.known.RemovedBy = setters[at].Manager
				}
				break
			}
		}
		if misspelt || len(one.objects) > same {
			return meant, true
		}
	}
	return meantName{}, false
}

// misspeltOn is misspeltFinalizer for a live object. It reads who set the finalizer only where the name is like
// another.
func misspeltOn(ctx context.Context, t *Tools, object *Object, finalizer string) (attribution.Absence, bool) {
	held := Held{Object: object, Hold: finding.Hold{Type: finding.Finalizer, Name: finalizer}}
	if _, known := t.Plugins.Find(finalizer, object.Resource.GroupKind().String()); known {
		return attribution.Absence{}, false
	}
	if _, like := meantBeside(t.beside, held); !like && len(namesNear(t, finalizer)) == 0 {
		return attribution.Absence{}, false
	}
	if object.Meta.ManagedFields == nil { // an inventory leaves out who set what
		live, err := t.Session.Reader.Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
		if err != nil || live.DeletionTimestamp != nil {
			return attribution.Absence{}, false
		}
		held.Object = session.FromMetadata(object.Resource, live)
	}
	answer, misspelt := misspeltFinalizer(ctx, t, held)
	return attribution.Foretell(answer), misspelt
}
