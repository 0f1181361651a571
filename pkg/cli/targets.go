package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/cli-runtime/pkg/resource"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// targetOptions select objects as kubectl's flags of the same names do.
type targetOptions struct {
	options
	files          resource.FilenameOptions
	labels, fields string
	args           []string // with the names from standard input
	manifests      []byte   // from standard input
	input          []byte   // all of standard input, as far as it was read
	fetched        []fetched
}

// addTargets defines the flags; what says what the command does with the objects.
func (o *targetOptions) addTargets(flags *pflag.FlagSet, what string) {
	flags.StringSliceVarP(&o.files.Filenames, "filename", "f", nil,
		"Files, folders or URLs with the objects to "+what+"; - reads manifests or names from standard input")
	flags.StringVarP(&o.files.Kustomize, "kustomize", "k", "", "A kustomization folder with the objects to "+what)
	flags.BoolVarP(&o.files.Recursive, "recursive", "R", false, "Also read the folders below those given with -f")
	flags.StringVarP(&o.labels, "selector", "l", "",
		"Select the objects of a type with these labels, for example -l app=web")
	flags.StringVar(&o.fields, "field-selector", "",
		"Select the objects of a type with these fields, for example --field-selector spec.nodeName=worker-3")
	o.addAllNamespaces(flags, "Look in all namespaces, if no object is named")
}

// isTypeAlone reports whether the arguments are TYPE or TYPE,TYPE and nothing narrows that.
func (o *targetOptions) isTypeAlone(args []string) bool {
	return len(args) == 1 && args[0] != "-" && !strings.Contains(args[0], "/") &&
		!o.hasFiles() && !o.selects()
}

// selects reports whether objects are chosen by a selector, which may find any number.
func (o *targetOptions) selects() bool { return o.labels != "" || o.fields != "" }

// hasFiles reports whether targets are in manifests: in files, at addresses, or piped in.
func (o *targetOptions) hasFiles() bool {
	return len(o.files.Filenames) > 0 || o.files.Kustomize != "" || o.manifests != nil
}

// validateTargets refuses arguments that name nothing. unnamed says what to name.
func (o *targetOptions) validateTargets(args []string, unnamed string) error {
	switch {
	case len(args) == 0 && !o.hasFiles():
		return errors.New(unnamed + " (see --help)")
	case o.allNamespaces && !o.selects():
		return errors.New("--all-namespaces requires a selector (-l or --field-selector): " +
			"an object with a name is in one namespace, given with -n")
	}
	if err := validLabels(o.labels); err != nil {
		return err
	}
	if _, err := fields.ParseSelector(o.fields); err != nil {
		return fmt.Errorf("--field-selector %q is not valid: %w", o.fields, err)
	}
	return nil
}

// validLabels refuses what is no selector of labels.
func validLabels(selector string) error {
	if _, err := labels.Parse(selector); err != nil {
		return fmt.Errorf("--selector %q is not valid: %w", selector, err)
	}
	return nil
}

// find reads what is piped in, opens the cluster and finds there what the arguments name. It prints failures, about
// single targets; what fails for all of them is err.
func (o *targetOptions) find(ctx context.Context, args []string) (
	c *connection, found []session.Target, failures []error, err error,
) {
	if err = o.standardInput(ctx, args); err != nil {
		return nil, nil, nil, err
	}
	if c, err = o.open(ctx); err != nil {
		return nil, nil, nil, err
	}
	found, failures, err = o.resolve(ctx, c, o.args)
	for _, failure := range failures {
		printError(o.out.ErrOut, failure)
	}
	return c, found, failures, err
}

// resolve finds what the arguments name, and warns of what is ambiguous. failures are about single targets.
func (o *targetOptions) resolve(ctx context.Context, c *connection, args []string) (
	found []session.Target, failures []error, err error,
) {
	if args, err = o.resolved(ctx, c, args); err != nil {
		return nil, nil, err
	}
	if o.fields != "" && o.hasFiles() {
		return nil, nil, errors.New("--field-selector selects objects of a type in the cluster, and can't be used with " +
			"manifests. To select some of them by label, use -l")
	}
	o.fetched, err = checkManifests(ctx, o.manifests, o.files.Filenames, o.files.Recursive)
	if err != nil {
		return nil, nil, err
	}
	if listsSelected(o, args) {
		found, failures = selected(ctx, o, c, args)
	} else {
		found, failures = o.targets(c, args)
	}
	if len(failures) > 0 {
		if undiscovered := c.undiscovered(args); undiscovered != nil { // kubectl's code knows nothing of definitions
			failures = []error{undiscovered}
		}
	}
	for i, failure := range failures { // resource.Builder's words lead nowhere
		switch {
		case strings.Contains(failure.Error(), "no name was specified"):
			failures[i] = errors.New("a type alone is not enough: name an object (TYPE/NAME), " +
				"or select objects with -l or --field-selector")
		case strings.Contains(failure.Error(), "selectors and the all flag"):
			failures[i] = errors.New("-l and --field-selector select objects of a type, and can't be used with a name")
		}
	}
	return found, failures, nil
}

// resolved returns arguments with ambiguous types written out, and warns of what they are taken for.
func (o *targetOptions) resolved(ctx context.Context, c *connection, args []string) ([]string, error) {
	args, warnings, err := resolveTypes(c.servedKinds, args, func(near []string) string {
		return c.hint(ctx, args, near)
	})
	for _, warning := range warnings {
		warn(o.out.ErrOut, warning)
	}
	return args, err
}

// targets turns names and manifests into objects, without reading them, and into errors about the rest.
func (o *targetOptions) targets(c *connection, args []string) ([]session.Target, []error) {
	files := o.files
	// Standard input has been read: what it held is in args or in manifests. Addresses have been read, too.
	files.Filenames = slices.DeleteFunc(slices.Clone(files.Filenames), func(name string) bool {
		return name == "-" || isURL(name)
	})
	builder := resource.NewBuilder(c).
		Unstructured().
		ContinueOnError().
		NamespaceParam(c.namespace).DefaultNamespace().AllNamespaces(o.allNamespaces && o.selects()).
		LabelSelectorParam(o.labels).
		FieldSelectorParam(o.fields).
		ResourceTypeOrNameArgs(false, args...).
		RequireObject(false).
		Flatten()
	if len(files.Filenames) > 0 || files.Kustomize != "" {
		builder = builder.FilenameParam(c.enforce, &files)
	}
	for _, one := range o.fetched {
		builder = builder.Stream(bytes.NewReader(one.data), one.address)
	}
	if o.manifests != nil {
		builder = builder.Stream(bytes.NewReader(o.manifests), "standard input")
	}
	var found []session.Target
	err := builder.Do().Visit(func(info *resource.Info, err error) error {
		if err != nil {
			return err
		}
		if err := cluster.CheckName(info.Namespace, info.Name); err != nil {
			return fmt.Errorf("%w. Name objects as TYPE/NAME, for example ns/payments", err)
		}
		if target := targetOf(info); !slices.ContainsFunc(found, target.Same) {
			found = append(found, target)
		}
		return nil
	})
	if err == nil {
		return found, nil
	}
	return found, utilerrors.Flatten(utilerrors.NewAggregate([]error{err})).Errors()
}

// targetOf returns the object of an info.
func targetOf(info *resource.Info) session.Target {
	return session.Target{Namespace: info.Namespace, Name: info.Name, Resource: cluster.Resource{
		GroupVersionResource: info.Mapping.Resource, Kind: info.Mapping.GroupVersionKind.Kind,
		Namespaced: info.Mapping.Scope.Name() == meta.RESTScopeNameNamespace,
	}}
}
