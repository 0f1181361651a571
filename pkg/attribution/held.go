package attribution

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// held is one hold of an object, and what the search for its controller came to: that says who it is, and the object
// how things stand between them.
type held struct {
	search
	object  *session.Object
	hold    finding.Hold
	setters []controller.Setter
	status  controller.Written // the last write to the object's status
	// template is what the object was made of, if the entry comes from there.
	template *template
	// note is what the catalogue says, which is the answer where nothing tells more.
	note finding.Finding
}

// heldBy begins to look into one hold of an object. known is nil where no plugin knows the finalizer.
func (f *Finder) heldBy(object *session.Object, hold finding.Hold, known *plugins.Finalizer) *held {
	h := &held{
		object: object, hold: hold, setters: controller.Setters(object.Meta, hold.Name),
		status: controller.StatusWritten(object.Meta.ManagedFields),
	}
	h.finder, h.session, h.health = f, f.Session, f.Health
	h.criteria = criteria{resource: object.Resource, namespace: object.Ref.Namespace, finalizer: hold.Name, known: known}
	for _, setter := range h.setters {
		if setter.Concrete() {
			h.managers = append(h.managers, setter.Manager)
		}
	}
	h.written = !h.lastProgram().At.IsZero()
	return h
}

// find looks for the controller, unless that was done for an object that is like this one.
func (h *held) find(ctx context.Context) { h.search = h.finder.searched(ctx, h.criteria) }
