package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

type uninstallOptions struct {
	targetOptions
	release, project string
}

func newUninstall(common options) *cobra.Command {
	o := &uninstallOptions{targetOptions: targetOptions{options: common}}
	cmd := &cobra.Command{
		Use:   "uninstall (TYPE/NAME | -f FILE | -k FOLDER | --release NAME | --project NAME)",
		Short: "Plan how an operator can be uninstalled without leaving anything stuck",
		Long: `Plan how an operator can be uninstalled without leaving anything stuck: what to save, which objects to delete
while it runs and in which order, how to wait, and when its webhooks, its workloads and its definitions can
be deleted. What would hang is listed first, with its root causes.

Name the operator by its workload, by the namespace that it runs in, by the manifests that it was installed
from (helm template or helm get manifest print them), by a release of Helm or an operator of OLM, or by a
project of the catalogue. For a CustomResourceDefinition, the plan is for that alone, and the operator stays.

uninstall is read-only: it prints commands, and runs none of them. It lists what it could not read, and never
treats that as absent. After some steps are done, run it again for the rest.

With -o script, the plan is a script for a POSIX shell. It stops at the first thing that is not as the plan
says, asks before each loss, and can be run again.`,
		Example: `  # Plan how to uninstall the operator of a Deployment
  kubectl finalizers uninstall deploy/shop-operator -n shop-system

  # Plan how to uninstall a Helm release, by its labels or by its manifests
  kubectl finalizers uninstall --release shop -n shop-system
  helm get manifest shop -n shop-system | kubectl finalizers uninstall -f - -n shop-system

  # Plan how to uninstall a project that the catalogue knows
  kubectl finalizers uninstall --project cert-manager

  # Plan how to delete one definition and its objects, or a namespace with the operators in it
  kubectl finalizers uninstall crd/databases.shop.example.com
  kubectl finalizers uninstall ns/shop-system

  # Write a script, read it, and then run it
  kubectl finalizers uninstall deploy/shop-operator -n shop-system -o script > uninstall.sh`,
		RunE: o.run,
	}
	flags := cmd.Flags()
	flags.StringSliceVarP(&o.files.Filenames, "filename", "f", nil,
		"Files, folders or URLs with the manifests of the operator; - reads them from standard input")
	flags.StringVarP(&o.files.Kustomize, "kustomize", "k", "", "A kustomization folder with the manifests of the operator")
	flags.BoolVarP(&o.files.Recursive, "recursive", "R", false, "Also read the folders below those given with -f")
	flags.StringVar(&o.release, "release", "", "The Helm release or the OLM operator, by the labels and annotations "+
		"of what it installed. With -n, only the one in that namespace")
	flags.StringVar(&o.project, "project", "", "The project, as \"explain\" without a name lists it")
	flags.BoolVar(&o.out.exitCode, "exit-code", false,
		"Exit with 2 if something has to be resolved first, and 4 if it is not clear whether anything has")
	o.addCommon(flags, &result.UninstallPlan{})
	return cmd
}

func (o *uninstallOptions) validate(args []string) error {
	ways := 0
	for _, given := range []bool{len(args) > 0, o.hasFiles(), o.release != "", o.project != ""} {
		if given {
			ways++
		}
	}
	switch {
	case ways == 0:
		return fmt.Errorf("name the operator, for example: %s uninstall deploy/shop-operator -n shop-system (see --help)",
			o.program)
	case ways > 1:
		return errors.New("name the operator in one way: by an object, by -f or -k, by --release or by --project")
	}
	return o.out.validateOutput()
}

// run prints the plan for what was named.
func (o *uninstallOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.validate(args); err != nil {
		return err
	}
	defer collectAt(50)() // everything in the cluster is kept
	ctx := cmd.Context()
	connection, asked, err := o.asked(ctx, args)
	if err != nil {
		return err
	}
	reader, done := watch(connection.reader, o.out.ErrOut)
	plan, err := connection.over(reader).Uninstall(ctx, asked)
	done()
	if err != nil {
		if asked.Object != nil {
			err = explainTarget(ctx, connection, *asked.Object, err)
		}
		return err
	}
	return o.out.answer(ctx, plan, uninstallCode(plan))
}

// asked opens the cluster, and returns what to ask it.
func (o *uninstallOptions) asked(ctx context.Context, args []string) (*connection, finalizers.UninstallOptions, error) {
	asked := finalizers.UninstallOptions{Release: o.release}
	if o.release != "" || o.project != "" {
		c, err := o.open(ctx)
		if err != nil {
			return nil, asked, err
		}
		asked.Namespace = *o.config.Namespace
		if o.project != "" {
			asked.Namespace = ""
			asked.Project, err = projectNamed(c.options.Plugins, o.project)
		}
		return c, asked, err
	}
	if err := o.standardInput(ctx, args); err != nil {
		return nil, asked, err
	}
	c, err := o.open(ctx)
	if err != nil {
		return nil, asked, err
	}
	found, failures, err := o.resolve(ctx, c, o.args)
	if err != nil {
		return nil, asked, err
	}
	if asked.Object, err = o.object(found, failures); err != nil || asked.Object != nil {
		return c, asked, err
	}
	asked.Manifests = append([]session.Target{}, found...)
	return c, asked, o.unserved(failures)
}

// object is the one that was named; nil if manifests were.
func (o *uninstallOptions) object(found []session.Target, failures []error) (*session.Target, error) {
	switch {
	case len(o.args) == 0:
		return nil, nil
	case len(failures) > 0:
		return nil, failures[0]
	case len(found) != 1:
		return nil, errors.New("name one object. To uninstall several operators, make a plan for each")
	}
	kinds := slices.Concat(workloadKinds(), []string{
		cluster.Namespaces().QualifiedName(), cluster.CustomResourceDefinitions().QualifiedName(),
	})
	if resource := found[0].Resource; !resource.Scales && !slices.Contains(kinds, resource.QualifiedName()) {
		return nil, fmt.Errorf("%s/%s is no workload, namespace or CustomResourceDefinition: name the operator's "+
			"Deployment, or see --help", resource.QualifiedName(), found[0].Name)
	}
	return &found[0], nil
}

func workloadKinds() []string {
	return []string{
		cluster.Deployments().QualifiedName(), cluster.StatefulSets().QualifiedName(),
		cluster.DaemonSets().QualifiedName(), cluster.ReplicaSets().QualifiedName(), cluster.Pods().QualifiedName(),
	}
}

// unserved returns the first failure that is not about a kind that isn't served any more: its objects are gone, as they
// are when a plan was followed in part.
func (o *uninstallOptions) unserved(failures []error) error {
	for _, failure := range failures {
		if !meta.IsNoMatchError(failure) {
			return failure
		}
	}
	return nil
}
