package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// suggestionPatience is how long a user waits for the suggestion of another object.
const suggestionPatience = 3 * time.Second

// mostSuggested is how many names are suggested.
const mostSuggested = 3

// suggestion says which objects of a kind the user may have meant, if the named one doesn't exist: Terminating ones of
// that name in other namespaces, or else some whose name is a slip of the finger away: Terminating ones, or else others
// in the same namespace. It takes one or two lists of metadata, from the API server's memory. It is empty where nothing
// is known, denied included.
func suggestion(ctx context.Context, c *connection, target session.Target) string {
	ctx, cancel := context.WithTimeout(ctx, suggestionPatience)
	defer cancel()
	elsewhere, near, alive := sets.New[string](), map[string]int{}, map[string]int{}
	visitAlive := func(object *metav1.PartialObjectMetadata) {
		if object.DeletionTimestamp == nil && isMeant(target, object.Name) {
			alive[target.Resource.QualifiedName()+"/"+object.Name] = spelling.Distance(target.Name, object.Name)
		}
	}
	visit := func(object *metav1.PartialObjectMetadata) {
		switch {
		case object.DeletionTimestamp == nil:
			if target.Namespace == "" { // else of other namespaces, too
				visitAlive(object)
			}
		case object.Name == target.Name:
			elsewhere.Insert(object.Namespace)
		case isLike(target.Name, object.Name):
			name := target.Resource.QualifiedName() + "/" + object.Name
			letters := spelling.Distance(target.Name, object.Name)
			if object.Namespace != target.Namespace {
				name += " -n " + object.Namespace
				letters += len(target.Name) // after those of the namespace that was meant
			}
			near[name] = letters
		}
	}
	selector, slim := cluster.Selector{Keep: cluster.KeepTerminating, Recent: true}, cluster.Selector{
		Keep: cluster.KeepSlim, Recent: true,
	}
	if target.Namespace == "" {
		selector = slim
	}
	err := c.reader.EachMetadata(ctx, target.Resource, "", selector, visit)
	if apierrors.IsForbidden(err) && target.Namespace != "" { // in this one it may be allowed
		_ = c.reader.EachMetadata(ctx, target.Resource, target.Namespace, selector, visit)
	}
	elsewhere.Delete(target.Namespace) // it has come since
	if names := sets.List(elsewhere); len(names) > 0 {
		names = names[:min(mostSuggested, len(names))]
		places := finding.Each(names, func(namespace string) string { return namespace + "/" + target.Name })
		are := "is"
		if len(places) > 1 {
			are = "are"
		}
		return fmt.Sprintf("%s %s Terminating (add -n %s)", strings.Join(places, ", "), are,
			strings.Join(names, " or -n "))
	}
	if len(near) > 0 {
		return didYouMean(near, "Terminating")
	}
	if target.Namespace != "" {
		// As far as it may be listed.
		_ = c.reader.EachMetadata(ctx, target.Resource, target.Namespace, slim, visitAlive)
	}
	return didYouMean(alive, "not being deleted")
}

// isMeant reports whether a target that doesn't exist may be a live object of a name. Namespaces are few: there, short
// names are compared, too.
func isMeant(target session.Target, name string) bool {
	few := target.Resource.GroupResource() == cluster.Namespaces().GroupResource()
	return spelling.IsTypo(target.Name, name) || strings.EqualFold(target.Name, name) ||
		few && isLike(target.Name, name)
}

// didYouMean suggests the nearest of some objects, by how far their names are from the one that was typed, and says
// what they are.
func didYouMean(near map[string]int, what string) string {
	names := spelling.Closest(mostSuggested, near)
	are := "is"
	switch len(names) {
	case 0:
		return ""
	case 1:
	default:
		are = "are"
	}
	return fmt.Sprintf("did you mean %s, which %s %s?", strings.Join(names, " or "), are, what)
}

// terminatingNamed says which Terminating objects of any type the user may have meant by a name alone: named are those
// of that name, similar those whose name is a slip of the finger away. Both are empty where nothing is known.
func (c *connection) terminatingNamed(ctx context.Context, name string) (named, similar string) {
	ctx, cancel := context.WithTimeout(ctx, suggestionPatience)
	defer cancel()
	wanted := finalizers.ListOptions{Bare: true}
	list, err := c.over(c.reader).List(ctx, wanted)
	if err != nil { // in this namespace it may be allowed
		wanted.Namespace = c.namespace
		if list, err = c.over(c.reader).List(ctx, wanted); err != nil {
			return "", ""
		}
	}
	same, near := map[string]int{}, map[string]int{}
	for _, item := range list.Items {
		if item.Target.Name != name && !spelling.IsNear(name, item.Target.Name) {
			continue
		}
		typed, letters := item.Resource+"/"+item.Target.Name, spelling.Distance(name, item.Target.Name)
		if item.Target.Namespace != "" && item.Target.Namespace != c.namespace {
			typed += " -n " + item.Target.Namespace
			letters += len(name) // after those of the namespace that was meant
		}
		if item.Target.Name == name {
			same[typed] = letters
		} else {
			near[typed] = letters
		}
	}
	return didYouMean(same, "Terminating"), didYouMean(near, "Terminating")
}

// namespaceNamed says that the user may have meant the namespace of a name, if there is one.
func (c *connection) namespaceNamed(ctx context.Context, name string) string {
	if len(validation.IsDNS1123Label(name)) > 0 {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, suggestionPatience)
	defer cancel()
	namespaces := cluster.Namespaces()
	if _, err := c.reader.Metadata(ctx, namespaces, "", name); err != nil {
		return ""
	}
	return "did you mean " + namespaces.QualifiedName() + "/" + name + "?"
}

// targetName names a target as TYPE/NAME -n NAMESPACE.
func targetName(target session.Target) string {
	name := target.Resource.QualifiedName() + "/" + target.Name
	if target.Namespace != "" {
		name += " -n " + target.Namespace
	}
	return name
}
