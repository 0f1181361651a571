package cli

import (
	"context"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// listsSelected reports whether the arguments are TYPE or TYPE,TYPE with a selector. resource.Builder would list these
// types itself, without bounds; it still filters manifests by labels, and says what is wrong with all other arguments.
func listsSelected(o *targetOptions, args []string) bool {
	return o.selects() && len(args) == 1 && !strings.Contains(args[0], "/") && !o.hasFiles()
}

// selected lists the objects of some types that the selectors select, as metadata, and returns errors about single
// types.
func selected(
	ctx context.Context, o *targetOptions, c *connection, args []string,
) (found []session.Target, failures []error) {
	kinds, err := o.kindsOf(ctx, c, args)
	if err != nil {
		return nil, []error{err}
	}
	selector := cluster.Selector{Labels: o.labels, Fields: o.fields}
	for _, kind := range kinds {
		namespace := o.namespace(c)
		if !kind.Namespaced {
			namespace = ""
		}
		seen := map[string]bool{} // a list that starts again visits its objects again
		err := c.reader.EachMetadata(ctx, kind, namespace, selector, func(object *metav1.PartialObjectMetadata) {
			if key := object.Namespace + "/" + object.Name; !seen[key] {
				seen[key] = true
				found = append(found, session.Target{Resource: kind, Namespace: object.Namespace, Name: object.Name})
			}
		})
		if err != nil {
			failures = append(failures, err)
		}
	}
	return found, failures
}
