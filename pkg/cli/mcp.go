package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mcpserver"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// answerTimeout is how long an assistant waits for one answer, unless --timeout says. Many clients give up after a
// minute, and what is known by then has to reach them before.
const answerTimeout = 45 * time.Second

type mcpOptions struct {
	options
	timeout time.Duration
}

func newMCP(common options) *cobra.Command {
	o := &mcpOptions{options: common}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the read-only commands to an assistant, over the Model Context Protocol",
		Long: `Serve why, list, tree, check, preview and explain to an assistant, over the Model Context Protocol (MCP), on
standard input and output. An MCP client starts this command, which ends when the client closes its input.

mcp is read-only. It sends no dry runs, and never reads the data of Secrets. The flags choose the cluster and the
user. Each answer has the text that the command prints, and the same as JSON. Lists begin with the worst entries,
and long ones are cut. What comes from the cluster is marked as untrusted.

Standard output has nothing but the protocol. With -v 1, each question is logged on standard error.`,
		Example: `  # Configure a client to start this (command: kubectl-finalizers, argument: mcp)
  kubectl finalizers mcp

  # Ask one cluster, as a user with few rights
  kubectl finalizers mcp --context prod --as system:serviceaccount:ops:reader

  # Ask a recording
  kubectl finalizers mcp --snapshot payments.snapshot`,
		Args: cobra.NoArgs,
		RunE: o.run,
	}
	flags := cmd.Flags()
	o.addPlugins(flags)
	o.addSnapshot(flags)
	flags.DurationVar(&o.timeout, "timeout", answerTimeout, "How long one answer may take")
	return cmd
}

func (o *mcpOptions) run(cmd *cobra.Command, _ []string) error {
	switch {
	case o.timeout <= 0:
		return errors.New("--timeout must be greater than zero")
	case slices.Contains(o.snapshots, "-"):
		return errors.New("--snapshot - can't be used with mcp: standard input belongs to the client")
	}
	if isTerminal(o.out.In) {
		const hint = "Waiting for an MCP client on standard input. Usually the client starts this command. " +
			"To end, press Ctrl-C. See docs/mcp.md."
		_, _ = fmt.Fprintln(o.out.ErrOut, hint)
	}
	level := slog.LevelWarn
	if verbosity, err := cmd.Flags().GetInt("v"); err == nil && verbosity > 0 {
		level = slog.LevelInfo
	}
	return mcpserver.Serve(cmd.Context(), o.out.In, o.out.Out, mcpserver.Options{
		Version: thisBuild().Version, Program: o.program, Timeout: o.timeout, Ask: o.ask,
		Logger: slog.New(slog.NewTextHandler(o.out.ErrOut, &slog.HandlerOptions{Level: level})),
	})
}

// ask runs a command that reads, as it would run in a shell, and hands over its results in place of printing them.
func (o *mcpOptions) ask(ctx context.Context, question mcpserver.Question) (reply mcpserver.Reply) {
	commands := map[string]func(options) *cobra.Command{
		"why": newWhy, "list": newList, "tree": newTree, "check": newCheck, "preview": newPreview,
		"explain": newExplain,
	}
	var said bytes.Buffer
	common := options{
		out: output{
			IOStreams: genericiooptions.IOStreams{In: strings.NewReader(""), Out: io.Discard, ErrOut: &said},
			deliver:   func(answer result.Result) { reply.Results = append(reply.Results, answer) },
		},
		config:  copyOf(o.config),
		program: o.program,
	}
	if question.Namespace != "" {
		*common.config.Namespace = question.Namespace
	}
	cmd := commands[question.Command](common)
	args := []string{"--output=json"} // without what is for people at a terminal
	for _, file := range o.snapshots {
		args = append(args, "--snapshot="+file)
	}
	for _, dir := range o.pluginDirs {
		args = append(args, "--catalog="+dir)
	}
	cmd.SetArgs(append(args, question.Args...))
	cmd.SetOut(io.Discard)
	cmd.SetErr(&said)
	cmd.SilenceErrors, cmd.SilenceUsage, cmd.CompletionOptions.DisableDefaultCmd = true, true, true
	if exitCode(cmd.ExecuteContext(ctx), &said) == exitFailed {
		reply.Results = slices.DeleteFunc(reply.Results, isEmpty)
	}
	reply.Said = strings.TrimSpace(said.String())
	return reply
}

// isEmpty reports whether a result is a list of answers about some objects that has none.
func isEmpty(answer result.Result) bool {
	switch list := answer.(type) {
	case *result.DiagnosisList:
		return len(list.Items) == 0
	case *result.PreviewList:
		return len(list.Items) == 0
	}
	return false
}

// copyOf returns flags with the same values. Each question reads the kubeconfig anew, and may name another namespace.
func copyOf(config *genericclioptions.ConfigFlags) *genericclioptions.ConfigFlags {
	own := genericclioptions.NewConfigFlags(true)
	to, from := pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	own.AddFlags(to)
	config.AddFlags(from)
	from.VisitAll(func(flag *pflag.Flag) {
		var err error
		if several, is := flag.Value.(pflag.SliceValue); is {
			err = to.Lookup(flag.Name).Value.(pflag.SliceValue).Replace(several.GetSlice())
		} else {
			err = to.Set(flag.Name, flag.Value.String())
		}
		if err != nil {
			panic(fmt.Sprintf("--%s has a value that it doesn't take: %v", flag.Name, err))
		}
	})
	return own
}
