package finalizers

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/audit"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Survey is what List and Check answer, of one look.
type Survey struct {
	List  *result.List
	Check *result.Check // nil for a recording that doesn't hold what Check asks about
	// Unlisted are the kinds that could not be listed, and Undiscovered the versions that could not be discovered.
	Unlisted     []schema.GroupKind
	Undiscovered []schema.GroupVersion
}

// Survey asks what List and Check ask, about a namespace or with an empty one about the whole cluster. One pass over
// everything answers both, and nothing is fetched twice. It is an error if nothing could be listed, or if ctx ended
// meanwhile: what was read until then is no answer.
func (c *Cluster) Survey(ctx context.Context, namespace string) (*Survey, error) {
	tools, survey := c.options.Scanning(c.reader), &Survey{}
	if c.reader.Source() == cluster.FromServer { // a recording may hold what is Terminating, and nothing else
		unlisted, err := tools.Session.Census(ctx, namespace)
		if err != nil {
			return nil, err
		}
		for _, one := range unlisted {
			survey.Unlisted = append(survey.Unlisted, one.GroupKind())
		}
	}
	var err error
	if survey.List, err = diagnosis.ListWith(ctx, tools, c.listing(ListOptions{Namespace: namespace})); err != nil {
		return nil, err
	}
	if survey.Check, err = audit.CheckWith(ctx, tools, namespace); err != nil && c.reader.Source().Changes() {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("the look was not finished: %w", context.Cause(ctx))
	}
	survey.Undiscovered = tools.Session.ServedKinds(ctx).Missed()
	return survey, nil
}
