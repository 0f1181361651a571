package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// suggestionPatience is how long a user waits for the suggestion of another object.
const suggestionPatience = 3 * time.Second

// mostSuggested is how many names are suggested.
const mostSuggested = 3

// suggestion says which Terminating objects of a kind the user may have meant, if the named one doesn't exist: objects
// of that name in other namespaces, or else objects whose name is a slip of the finger away. It takes one list of
// metadata, from the API server's memory. It is empty where nothing is known, denied included.
func suggestion(ctx context.Context, c *connection, target diagnosis.Target) string {
	ctx, cancel := context.WithTimeout(ctx, suggestionPatience)
	defer cancel()
	elsewhere, near := sets.New[string](), map[string]int{}
	visit := func(object *metav1.PartialObjectMetadata) {
		switch {
		case object.DeletionTimestamp == nil:
		case object.Name == target.Name:
			elsewhere.Insert(object.Namespace)
		case spelling.IsNear(target.Name, object.Name):
			name := target.Resource.QualifiedName() + "/" + object.Name
			letters := spelling.Distance(target.Name, object.Name)
			if object.Namespace != target.Namespace {
				name += " -n " + object.Namespace
				letters += len(target.Name) // after those of the namespace that was meant
			}
			near[name] = letters
		}
	}
	selector := cluster.Selector{Keep: cluster.KeepTerminating, Recent: true}
	err := c.reader.EachMetadata(ctx, target.Resource, "", selector, visit)
	if apierrors.IsForbidden(err) && target.Namespace != "" { // in this one it may be allowed
		_ = c.reader.EachMetadata(ctx, target.Resource, target.Namespace, selector, visit)
	}
	elsewhere.Delete(target.Namespace) // it has come since
	if names := sets.List(elsewhere); len(names) > 0 {
		names = names[:min(mostSuggested, len(names))]
		places := report.Each(names, func(namespace string) string { return namespace + "/" + target.Name })
		are := " is Terminating: "
		if len(places) > 1 {
			are = " are Terminating: "
		}
		return fmt.Sprintf("%s%s-n %s", strings.Join(places, ", "), are, strings.Join(names, " or -n "))
	}
	if len(near) > 0 {
		names := spelling.Closest(mostSuggested, near)
		return fmt.Sprintf("did you mean %s, which is Terminating?", strings.Join(names, " or "))
	}
	return ""
}
