package diagnosis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Recorded asks the questions that a recording has to answer, while it is made. It implements snapshot.Questions.
type Recorded struct {
	Plugins   *plugins.Set
	Kubectl   session.Kubectl
	Deep      bool   // read every kind where nothing narrower decides, as why --deep does
	Namespace string // empty for all of them
	// Survey is what Find has found.
	Survey *session.Survey

	world *mechanism.Tools
}

// World returns a world that doesn't look twice.
func (r *Recorded) World(reader cluster.Reader) *mechanism.Tools {
	world := mechanism.NewTools(reader, r.Plugins, r.Kubectl)
	world.Session.Deep = r.Deep
	world.Session.Pause = func(context.Context, time.Duration) error { return errors.New("a recording doesn't look twice") }
	return world
}

// Find implements snapshot.Questions.
func (r *Recorded) Find(ctx context.Context, reader cluster.Reader) (kinds []cluster.Resource, err error) {
	r.world = r.World(reader)
	if r.Survey, err = r.world.Session.Survey(ctx, session.Area{Namespace: r.Namespace}, true); err != nil {
		return nil, err
	}
	for _, object := range r.Survey.Terminating {
		kinds = append(kinds, object.Resource)
	}
	return kinds, nil
}

// Explain implements snapshot.Questions.
func (r *Recorded) Explain(ctx context.Context, examples bool) {
	objects := r.Survey.Terminating
	if examples {
		objects = examplesOf(objects)
	}
	List(ctx, r.world, objects)
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
