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

// ofProject finds the Terminating objects that finalizers of the project hold, in the namespace or in all, and names
// these finalizers. It reads metadata only, and warns of what could not be listed.
func (o *removeOptions) ofProject(ctx context.Context) (*connection, []session.Target, error) {
	c, err := o.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	project, err := projectNamed(c.options.Plugins, o.project)
	if err != nil {
		return nil, nil, err
	}
	var targets []session.Target
	var names []string
	visit := func(resource cluster.Resource, object *metav1.PartialObjectMetadata) {
		held := false
		for _, name := range object.Finalizers {
			known, found := c.options.Plugins.Find(name, resource.GroupKind().String())
			if !found || known.Project != project {
				continue
			}
			if held = true; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if held {
			targets = append(targets, session.Target{
				Resource: resource, Namespace: object.Namespace, Name: object.Name,
			})
		}
	}
	namespace := o.namespace(c)
	selector := cluster.Selector{Keep: cluster.KeepTerminating, Labels: o.labels}
	kinds := c.servedKinds.Deletable(namespace != "")
	unlisted := cluster.ScanFor(ctx, c.reader, kinds, namespace, selector, visit)
	for _, unread := range unlisted {
		warn(o.out.ErrOut, fmt.Sprintf("%s could not be listed, so that the plan may lack some of them: %v",
			unread.QualifiedName(), unread.Err))
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if len(targets) == 0 {
		return nil, nil, noneOfProject(project, namespace, len(unlisted) == 0)
	}
	slices.Sort(names)
	o.removal.Finalizers = names
	return c, targets, nil
}

// noneOfProject is the answer where no finalizer of a project holds anything that could be read: all, or not all.
func noneOfProject(project, namespace string, all bool) error {
	says := "no Terminating object is held by a finalizer of " + project
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
