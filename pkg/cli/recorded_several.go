package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// chooseRecorded returns the recording of one of several clusters: that of --context.
func chooseRecorded(several *snapshot.Several, context string) (*snapshot.Recording, error) {
	var names []string
	for i, cluster := range several.Header.Clusters {
		names = append(names, cluster.Name)
		if cluster.Name != context && !slices.Contains(cluster.Also, context) {
			continue
		}
		if several.Recordings[i] == nil {
			return nil, fmt.Errorf("%s was not recorded: %s", cluster.Name, cluster.Error)
		}
		return several.Recordings[i], nil
	}
	if context == "" {
		return nil, several.Ambiguous()
	}
	if meant := spelling.Meant(context, names); meant != "" {
		return nil, fmt.Errorf("the recording has no context %q%s", context, meant)
	}
	return nil, fmt.Errorf("the recording has no context %q: %w", context, several.Ambiguous())
}

// recordedFleet returns the clusters of a recording of several, to be asked as the clusters themselves.
func recordedFleet(ctx context.Context, o *options, several *snapshot.Several) (*fleet, error) {
	known, err := o.loadPlugins()
	if err != nil {
		return nil, err
	}
	f := newFleet(o, len(several.Recordings))
	for i, cluster := range several.Header.Clusters {
		f.Members = append(f.Members, finalizers.Member{
			Name: cluster.Name, Also: cluster.Also, Connect: func(ctx context.Context) (*finalizers.Cluster, error) {
				if several.Recordings[i] == nil {
					return nil, fmt.Errorf("it was not recorded: %s", cluster.Error)
				}
				c, err := recordedConnection(ctx, several.Recordings[i], o.snapshots, o.config)
				if err != nil {
					return nil, err
				}
				c.options.Plugins, c.options.Program, c.options.Member = known, o.program, cluster.Name
				f.connections[i] = c
				return c.over(c.reader), nil
			},
		})
	}
	f.tell(o.out.ErrOut)
	text := fmt.Sprintf("From a recording of %d of %d clusters, made at %s. Ages are as of the recording of each. In the "+
		"answer, commands without --snapshot are for the live clusters.", recordedIn(several), len(several.Recordings),
		several.Header.RecordedAt.Format(time.RFC3339))
	_ = print.Paragraph(o.out.ErrOut, text, plainStyle(o.out.ErrOut)) // there is nowhere left to complain
	_, _ = fmt.Fprintln(o.out.ErrOut)
	return f, ctx.Err()
}

func recordedIn(several *snapshot.Several) (recorded int) {
	for _, cluster := range several.Header.Clusters {
		if cluster.State == result.Answered {
			recorded++
		}
	}
	return recorded
}

// flagsOfRecorded are the flags without the context, which has chosen the recording: its header names the context.
func flagsOfRecorded(common *genericclioptions.ConfigFlags) *genericclioptions.ConfigFlags {
	flags := flagsFor(common, "")
	flags.WrapConfigFn = nil
	return flags
}
