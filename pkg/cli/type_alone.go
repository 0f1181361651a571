package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// terminatingOf answers for whatever is Terminating of some types, in one go. Who reads it themselves and has a single
// object there reads all about it; programs get the same form, whatever was found.
func (o *whyOptions) terminatingOf(ctx context.Context, args []string) error {
	scan, err := o.begin(ctx)
	if err != nil {
		return err
	}
	defer scan.done()
	kinds, err := o.kindsOf(ctx, scan.connection, args)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(kinds, isNamespaced) { // it is about no namespace
		scan.namespace, o.allNamespaces = "", true
	}
	listed := func(c *connection) finalizers.ListOptions {
		o.prepare(c)
		return finalizers.ListOptions{Namespace: o.namespace(c), Kinds: kinds}
	}
	if o.watching.on {
		scan.done()
		return o.watchList(ctx, scan.connection, o.watching, listed, noneOf(args[0], kinds))
	}
	wanted := listed(scan.connection)
	if answer := o.single(ctx, scan, wanted); answer != nil {
		scan.done()
		return o.out.answer(ctx, answer, verdictCode([]result.Verdict{answer.Verdict}, 0))
	}
	list, err := scan.over(scan.watched).List(ctx, wanted)
	scan.done()
	if err != nil {
		return err
	}
	if len(list.Items) == 0 {
		if err := o.nothing(ctx, scan, noneOf(args[0], kinds), wanted, list.Unreadable); err != nil {
			return err
		}
	}
	verdicts := finding.Each(list.Items, func(item result.ListItem) result.Verdict { return item.Verdict })
	return o.out.answer(ctx, list, verdictCode(verdicts, len(list.Unreadable)))
}

// single answers about the only object that is Terminating: nil where there are others, or where there may be, and if a
// program reads the answer.
func (o *whyOptions) single(ctx context.Context, scan *scan, wanted finalizers.ListOptions) *result.Diagnosis {
	if !o.out.isForPeople() && o.out.format != print.FormatMarkdown && o.out.format != print.FormatHTML {
		return nil
	}
	wanted.Bare = true
	list, err := scan.over(scan.watched).List(ctx, wanted)
	if err != nil || len(list.Items) != 1 || len(list.Unreadable) > 0 {
		return nil // errors come again
	}
	item := list.Items[0]
	at := slices.IndexFunc(wanted.Kinds,
		func(kind cluster.Resource) bool { return kind.QualifiedName() == item.Resource })
	if at < 0 {
		return nil
	}
	target := session.Target{Resource: wanted.Kinds[at], Namespace: item.Target.Namespace, Name: item.Target.Name}
	answer, err := scan.over(scan.watched).Why(ctx, target, finalizers.WhyOptions{})
	if err != nil { // it may have gone, and others may have come
		return nil
	}
	return answer
}

// kindsOf returns what TYPE,TYPE means, by the rules for TYPE/NAME. A category, such as all, means each of its types.
func (o *targetOptions) kindsOf(
	ctx context.Context, c *connection, args []string,
) (kinds []cluster.Resource, err error) {
	args, err = o.resolved(ctx, c, args)
	if err != nil {
		return nil, err
	}
	for _, wanted := range strings.Split(args[0], ",") {
		found := ofCategory(c.servedKinds.Resources, wanted)
		if named := cluster.Meant(c.servedKinds.Resources, wanted); len(named) > 0 {
			found = []cluster.Resource{cluster.Preferred(named)}
		} else if len(c.servedKinds.Failed) > 0 {
			versions := finding.Each(c.servedKinds.FailedVersions(), schema.GroupVersion.String)
			warn(o.out.ErrOut, fmt.Sprintf("discovery fails for %s, which may serve more types of %q",
				strings.Join(versions, ", "), wanted))
		}
		for _, kind := range found {
			same := func(resource cluster.Resource) bool { return resource.GroupResource() == kind.GroupResource() }
			if !slices.ContainsFunc(kinds, same) {
				kinds = append(kinds, kind)
			}
		}
	}
	if len(kinds) == 0 {
		return nil, fmt.Errorf("the server has no types in the category %q", args[0])
	}
	return kinds, nil
}

// ofCategory returns the types of a category that can be listed.
func ofCategory(resources []cluster.Resource, category string) (found []cluster.Resource) {
	for _, resource := range resources {
		if slices.Contains(resource.Categories, strings.ToLower(category)) && slices.Contains(resource.Verbs, "list") {
			found = append(found, resource)
		}
	}
	return found
}

// noneOf says that nothing of some types is Terminating. A category is called by its name, because few people know its
// kinds.
func noneOf(typed string, kinds []cluster.Resource) string {
	const few = 3
	if len(kinds) > few {
		return fmt.Sprintf("nothing of %q (%d types) is Terminating", typed, len(kinds))
	}
	kinds = slices.Clone(kinds) // those in namespaces last, as what follows says in which
	slices.SortStableFunc(kinds,
		func(a, b cluster.Resource) int { return session.FalseFirst(a.Namespaced, b.Namespaced) })
	names := finding.Each(kinds, cluster.Resource.QualifiedName)
	return fmt.Sprintf("no %s are Terminating%s", names[0],
		strings.Join(append([]string{""}, names[1:]...), ", and no "))
}

func isNamespaced(kind cluster.Resource) bool { return kind.Namespaced }
