package mechanism

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// bearer says which controller is responsible for a hold if the kind and the finalizer don't: a storage driver, a Job's
// manager, or the cloud's controller. It says so for live objects as well.
type bearer struct {
	// namedBy is the object in which the name stands of who has the duty: the held one or another. It is nil where
	// there is none. A nil function says that one has it for all objects in the cluster.
	namedBy func(*Object) *Object
	// name is who it is by that object, which was read whole; nothing where it is whoever has it as a rule.
	name func(held Held, by *Object) string
	// alone says that no controller has the duty if none is named.
	alone bool
	// fares says what state that controller is in, whether or not the object is being deleted.
	fares func(ctx context.Context, t *Tools, held Held, by *Object) attribution.Presence
}

// Duty is a finalizer of an object that says itself whose it is to remove that.
type Duty struct {
	By     *Object // which field says so; nil for none
	held   Held
	bearer *bearer
}

// DutyByObject reports whether an object says which controller removes a finalizer, and where.
func DutyByObject(object *Object, finalizer string) (Duty, bool) {
	hold := finding.Hold{Type: finding.Finalizer, Name: finalizer}
	for _, mechanism := range Table() {
		if mechanism.bearer == nil || !mechanism.about(object, hold) {
			continue
		}
		duty := Duty{held: Held{Object: object, Hold: hold}, bearer: mechanism.bearer}
		if duty.bearer.namedBy == nil {
			return duty, true
		}
		duty.By = duty.bearer.namedBy(object)
		return duty, duty.By != nil
	}
	return Duty{}, false
}

// Name is the controller that has the duty, or empty: the usual one, or not known. The object that has the name is read
// whole. An error says that it can't be read; an object that is gone names none.
func (d Duty) Name(ctx context.Context, t *Tools) (string, error) {
	if d.By == nil {
		return "", nil
	}
	if _, err := t.Session.Whole(ctx, d.By); err != nil {
		if apierrors.IsNotFound(err) {
			err = nil
		}
		return "", err
	}
	return d.bearer.name(d.held, d.By), nil
}

// fares says what state the responsible controller is in. It answers false if the object names none.
func (d Duty) fares(ctx context.Context, t *Tools) (attribution.Presence, bool) {
	name, err := d.Name(ctx, t)
	switch {
	case err != nil:
		return attribution.NotRead(finding.Unread{Object: &d.By.Ref}.Because(err)), true
	case d.By != nil && name == "":
		return attribution.Presence{}, false
	}
	return d.bearer.fares(ctx, t, d.held, d.By), true
}

// Absent reports whether a finalizer on a live object has a controller that can remove it.
func Absent(ctx context.Context, t *Tools, object *Object, finalizer string) attribution.Absence {
	if duty, is := DutyByObject(object, finalizer); is {
		if found, named := duty.fares(ctx, t); named || duty.bearer.alone {
			return found.Absence()
		}
	}
	if found, misspelt := misspeltOn(ctx, t, object, finalizer); misspelt {
		return found
	}
	return t.Attribution.Absent(ctx, object, finalizer)
}

// Presence looks for a finalizer's controller for objects of a kind. known is nil where the catalogue does not know the
// finalizer. Where only an object can tell whose it is, one that has it is looked for.
func Presence(
	ctx context.Context, t *Tools, resource cluster.Resource, finalizer string, known *plugins.Finalizer,
) attribution.Presence {
	kind := session.Named(resource, "", "")
	kind.Meta = &metav1.PartialObjectMetadata{}
	hold := finding.Hold{Type: finding.Finalizer, Name: finalizer}
	if !namesBearer(kind, hold) {
		return t.Attribution.Presence(ctx, resource, finalizer, known)
	}
	example, _ := session.Example(ctx, t.Session.Reader, resource, finalizer) // without one, the kind says what it can
	if example != nil {
		return PresenceFor(ctx, t, example, finalizer, known)
	}
	if duty, is := DutyByObject(kind, finalizer); is && duty.bearer.namedBy == nil {
		if found, named := duty.fares(ctx, t); named {
			return found
		}
	}
	return t.Attribution.Presence(ctx, resource, finalizer, known)
}

// PresenceFor is Presence for an object that has the finalizer, and for others that name the same controller.
func PresenceFor(
	ctx context.Context, t *Tools, example *Object, finalizer string, known *plugins.Finalizer,
) attribution.Presence {
	if duty, is := DutyByObject(example, finalizer); is {
		if found, named := duty.fares(ctx, t); named {
			seen := example.Ref.Observed("has the finalizer, and was examined as an example")
			found.Evidence = append([]Evidence{seen}, found.Evidence...)
			return found
		}
	}
	return t.Attribution.Presence(ctx, example.Resource, finalizer, known)
}

func namesBearer(kind *Object, hold finding.Hold) bool {
	for _, mechanism := range Table() {
		if mechanism.bearer != nil && mechanism.about(kind, hold) {
			return true
		}
	}
	return false
}
