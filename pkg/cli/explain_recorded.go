package cli

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// mostHolders is how many objects with a finalizer are named.
const mostHolders = 10

// held returns what holds a finalizer in a recording, as far as objects are in it.
func (o *explainOptions) held(ctx context.Context, finalizer string) (*report.HeldBy, error) {
	if !o.source.recorded() || finalizer == "" {
		return nil, nil
	}
	recording, err := openRecording(ctx, o.source.snapshot, o.IOStreams)
	if err != nil {
		return nil, err
	}
	catalog, err := recording.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	held := &report.HeldBy{}
	var refs []graph.Ref
	unlisted := cluster.Scan(ctx, recording, catalog.Listable(false), "", func(resource cluster.Resource, meta *metav1.PartialObjectMetadata) {
		if slices.Contains(meta.Finalizers, finalizer) {
			refs = append(refs, mechanism.FromMetadata(resource, meta).Ref)
		}
	})
	slices.SortFunc(refs, graph.Compare)
	refs = slices.CompactFunc(refs, func(a, b graph.Ref) bool { return graph.Compare(a, b) == 0 })
	held.Count, held.Incomplete = len(refs), len(unlisted) > 0
	held.Objects = refs[:min(mostHolders, len(refs))]
	return held, ctx.Err()
}

// openRecording opens what --snapshot names.
func openRecording(ctx context.Context, names []string, streams ioStreams) (*snapshot.Recording, error) {
	recording, err := snapshot.Open(ctx, names, streams.In)
	if err != nil {
		return nil, unusable(names, err)
	}
	introduce(streams.ErrOut, recording)
	return recording, nil
}
