// Package record makes recordings: of an area, or of what it takes to answer a question. What to
// record is found out by asking, because a list of what each mechanism reads would be wrong with the
// next mechanism (docs/decisions/0010).
package record

import (
	"context"
	"errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// Answer records what ask reads. It returns the error of ask, and that of ctx.
func Answer(ctx context.Context, recorder *snapshot.Recorder, ask func(ctx context.Context, reader cluster.Reader) error) error {
	if _, err := recorder.Catalog(ctx); err != nil {
		return err
	}
	return errors.Join(ask(ctx, cluster.NewCachedReader(recorder)), ctx.Err())
}

// Questions are asked about an area while it is recorded.
type Questions interface {
	// Find lists the metadata of everything in the area, and returns the kinds of what is Terminating.
	Find(ctx context.Context, reader cluster.Reader) ([]cluster.Resource, error)
	// Explain asks of the same Reader why all that is Terminating, or of each sort a few examples.
	Explain(ctx context.Context, examples bool)
}

// Area lists everything in one namespace, or in all for an empty one, and has what is Terminating explained,
// as far as that may read more than the lists hold.
func Area(ctx context.Context, recorder *snapshot.Recorder, namespace string, questions Questions) error {
	recorder.Wide = true
	scope := snapshot.Scope{Namespace: namespace}
	if err := recorder.First(ctx, scope); err != nil {
		return err
	}
	terminating, err := questions.Find(ctx, cluster.NewCachedReader(recorder))
	if err != nil {
		return err
	}
	if err := recorder.Rest(ctx, scope); err != nil {
		return err
	}
	recorder.Whole(ctx, terminating, scope)
	catalog, err := recorder.Catalog(ctx)
	if err != nil {
		return err
	}
	// Where the lists hold every single object, examples show which kinds are read whole.
	complete := namespace == "" && len(catalog.Failed) == 0 && len(recorder.Missing()) == 0
	questions.Explain(ctx, complete)
	if complete {
		recorder.ReadWhole(ctx, scope)
	}
	return ctx.Err()
}
