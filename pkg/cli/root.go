// Package cli holds the commands: flags become options, options are run, errors become exit codes.
//
// This package may change at any time.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/klog/v2"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// requestTimeout is the default of --request-timeout: longer than a busy API server takes for a page of a list.
const requestTimeout = "15s"

// Execute runs the program under its own name and returns its exit code.
func Execute(ctx context.Context, streams genericiooptions.IOStreams, args []string) int {
	return ExecuteAs(ctx, "", streams, args)
}

// ExecuteAs runs the program as it was called (see Called) and returns its exit code.
func ExecuteAs(
	ctx context.Context, program finding.Program, streams genericiooptions.IOStreams, args []string,
) int {
	limitMemory()
	return ExecuteAt(ctx, Time{}, program, streams, args)
}

// Time is by what time a run answers. The zero value is that of people: by the server's clock, and it passes.
type Time struct {
	// Now is a clock in place of the server's: two answers that are to be compared are given at the same time, however
	// long it takes to ask for them.
	Now func() time.Time
	// Pause replaces the wait for the given time, or until ctx ends, before a second look at the cluster.
	Pause func(ctx context.Context, length time.Duration) error
}

// ExecuteAt is ExecuteAs by another time.
func ExecuteAt(
	ctx context.Context, by Time, program finding.Program, streams genericiooptions.IOStreams, args []string,
) int {
	root, completer := newRoot(options{out: output{IOStreams: streams}, program: program, time: by})
	if len(args) > 1 && (args[0] == "--help" || args[0] == "-h") { // of a command
		args = append([]string{"help"}, args[1:]...)
	}
	root.SetArgs(args)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		completer.complete(root) // what is registered stays in memory for ever
	}
	if err := noCommand(root, args); err != nil {
		return exitCode(err, streams.ErrOut)
	}
	return exitCode(root.ExecuteContext(ctx), streams.ErrOut)
}

// noCommand is the error about an object, or a type of objects, where a command is expected.
func noCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 || args[0] == "" || strings.HasPrefix(args[0], "-") {
		return nil
	}
	asks := fmt.Sprintf("%s why %s", root.CommandPath(), strings.Join(args, " "))
	if strings.Contains(args[0], "/") {
		return fmt.Errorf("unknown command %q. To ask about an object: %s", args[0], asks)
	}
	root.InitDefaultHelpCmd()
	if _, _, err := root.Find(args); err == nil || len(root.SuggestionsFor(args[0])) > 0 ||
		strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return nil // it is one, or cobra says which one may be meant
	}
	return fmt.Errorf("unknown command %q. If it is a type of objects: %s\nSee %s --help",
		args[0], asks, root.CommandPath())
}

// Command returns the commands, for those who write about them.
func Command() *cobra.Command {
	root, _ := newRoot(options{out: output{IOStreams: genericiooptions.NewTestIOStreamsDiscard()}})
	root.InitDefaultHelpCmd()
	return root
}

// newRoot returns the program's commands, and what completes them.
func newRoot(common options) (*cobra.Command, completer) {
	program, streams := common.program, common.out.IOStreams
	root := &cobra.Command{
		Use:     program.Name(),
		Version: thisBuild().Version,
		Short:   "Explain why an object is still Terminating, and how to resolve it safely",
		Long: `Explain why a Kubernetes object is still Terminating, and how to resolve it safely.

An object with finalizers stays until their controllers remove them. kubectl finalizers follows what
waits for what, names the root cause with its evidence, and lists what it could not read. All commands
are read-only, except remove --force.`,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: program.String()},
		SilenceErrors: true, // Execute prints them
		SilenceUsage:  true,
	}
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.ErrOut)

	config := genericclioptions.NewConfigFlags(true)
	*config.Timeout = requestTimeout
	config.AddFlags(root.PersistentFlags())
	verbosity := root.PersistentFlags().IntP("v", "v", 0,
		"Log level for requests to the server: 6 logs each request, and 7, the highest, its headers")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return setVerbosity(*verbosity) }

	common.config = config
	root.AddCommand(newWhy(common), newPreview(common), newList(common), newTree(common), newCheck(common),
		newSnapshot(common), newExplain(common), newRescue(common), newRemove(common), newUninstall(common),
		newMetrics(common), newMCP(common),
		newVersion(common),
		newCompletion(streams), newOptions(streams))
	suggestWords(root)
	root.SetFlagErrorFunc(explainFlag)
	shortHelp(root, streams)
	callIt(program, root)
	return root, completer{config: config}
}

// mostVerbose is klog's last level before client-go logs bodies, in which there may be secrets.
const mostVerbose = 7

// setVerbosity configures klog, through which client-go logs: silent at 0, as failures that matter are in the answer.
func setVerbosity(verbosity int) error {
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	if verbosity <= 0 {
		klog.SetOutput(io.Discard)
		return errors.Join(flags.Set("logtostderr", "false"), flags.Set("stderrthreshold", "FATAL"))
	}
	return flags.Set("v", strconv.Itoa(min(verbosity, mostVerbose)))
}
