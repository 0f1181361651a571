package cli

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// validateProject refuses what names objects or finalizers beside --project, which finds both.
func (o *removeOptions) validateProject(args []string) error {
	switch {
	case len(args) > 0 || len(o.files.Filenames) > 0 || o.files.Kustomize != "":
		return errors.New("--project finds the objects, and can't be used with names, -f or -k")
	case len(o.removal.Finalizers) > 0:
		return errors.New("--project finds the finalizers, and can't be used with --finalizer")
	case o.fields != "":
		return errors.New("--field-selector can't be used with --project, which looks at all kinds: use -l")
	}
	return validLabels(o.labels)
}

// byFinalizers reports whether the objects are found by finalizers that hold them: a project's, or named ones beside
// types alone.
func (o *removeOptions) byFinalizers(args []string) bool {
	return o.project != "" || len(o.removal.Finalizers) > 0 && o.isTypeAlone(args)
}

// holder is which finalizers are meant, and how they are called together.
type holder struct {
	meant func(finalizer, kind string) bool
	says  string
}

// holderOf returns the finalizers of the project, or the named ones.
func holderOf(o *removeOptions, known *plugins.Set) (holder, error) {
	if o.project == "" {
		meant := func(finalizer, _ string) bool { return slices.Contains(o.removal.Finalizers, finalizer) }
		return holder{meant, strings.Join(o.removal.Finalizers, " or ")}, nil
	}
	project, err := projectNamed(known, o.project)
	meant := func(finalizer, kind string) bool {
		entry, found := known.Find(finalizer, kind)
		return found && entry.Project == project
	}
	return holder{meant, "a finalizer of " + project}, err
}

// findHeld finds the Terminating objects that the finalizers hold, of some types or of all, in the namespace or in all,
// and names the finalizers that do. It reads metadata only, and warns of what could not be listed.
func findHeld(ctx context.Context, o *removeOptions, args []string) (*connection, []session.Target, error) {
	c, err := o.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	holder, err := holderOf(o, c.options.Plugins)
	if err != nil {
		return nil, nil, err
	}
	o.args = args
	namespace := o.namespace(c)
	kinds := c.servedKinds.Deletable(namespace != "")
	if len(args) > 0 {
		if kinds, err = o.kindsOf(ctx, c, args); err != nil {
			return nil, nil, err
		}
	}
	var targets []session.Target
	var holding []string
	visit := func(resource cluster.Resource, object *metav1.PartialObjectMetadata) {
		other := func(name string) bool { return !holder.meant(name, resource.GroupKind().String()) }
		if holds := slices.DeleteFunc(slices.Clone(object.Finalizers), other); len(holds) > 0 {
			holding = append(holding, holds...)
			targets = append(targets, session.Target{
				Resource: resource, Namespace: object.Namespace, Name: object.Name,
			})
		}
	}
	all := true
	for _, namespaced := range []bool{false, true} {
		others := func(kind cluster.Resource) bool { return kind.Namespaced != namespaced }
		place := map[bool]string{true: namespace}[namespaced]
		selector := cluster.Selector{Keep: cluster.KeepTerminating, Labels: o.labels}
		unlisted := cluster.ScanFor(ctx, c.reader, slices.DeleteFunc(slices.Clone(kinds), others), place, selector, visit)
		for _, unread := range unlisted {
			all = false
			warn(o.out.ErrOut, fmt.Sprintf("%s could not be listed, so that the plan may lack some of them: %v",
				unread.QualifiedName(), unread.Err))
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if len(targets) == 0 {
		return nil, nil, noneHeld(holder.says, namespace, all)
	}
	slices.Sort(holding)
	o.removal.Finalizers = slices.Compact(holding)
	return c, targets, nil
}

// noneHeld is the answer where no object that could be read is held: of all, or not of all.
func noneHeld(holder, namespace string, all bool) error {
	says := "no Terminating object is held by " + holder
	if !all {
		says = "of what could be listed, " + says
	}
	if namespace != "" {
		says += fmt.Sprintf(" in namespace %q. Use -A to look in all namespaces, and at cluster-scoped objects",
			namespace)
	}
	return errors.New(says)
}

// projectNamed returns the name of a project as the catalogue spells it, for that name or the one of its file.
func projectNamed(known *plugins.Set, typed string) (string, error) {
	var names []string
	for _, project := range known.Projects() {
		file := strings.TrimSuffix(path.Base(project.File), path.Ext(project.File)) // shorter, and without blanks
		if strings.EqualFold(project.Project, typed) || strings.EqualFold(file, typed) {
			return project.Project, nil
		}
		names = append(names, project.Project)
	}
	says := fmt.Sprintf("the catalogue has no project %q", typed)
	if near := spelling.Near(mostSuggested, typed, names); len(near) > 0 {
		return "", fmt.Errorf("%s; did you mean %s?", says, strings.Join(near, " or "))
	}
	return "", errors.New(says + `. "explain" without a name lists all projects`)
}

// planFor makes the plan. A target that isn't there fails it, or with --ignore-not-found is left out and told; without
// an error, there is no plan where none is left.
func planFor(
	ctx context.Context, o *removeOptions, c *connection, remover *removal.Remover, targets []session.Target,
) (*removal.Plan, error) {
	remover.Gone = func(failed *removal.TargetError) bool {
		if !o.ignoreNotFound || !isGone(failed.Err) {
			return false
		}
		o.tellGone(explainTarget(ctx, c, failed.Target, failed.Err))
		return true
	}
	plan, err := remover.Plan(ctx, targets)
	if failed := (*removal.TargetError)(nil); errors.As(err, &failed) {
		return nil, explainTarget(ctx, c, failed.Target, failed.Err)
	}
	return plan, err
}
