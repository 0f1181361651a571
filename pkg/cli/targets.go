package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/rest"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// targetFlags select objects as kubectl's flags of the same names do.
type targetFlags struct {
	files         resource.FilenameOptions
	labels        string
	fields        string
	allNamespaces bool
}

// add defines the flags; what says what the command does with the objects.
func (f *targetFlags) add(flags *pflag.FlagSet, what string) {
	flags.StringSliceVarP(&f.files.Filenames, "filename", "f", nil, "Files, folders or URLs with the objects to "+what+"; - reads manifests or names from standard input")
	flags.StringVarP(&f.files.Kustomize, "kustomize", "k", "", "A kustomization folder with the objects to "+what)
	flags.BoolVarP(&f.files.Recursive, "recursive", "R", false, "Look into the folders below the one given with -f")
	flags.StringVarP(&f.labels, "selector", "l", "", "Take all objects of a type with these labels, for example -l app=web")
	flags.StringVar(&f.fields, "field-selector", "", "Take all objects of a type with these fields, for example --field-selector spec.nodeName=worker-3")
	flags.BoolVarP(&f.allNamespaces, "all-namespaces", "A", false, "With -l or --field-selector: in all namespaces")
}

// selects tells whether objects are chosen by a selector, of which there may be any number.
func (f targetFlags) selects() bool { return f.labels != "" || f.fields != "" }

// validate refuses arguments that name nothing. unnamed says what to name.
func (f targetFlags) validate(args []string, unnamed string) error {
	switch {
	case len(args) == 0 && len(f.files.Filenames) == 0 && f.files.Kustomize == "":
		return errors.New(unnamed + " (see --help)")
	case f.allNamespaces && !f.selects():
		return errors.New("--all-namespaces needs a selector (-l or --field-selector): a name alone stands in one namespace, given with -n")
	}
	return nil
}

// metadataOnly is the form in which selected objects are asked for: nothing more is needed to know
// their names, and nothing secret is in it.
const metadataOnly = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"

// targets turns arguments, and manifests from standard input, into objects: through
// resource.Builder and without reading them. It returns what it could make out, and the errors
// about the rest.
func (f targetFlags) targets(c *connection, args []string, manifests []byte) ([]diagnosis.Target, []error) {
	namespace, enforce, err := c.loader.Namespace()
	if err != nil {
		return nil, []error{err}
	}
	files := f.files
	// Standard input has been read: what it held is in args or in manifests.
	files.Filenames = slices.DeleteFunc(slices.Clone(files.Filenames), func(name string) bool { return name == "-" })
	builder := resource.NewBuilder(c).
		Unstructured().
		ContinueOnError().
		NamespaceParam(namespace).DefaultNamespace().AllNamespaces(f.allNamespaces).
		LabelSelectorParam(f.labels).
		FieldSelectorParam(f.fields).
		ResourceTypeOrNameArgs(false, args...).
		RequireObject(false).
		RequestChunksOf(500). // as kubectl does
		TransformRequests(func(request *rest.Request) { request.SetHeader("Accept", metadataOnly) })
	if len(files.Filenames) > 0 || files.Kustomize != "" {
		builder = builder.FilenameParam(enforce, &files)
	}
	if manifests != nil {
		builder = builder.Stream(bytes.NewReader(manifests), "standard input")
	}
	if !f.selects() {
		builder = builder.Flatten()
	}
	var found []diagnosis.Target
	err = builder.Do().Visit(func(info *resource.Info, err error) error {
		if err != nil {
			return err
		}
		return eachTarget(info, func(target diagnosis.Target) {
			if !slices.ContainsFunc(found, target.Same) {
				found = append(found, target)
			}
		})
	})
	return found, flatten(err)
}

// resolve finds what the arguments name. Warnings and errors about single targets are told at once; what fails for
// all of them is returned.
func (f targetFlags) resolve(ctx context.Context, c *connection, errOut io.Writer, args []string, manifests []byte) ([]diagnosis.Target, []error, error) {
	args, warnings, err := c.resolveTypes(ctx, args)
	for _, warning := range warnings {
		_, _ = fmt.Fprintf(errOut, "warning: %s\n", report.EscapeText(warning))
	}
	if err != nil {
		return nil, nil, err
	}
	targets, failures := f.targets(c, args, manifests)
	for _, failure := range failures {
		printError(errOut, explainTargets(failure))
	}
	return targets, failures, nil
}

// eachTarget calls visit with the object of an info, or with each when a selector made it a list.
func eachTarget(info *resource.Info, visit func(diagnosis.Target)) error {
	resource := cluster.Resource{
		GroupVersionResource: info.Mapping.Resource, Kind: info.Mapping.GroupVersionKind.Kind,
		Namespaced: info.Mapping.Scope.Name() == meta.RESTScopeNameNamespace,
	}
	if info.Object == nil || !meta.IsListType(info.Object) {
		visit(diagnosis.Target{Resource: resource, Namespace: info.Namespace, Name: info.Name})
		return nil
	}
	return meta.EachListItem(info.Object, func(item runtime.Object) error {
		object, err := meta.Accessor(item)
		if err != nil {
			return err
		}
		visit(diagnosis.Target{Resource: resource, Namespace: object.GetNamespace(), Name: object.GetName()})
		return nil
	})
}

// standardInput reads what is piped in, if it is asked for with -f - or with - alone: names as
// kubectl's -o name prints them become arguments, anything else is manifests.
func (f targetFlags) standardInput(ctx context.Context, streams genericiooptions.IOStreams, args []string) (names []string, manifests []byte, err error) {
	alone := slices.Contains(args, "-")
	if !alone && !slices.Contains(f.files.Filenames, "-") {
		return args, nil, nil
	}
	if isTerminal(streams.In) {
		_, _ = fmt.Fprintln(streams.ErrOut, "Reading names or manifests from the terminal; end with Ctrl-D.")
	}
	data, err := readAll(ctx, streams.In)
	if err != nil {
		return nil, nil, fmt.Errorf("read standard input: %w", err)
	}
	if len(data) > mostInput {
		return nil, nil, fmt.Errorf("standard input is longer than %d MiB", mostInput>>20)
	}
	args = slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return arg == "-" })
	lines := strings.Fields(string(data))
	switch name := regexp.MustCompile(`^[A-Za-z0-9.-]+/[^/\s]+$`); {
	case len(lines) == 0:
		return nil, nil, errors.New("standard input is empty: it should hold names, as -o name prints them, or manifests")
	case !slices.ContainsFunc(lines, func(line string) bool { return !name.MatchString(line) }):
		return append(args, lines...), nil, nil
	case alone:
		return nil, nil, errors.New("standard input should hold names, as -o name prints them; for manifests use -f -")
	}
	return args, data, nil
}

// readAll reads until the end or until ctx ends; a read that blocks can't be cancelled otherwise.
func readAll(ctx context.Context, in io.Reader) ([]byte, error) {
	var data []byte
	done := make(chan error, 1)
	go func() {
		var err error
		data, err = io.ReadAll(io.LimitReader(in, mostInput+1))
		done <- err
	}()
	select {
	case err := <-done:
		return data, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// mostInput bounds what is read from standard input, in bytes.
const mostInput = 64 << 20

func flatten(err error) []error {
	if err == nil {
		return nil
	}
	var several utilerrors.Aggregate
	if errors.As(err, &several) {
		return utilerrors.Flatten(several).Errors()
	}
	return []error{err}
}
