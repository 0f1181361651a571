package audit

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostVolumes is how many volumes and attachments are read whole, which name their drivers there alone.
const mostVolumes = 500

// readVolumes reads those live objects whole that storage drivers hold. It returns those that were too many, and
// says so.
func (c *checker) readVolumes(ctx context.Context) (skipped map[*session.Object]bool) {
	held := slices.DeleteFunc(slices.Clone(c.inventory.Held), func(object *session.Object) bool {
		return object.Terminating() || !slices.ContainsFunc(
			object.Meta.Finalizers, func(name string) bool { return mechanism.HeldByDriver(object, name) },
		)
	})
	skipped = map[*session.Object]bool{}
	for _, object := range held[min(len(held), mostVolumes):] {
		skipped[object] = true
	}
	if len(skipped) > 0 {
		c.note(finding.Finding{
			Situation: "VolumesNotAsked", Details: finding.CheckedDetails{Asked: mostVolumes, More: len(skipped)},
		})
	}
	c.tools.Session.Refetch(ctx, held[:len(held)-len(skipped)])
	return skipped
}

// absence asks for one sort of finalizers whether somebody is there to remove them.
func (c *checker) absence(ctx context.Context, one *heldSort) attribution.Absence {
	object := one.objects[0]
	if !mechanism.HeldByDriver(object, one.finalizer) {
		return c.tools.Attribution.Absent(ctx, object, one.finalizer)
	}
	if _, err := c.tools.Session.Whole(ctx, object); apierrors.IsNotFound(err) {
		return attribution.Absence{} // it has gone since
	} else if err != nil {
		return attribution.Absence{Unread: []finding.Unread{finding.Unread{Object: &object.Ref}.Because(err)}}
	}
	if one.rights == "" {
		return attribution.Absence{} // nothing tells whose it is
	}
	return c.tools.AbsentDriver(ctx, object, one.finalizer, one.rights)
}
