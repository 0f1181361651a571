package cli

import (
	"context"
	"errors"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

type ioStreams = genericiooptions.IOStreams

// sourceFlags say where the cluster is that a command reads: behind the kubeconfig, or in a file. Every
// command that only reads has them, and gets its connection from them.
type sourceFlags struct{ snapshot []string }

func (f *sourceFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.snapshot, "snapshot", nil, "Ask no cluster: answer from a recording (see kubectl finalizers snapshot), from manifests that kubectl get -o yaml or json has printed, or from a must-gather or kubectl cluster-info dump, as a folder or a tar archive; - reads standard input; may be given several times")
}

// addRefused adds the flag to a command that can't do with a recording, so that it can say why.
func (f *sourceFlags) addRefused(flags *pflag.FlagSet) {
	f.add(flags)
	_ = flags.MarkHidden("snapshot") // fails for flags that don't exist: it does
}

// recorded tells whether the cluster is a file.
func (f *sourceFlags) recorded() bool { return len(f.snapshot) > 0 }

// refuse returns the error for something that a recording can't do.
func (f *sourceFlags) refuse(flag, why string) error {
	if !f.recorded() {
		return nil
	}
	return errors.New(flag + " doesn't go with --snapshot: " + why)
}

// connect returns the cluster to read.
func (f *sourceFlags) connect(ctx context.Context, flags *genericclioptions.ConfigFlags, streams ioStreams) (*connection, error) {
	if f.recorded() {
		return openRecorded(ctx, f.snapshot, flags, streams)
	}
	return connect(ctx, flags)
}
