package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/util/homedir"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// options are what several commands take. Each command adds the flags of the ones that it has.
type options struct {
	out     output
	config  *genericclioptions.ConfigFlags
	program finding.Program // how it was called
	time    Time

	pluginDirs    []string
	snapshots     []string // files that answer in place of a cluster
	allNamespaces bool
	// ignoreNotFound says that what isn't there is no error.
	ignoreNotFound bool

	recorded *connection   // to the snapshots, once they were opened
	opened   *files.Opened // the snapshots
	several  several
}

// addCommon adds the flags for plugins, for a recording and for how the answer is printed.
func (o *options) addCommon(flags *pflag.FlagSet, answer result.Result) {
	o.addPlugins(flags)
	o.out.addFormat(flags, answer)
	o.out.addColor(flags)
	o.addSnapshot(flags)
}

func (o *options) addSnapshot(flags *pflag.FlagSet) {
	flags.StringArrayVar(&o.snapshots, "snapshot", nil,
		"Answer from this file or folder instead of a cluster: a recording (see kubectl finalizers snapshot), "+
			"output of kubectl get -o yaml or json, a must-gather, or a kubectl cluster-info dump. - is standard "+
			"input. Can be given several times")
}

func (o *options) addPlugins(flags *pflag.FlagSet) {
	flags.StringSliceVar(&o.pluginDirs, "catalog", nil, "Folders with more entries for the catalogue of finalizers, "+
		"read after those in $HOME/.kube/finalizers/plugins. Later entries replace earlier ones")
}

func (o *options) addAllNamespaces(flags *pflag.FlagSet, usage string) {
	flags.BoolVarP(&o.allNamespaces, "all-namespaces", "A", false, usage)
}

func (o *options) addIgnoreNotFound(flags *pflag.FlagSet) {
	flags.BoolVar(&o.ignoreNotFound, "ignore-not-found", false, "Treat \"not found\" as success: "+
		"report it on standard error, and exit with 0")
}

// annotateValues notes which values a flag takes, for completion.
func annotateValues(flags *pflag.FlagSet, name string, values ...string) {
	_ = flags.SetAnnotation(name, flagValues, values) // fails for flags that don't exist: it does
}

// noObjects refuses arguments that should narrow a whole area, as with kubectl get.
func (o *options) noObjects(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	given := strings.Join(args, " ")
	look, asked := "Use -n NAMESPACE or -A.", fmt.Sprintf("one object: %s why TYPE/NAME", o.program)
	if len(args) == 1 && (finding.Command{given}).String() == given { // it needs no quotes
		what, namespace := "all objects of a type", given
		if kind, name, named := strings.Cut(given, "/"); named {
			what, namespace = "one object", ""
			if slices.Contains([]string{"ns", "namespace", "namespaces"}, strings.ToLower(kind)) {
				namespace = name
			}
		}
		if cmd.Flags().Lookup("namespace") != nil && len(validation.IsDNS1123Label(namespace)) == 0 {
			look = fmt.Sprintf("To look in a namespace: %s %s -n %s", o.program, cmd.Name(), namespace)
		}
		asked = fmt.Sprintf("%s: %s why %s", what, o.program, given)
	}
	return fmt.Errorf("%s takes no objects, but was given %q.\n%s\nTo ask about %s", cmd.Name(), given, look, asked)
}

// oneOf refuses a value of a flag that is none of those it takes, and suggests the ones that may have been meant.
func oneOf(flag, value string, known ...string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return fmt.Errorf("--%s %q is not one of %s%s", flag, value, strings.Join(known, ", "), spelling.Meant(value, known))
}

func (o *options) refuseSnapshot(flag, why string) error {
	if len(o.snapshots) == 0 {
		return nil
	}
	return errors.New(flag + " can't be used with --snapshot: " + why)
}

// open reads the plugins, and connects to the cluster or to the recording that answers in its place.
func (o *options) open(ctx context.Context) (*connection, error) {
	known, err := o.loadPlugins()
	if err != nil {
		return nil, err
	}
	c, err := o.connect(ctx, nil)
	if err != nil {
		return nil, err
	}
	c.options.Plugins, c.options.Program, c.options.Pause = known, o.program, o.time.Pause
	return c, nil
}

func (o *options) connect(ctx context.Context, before *cluster.ServedKinds) (*connection, error) {
	if err := cluster.CheckName(*o.config.Namespace, ""); err != nil {
		return nil, fmt.Errorf("%w. To list the namespaces, run: kubectl get namespaces", err)
	}
	if len(o.snapshots) == 0 {
		c, err := connect(ctx, o.config, before)
		if err == nil && o.time.Now != nil {
			c.live.UseClock(o.time.Now)
		}
		return c, err
	}
	if o.recorded == nil { // a recording is introduced once
		opened, err := openSnapshots(ctx, o)
		if err != nil {
			return nil, err
		}
		if o.recorded, err = connectOpened(ctx, o, opened); err != nil {
			return nil, err
		}
	}
	return o.recorded, nil
}

// loadPlugins reads what comes with the program and what the user adds. Bad files are left out with a warning.
func (o *options) loadPlugins() (*plugins.Set, error) {
	set, err := plugins.Embedded()
	if err != nil {
		return nil, err
	}
	add := func(dir string) error {
		problems, err := set.AddDir(dir)
		for _, problem := range problems {
			warn(o.out.ErrOut, problem.Error()+" (the file is ignored)")
		}
		return err
	}
	if home := homedir.HomeDir(); home != "" {
		usual := filepath.Join(home, ".kube", "finalizers", "plugins")
		if err := add(usual); err != nil && !errors.Is(err, os.ErrNotExist) {
			warn(o.out.ErrOut, fmt.Sprintf("the catalogue entries in %s can't be read: %v", usual, err))
		}
	}
	for _, dir := range o.pluginDirs {
		if err := add(dir); err != nil {
			return nil, fmt.Errorf("--catalog %s: %w", dir, err)
		}
	}
	return set, nil
}
