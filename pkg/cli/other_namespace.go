package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// elsewhere is for a namespace in which nothing was found. For files, which cost no server anything, it says what of
// the same is Terminating elsewhere. For a cluster it says how to ask. It is empty if all namespaces were asked about.
func elsewhere(ctx context.Context, s *scan, wanted finalizers.ListOptions) string {
	if s.namespace == "" {
		return ""
	}
	if s.reader.Source().Changes() {
		return print.LookEverywhere
	}
	wanted.Namespace, wanted.Bare = "", true
	list, err := s.over(s.reader).List(ctx, wanted)
	if err != nil || len(list.Items) == 0 {
		return ""
	}
	const few = 3
	counts := map[string]int{} // below zero, because closest returns the least first
	for _, item := range list.Items {
		counts[item.Target.Namespace]--
	}
	places := finding.Each(spelling.Closest(few, counts), func(namespace string) string {
		if namespace == "" {
			return fmt.Sprintf("%d cluster-scoped", -counts[namespace])
		}
		return fmt.Sprintf("%d in %s", -counts[namespace], namespace)
	})
	if more := len(counts) - len(places); more > 0 {
		places = append(places, finding.Plural(more, "more namespace"))
	}
	what := finding.Plural(len(list.Items), "object") + " are Terminating elsewhere"
	if len(list.Items) == 1 {
		what = "1 object is Terminating elsewhere"
	}
	return fmt.Sprintf(" %s: %s. To see more, use -n or -A.", what, strings.Join(places, ", "))
}
