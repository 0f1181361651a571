// Package record makes recordings: of an area, or of what it takes to explain some objects. What to
// record is found out by asking, because a list of what each mechanism reads would be wrong with the
// next mechanism (docs/decisions/0010).
package record

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Options says how diagnoses are made while they are recorded.
type Options struct {
	Plugins *plugins.Set
	Kubectl session.Kubectl
	// Deep reads every kind where nothing narrower decides, as why --deep does.
	Deep bool
}

func (o Options) world(reader cluster.Reader) *mechanism.Tools {
	world := mechanism.NewTools(reader, o.Plugins, o.Kubectl)
	world.Session.Deep = o.Deep
	world.Session.Pause = func(context.Context, time.Duration) error { return errors.New("a recording doesn't look twice") }
	return world
}

// Targets asks why each target is Terminating, while what that reads is written down. It returns what
// could not be asked, as explained by the caller.
func Targets(ctx context.Context, recorder *snapshot.Recorder, o Options, targets []diagnosis.Target, explained func(diagnosis.Target, error) error) error {
	shared := cluster.NewCachedReader(recorder)
	if _, err := recorder.Catalog(ctx); err != nil {
		return err
	}
	var failed error
	for _, target := range targets {
		if _, err := diagnosis.Why(ctx, o.world(shared), target); err != nil {
			failed = errors.Join(failed, explained(target, err))
		}
	}
	return errors.Join(failed, ctx.Err())
}

// Area lists everything in one namespace, or in all for an empty one, and diagnoses what is Terminating
// as far as that may read more than the lists hold. The survey tells what could be listed.
func Area(ctx context.Context, recorder *snapshot.Recorder, o Options, namespace string) (*session.Survey, error) {
	recorder.Wide = true
	scope := snapshot.Scope{Namespace: namespace}
	if err := recorder.First(ctx, scope); err != nil {
		return nil, err
	}
	world := o.world(cluster.NewCachedReader(recorder))
	survey, err := world.Session.Survey(ctx, session.Area{Namespace: namespace}, true)
	if err != nil {
		return nil, err
	}
	if err := recorder.Rest(ctx, scope); err != nil {
		return nil, err
	}
	var held []cluster.Resource
	for _, object := range survey.Terminating {
		held = append(held, object.Resource)
	}
	recorder.Whole(ctx, held, scope)
	complete, err := isComplete(ctx, recorder, scope)
	switch {
	case err != nil:
		return nil, err
	case complete:
		diagnosis.List(ctx, world, typical(survey.Terminating))
		recorder.ReadWhole(ctx, scope)
	default:
		diagnosis.List(ctx, world, survey.Terminating)
	}
	return survey, ctx.Err()
}

// isComplete tells whether the lists of an area answer for every single object: it is the whole cluster,
// and none of them failed.
func isComplete(ctx context.Context, recorder *snapshot.Recorder, scope snapshot.Scope) (bool, error) {
	catalog, err := recorder.Catalog(ctx)
	if err != nil {
		return false, err
	}
	return scope.Namespace == "" && len(catalog.Failed) == 0 && len(recorder.Missing()) == 0, nil
}

// mostAlike is how many objects of one sort are diagnosed where all objects are in the recording: these
// show which kinds are read whole.
const mostAlike = 2

// typical returns a few objects of each sort: of one kind, with the same holds and owners of the same
// kinds.
func typical(objects []*session.Object) []*session.Object {
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
