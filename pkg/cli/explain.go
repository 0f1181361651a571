package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

type explainOptions struct {
	options
	kind    string
	offline bool
	patient bool // --request-timeout was given
}

func newExplain(common options) *cobra.Command {
	o := &explainOptions{options: common}
	cmd := &cobra.Command{
		Use:   "explain [FINALIZER] [--kind KIND]",
		Short: "Describe a finalizer: what removes it and when, and what removal by force would lose",
		Long: `Describe a finalizer from the catalogue: what adds and removes it, what it waits for, what is lost if it
is removed by force, what to do instead, how this was verified, and its sources.

If a cluster is available, also say whether the controller of the finalizer runs there and is allowed to
remove it. For a finalizer that is not in the catalogue, look for its controller in the cluster. With
--snapshot, use a recording instead of the cluster.

Without a finalizer, list the projects in the catalogue, or with --kind the finalizers on that kind.
Your own entries are read from $HOME/.kube/finalizers/plugins and from --catalog. explain is read-only.`,
		Example: `  # Describe a finalizer
  kubectl finalizers explain foregroundDeletion

  # Find the controller of a finalizer that the catalogue does not have
  kubectl finalizers explain shop.example.com/cleanup --kind Database.shop.example.com

  # Describe a finalizer that means different things on different kinds
  kubectl finalizers explain longhorn.io --kind Volume.longhorn.io

  # List all known finalizers on a kind
  kubectl finalizers explain --kind PersistentVolumeClaim

  # List the projects in the catalogue, and add entries of your own
  kubectl finalizers explain
  kubectl finalizers explain shop.example.com/cleanup --catalog ./plugins`,
		RunE: o.run,
	}
	cmd.Flags().StringVar(&o.kind, "kind", "", "Describe finalizers on this kind, given as KIND or KIND.GROUP, "+
		"or as kubectl takes it (pvc, persistentvolumeclaims)")
	cmd.Flags().BoolVar(&o.offline, "offline", false, "Do not ask the cluster")
	o.addCommon(cmd.Flags(), &result.Explanation{})
	return cmd
}

func (o *explainOptions) run(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("explain takes one finalizer, not %d", len(args))
	}
	if err := o.out.validateOutput(); err != nil {
		return err
	}
	set, err := o.loadPlugins()
	if err != nil {
		return err
	}
	o.patient = cmd.Flags().Changed("request-timeout")
	ctx, finalizer := cmd.Context(), strings.Join(args, "")
	if finalizer == "" && o.kind == "" {
		items := finding.Each(set.Projects(), func(indexed plugins.Indexed) result.Project {
			return result.Project{Project: indexed.Project, File: indexed.File, Finalizers: indexed.Names}
		})
		return o.out.print(ctx, &result.ProjectList{APIVersion: result.APIVersion, Kind: "ProjectList", Items: items})
	}
	if err := o.resolveKind(ctx, set); err != nil {
		return err
	}
	found, err := o.find(set, finalizer)
	// If a finalizer is known, but not on this kind, the catalogue decides.
	unknown := err != nil && finalizer != "" && len(set.Named(finalizer)) == 0
	if err != nil && !unknown {
		return err
	}
	answer := &result.Explanation{
		APIVersion: result.APIVersion, Kind: "Explanation", Finalizer: finalizer, OnKind: o.kind,
		Known:   []result.Known{},
		Program: o.program,
	}
	if finalizer != "" {
		answer.Cluster = o.inCluster(ctx, set, finalizer)
	}
	if answer.Cluster != nil && len(o.snapshots) > 0 && !answer.Cluster.Asked && !o.offline {
		return errors.New(answer.Cluster.WhyNot)
	}
	if unknown {
		if err := o.unknown(err, answer.Cluster); err != nil {
			return err
		}
	}
	if len(found) > 0 {
		answer.Known = finding.Each(found, result.Explained)
	}
	return o.out.print(ctx, answer)
}

// few is how many names an error lists.
const few = 5

// find returns what was asked for. Its errors suggest what may have been meant.
func (o *explainOptions) find(set *plugins.Set, finalizer string) ([]plugins.Finalizer, error) {
	known := set.All()
	if finalizer != "" {
		known = set.Named(finalizer)
	}
	onKind := slices.DeleteFunc(slices.Clone(known), func(entry plugins.Finalizer) bool {
		// What may be on any kind is no answer to the question what is on this one.
		return o.kind != "" && (finalizer == "" && len(entry.Kinds) == 0 || !entry.MayBeOn(o.kind))
	})
	switch {
	case len(onKind) > 0:
		return onKind, nil
	case finalizer == "":
		return nil, fmt.Errorf(
			"the catalogue has no finalizer on %s. To describe one that an object has, give its name", o.kind)
	case len(known) > 0:
		on := strings.Join(kindsOf(known), ", ")
		return nil, fmt.Errorf("the catalogue has %s, but not on %s; it has it on %s", finalizer, o.kind, on)
	}
	meant := "Ask"
	if near := nearNames(finalizer, set.Names()); len(near) > 0 {
		meant = "Did you mean " + strings.Join(near, " or ") + "? If not, ask"
	}
	meant, object := meant+" about an object that has it", "TYPE/NAME"
	if typed, _, named := strings.Cut(finalizer, "/"); named && len(cluster.Meant(knownKinds(set), typed)) > 0 {
		meant, object = "If that is an object, ask about it", finalizer
	}
	return nil, fmt.Errorf("the catalogue does not have the finalizer %q.\n%s:\n  %s why %s",
		finalizer, meant, o.program, object)
}

func kindsOf(known []plugins.Finalizer) []string {
	all := finding.Each(known, func(finalizer plugins.Finalizer) []string { return finalizer.Kinds })
	kinds := sets.List(sets.New(slices.Concat(all...)...))
	if more := len(kinds) - few; more > 1 {
		kinds = append(kinds[:few], fmt.Sprintf("%d other kinds", more))
	}
	return kinds
}
