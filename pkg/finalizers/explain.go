package finalizers

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// ExplainOptions narrow what is explained.
type ExplainOptions struct {
	Kind string // KIND or KIND.GROUP; empty is every kind that may have it
}

// Explain says what the catalogue knows of a finalizer, and whether its controller is in the cluster. It is no error if
// the catalogue knows nothing.
func (c *Cluster) Explain(
	ctx context.Context, finalizer string, options ExplainOptions,
) (*result.Explanation, error) {
	known := slices.DeleteFunc(slices.Clone(c.options.Plugins.Named(finalizer)), func(entry plugins.Finalizer) bool {
		return options.Kind != "" && !entry.MayBeOn(options.Kind)
	})
	there, err := diagnosis.Presence(ctx, c.reader, finalizer, known, options.Kind, c.options)
	if err != nil {
		return nil, err
	}
	if there.Server = strings.Join(c.options.Files, ", "); c.live != nil {
		there.Server = c.live.Config().Host
	}
	return &result.Explanation{
		APIVersion: result.APIVersion, Kind: "Explanation", Finalizer: finalizer, OnKind: options.Kind,
		Known: finding.Each(known, result.Explained), Cluster: there, Program: c.options.Program,
	}, nil
}
