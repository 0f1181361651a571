package diagnosis

import (
	"cmp"
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// contents are what a namespace contains, by kind.
type contents struct {
	kinds    []result.TreeContent
	unlisted []string // kinds that could not be listed
}

// leftOut says what is not counted.
func (c *contents) leftOut() string {
	if len(c.unlisted) == 0 {
		return ""
	}
	return "Not counted, because they could not be listed: " + finding.Some(c.unlisted, 3) + "."
}

// readWithContents reads the target with its dependents, and what is in it, if it is a namespace that is not being
// deleted: of one that is, the graph has what is left. One pass over the cluster tells both.
func readWithContents(
	ctx context.Context, tools *mechanism.Tools, asked session.Target, options TreeOptions,
) (*session.Object, *contents, error) {
	if asked.Resource.GroupResource() != cluster.Namespaces().GroupResource() {
		object, err := readWithDependents(ctx, tools, asked, options)
		return object, nil, err
	}
	object, err := tools.ReadTarget(ctx, asked)
	if err != nil {
		return nil, nil, err
	}
	if object.Terminating() {
		mechanism.Expect(ctx, tools.Session, "", true)
		return object, nil, nil
	}
	if _, err := tools.Session.Census(ctx, ""); err != nil {
		return object, nil, nil //nolint:nilerr // the dependents fail for the same reason, and say so
	}
	mechanism.Expect(ctx, tools.Session, "", true)
	found, err := contentsOf(ctx, tools.Session, asked.Name)
	return object, found, err
}

// contentsOf counts what is in a namespace, the most numerous kind first. What may be listed in no more than that
// namespace is listed there.
func contentsOf(ctx context.Context, reads *session.Session, namespace string) (*contents, error) {
	inventory, err := reads.Inventory(ctx, session.Area{})
	if err != nil {
		return nil, err
	}
	if len(inventory.Unlisted) == inventory.Asked { // who may read one namespace
		if inventory, err = reads.Inventory(ctx, session.Area{Namespace: namespace}); err != nil {
			return nil, err
		}
	}
	held := map[string]int{}
	for _, object := range inventory.Held {
		if object.Ref.Namespace == namespace {
			held[object.Resource.QualifiedName()]++
		}
	}
	found := &contents{}
	for _, crowd := range inventory.Crowds() {
		for _, local := range crowd.In {
			if name := crowd.Resource.QualifiedName(); local.Namespace == namespace {
				found.kinds = append(found.kinds, result.TreeContent{
					Resource: name, Count: local.Count, Held: held[name], Name: local.First,
				})
			}
		}
	}
	slices.SortStableFunc(found.kinds, func(a, b result.TreeContent) int { return cmp.Compare(b.Count, a.Count) })
	for _, unlisted := range inventory.Unlisted {
		if unlisted.Resource.Namespaced {
			found.unlisted = append(found.unlisted, unlisted.Resource.QualifiedName())
		}
	}
	return found, nil
}
