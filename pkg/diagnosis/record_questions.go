package diagnosis

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Recorded asks the questions that a recording must be able to answer, while it is made, and looks at nothing twice. It
// implements snapshot.Questions.
type Recorded struct {
	mechanism.Options
	Namespace string // empty for all of them

	tools   *mechanism.Tools
	objects []*session.Object // that are Terminating
}

// Why diagnoses one target.
func (r *Recorded) Why(ctx context.Context, reader cluster.Reader, asked session.Target) error {
	_, _, err := why(ctx, r.Scanning(reader), asked)
	return err
}

// Find implements snapshot.Questions. It is an error if nothing could be listed.
func (r *Recorded) Find(ctx context.Context, reader cluster.Reader) (kinds []cluster.Resource, err error) {
	r.tools = r.Scanning(reader)
	if r.objects, err = scan(ctx, r.tools, session.Area{Namespace: r.Namespace}, true); err != nil {
		return nil, err
	}
	for _, object := range r.objects {
		kinds = append(kinds, object.Resource)
	}
	return kinds, nil
}

// Explain implements snapshot.Questions.
func (r *Recorded) Explain(ctx context.Context, examples bool) {
	objects := r.objects
	if examples {
		objects = examplesOf(objects)
	}
	diagnoseAll(ctx, r.tools, objects)
}

// OfLive implements snapshot.Questions: check asks who paused or protected live objects.
func (r *Recorded) OfLive(
	resource cluster.Resource, finalizer string, owners []schema.GroupKind,
) []schema.GroupKind {
	return mechanism.KindsWithSwitches(r.tools, resource, finalizer, owners)
}

// mostAlike is how many objects of one sort are examples of it.
const mostAlike = 2

// examplesOf returns a few objects of each sort: of one kind, with the same holds and owners of the same kinds.
func examplesOf(objects []*session.Object) []*session.Object {
	seen := map[string]int{}
	var chosen []*session.Object
	for _, object := range objects {
		parts := []string{object.Resource.String()}
		for _, hold := range object.Holds() {
			parts = append(parts, fmt.Sprintf("%s %s", hold.Type, hold.Name))
		}
		for _, owner := range object.Meta.OwnerReferences {
			parts = append(parts, owner.APIVersion+" "+owner.Kind)
		}
		slices.Sort(parts[1:])
		sort := strings.Join(slices.Compact(parts), "\n")
		if seen[sort]++; seen[sort] <= mostAlike {
			chosen = append(chosen, object)
		}
	}
	return chosen
}
