package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// resolveTypes looks at the types in kubectl's arguments before resource.Builder does, for what that leaves to chance:
// types that don't exist, and short names that mean several. It returns the arguments with such short names written
// out, and warnings, where Kubernetes itself serves one of them. hint says what may be meant by a type that doesn't
// exist, from the types with similar names.
func resolveTypes(
	servedKinds *cluster.ServedKinds, args []string, hint func(near []string) string,
) (resolved, warnings []string, err error) {
	written := map[string]string{}
	for _, wanted := range typesIn(args) {
		found := cluster.Meant(servedKinds.Resources, wanted)
		if len(found) == 0 && len(ofCategory(servedKinds.Resources, wanted)) > 0 {
			continue // kubectl takes it for all of these
		}
		if len(found) == 0 {
			return nil, warnings, unknownType(servedKinds, wanted, hint)
		}
		names := sets.New(finding.Each(found, cluster.Resource.QualifiedName)...)
		isName := func(resource cluster.Resource) bool { return resource.Resource == cluster.TypedName(wanted) }
		if len(names) < 2 || slices.ContainsFunc(found, isName) {
			continue // a full name, for which kubectl has an order of groups
		}
		short := fmt.Sprintf("%q is short for %s", wanted, strings.Join(sets.List(names), " and for "))
		first := cluster.Preferred(found)
		if first.Rank() == cluster.ThirdParty {
			return nil, warnings, fmt.Errorf("%s; write out the one that you mean", short)
		}
		written[wanted] = first.QualifiedName()
		warnings = append(warnings, short+"; using "+written[wanted]+", which Kubernetes itself serves")
	}
	args = eachType(args, func(wanted string) string { return cmp.Or(written[wanted], wanted) })
	return args, warnings, nil
}

// undiscovered says of the types in kubectl's arguments which one the server doesn't serve at present, though it
// should; nil if there is none.
func (c *connection) undiscovered(args []string) error {
	for _, wanted := range typesIn(args) {
		found := cluster.Meant(c.servedKinds.Resources, wanted)
		if len(found) == 0 {
			continue
		}
		if err := c.servedKinds.Undiscovered[found[0].GroupResource()]; len(found) == 1 && err != nil {
			return fmt.Errorf("%s can't be read at present: %w. Try again in a moment", found[0].QualifiedName(), err)
		}
	}
	return nil
}

// typesIn returns the types named in TYPE NAME…, TYPE/NAME… and TYPE,TYPE arguments.
func typesIn(args []string) []string {
	types := sets.New[string]()
	eachType(args, func(wanted string) string {
		if wanted != "" && wanted != "all" {
			types.Insert(wanted)
		}
		return wanted
	})
	return sets.List(types)
}

func eachType(args []string, replace func(string) string) []string {
	withNames := slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, "/") })
	replaced := slices.Clone(args)
	for i, arg := range args {
		if i > 0 && !withNames {
			break // TYPE NAME…: only the first is a type
		}
		types, name, named := strings.Cut(arg, "/")
		words := strings.Split(types, ",")
		for j := range words {
			words[j] = replace(words[j])
		}
		replaced[i] = strings.Join(words, ",")
		if named {
			replaced[i] += "/" + name
		}
	}
	return replaced
}

func unknownType(servedKinds *cluster.ServedKinds, wanted string, hint func(near []string) string) error {
	message := fmt.Sprintf("the server doesn't have a resource type %q", wanted)
	if servedKinds.Partial != nil {
		message = fmt.Sprintf("the files contain no resource type %q", wanted)
	}
	message += "; " + hint(nearest(servedKinds.Resources, cluster.TypedName(wanted)))
	if len(servedKinds.Failed) > 0 {
		versions := strings.Join(finding.Each(servedKinds.FailedVersions(), schema.GroupVersion.String), ", ")
		message += fmt.Sprintf(" (discovery fails for %s, which may serve it)", versions)
	}
	return typeError{errors.New(message), servedKinds.Partial == nil && len(servedKinds.Failed) == 0}
}

// typeError is about a type that isn't served, or for which that isn't certain.
type typeError struct {
	error
	certain bool
}

// hint says what may be meant by arguments whose type doesn't exist: if they are a name alone, something Terminating of
// that name, or the namespace of that name; or else types with similar names, something Terminating with a similar one,
// or which types there are.
func (c *connection) hint(ctx context.Context, args, near []string) string {
	named, similar := "", ""
	if len(args) == 1 && !strings.ContainsAny(args[0], "/,") {
		named, similar = c.terminatingNamed(ctx, args[0])
		if named == "" {
			named = c.namespaceNamed(ctx, args[0])
		}
	}
	if len(near) > 0 {
		similar = "did you mean " + strings.Join(near, " or ") + "?"
	}
	if text := cmp.Or(named, similar); text != "" {
		return text
	}
	if len(args) == 1 && !strings.ContainsAny(args[0], "/,") {
		return fmt.Sprintf("if %q is the name of an object, write TYPE/%s; %s", args[0], args[0], c.whereTypes(ctx))
	}
	return c.whereTypes(ctx)
}

// mostTypes is how many types are named of those in a file.
const mostTypes = 12

// whereTypes says which types there are. A user who asks a file is not sent to the cluster for them.
func (c *connection) whereTypes(ctx context.Context) string {
	if c.live != nil {
		return "to list all types, run: kubectl api-resources"
	}
	held, more := c.typesHeld(ctx), ""
	if len(held) > mostTypes {
		held, more = held[:mostTypes], fmt.Sprintf(" and %d more", len(held)-mostTypes)
	}
	return "types found: " + cmp.Or(strings.Join(held, ", ")+more, "nothing")
}

// typesHeld are the resources that have objects, the ones that aren't Kubernetes' own first.
func (c *connection) typesHeld(ctx context.Context) []string {
	held := slices.DeleteFunc(slices.Clone(c.servedKinds.Resources), func(resource cluster.Resource) bool {
		empty := true
		visit := func(*metav1.PartialObjectMetadata) { empty = false }
		_ = c.reader.EachMetadata(ctx, resource, "", cluster.Selector{}, visit)
		return empty
	})
	slices.SortStableFunc(held, func(a, b cluster.Resource) int { return b.Rank() - a.Rank() })
	return finding.Each(held, cluster.Resource.QualifiedName)
}
