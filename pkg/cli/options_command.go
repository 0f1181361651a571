package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// newOptions lists the flags that every command takes. As in kubectl, help of the commands leaves them out.
func newOptions(streams genericiooptions.IOStreams) *cobra.Command {
	return &cobra.Command{
		Use:   "options",
		Short: "List the flags that apply to all commands",
		Long:  "List the flags that apply to all commands: which cluster to ask, as which user, and how.",
		Example: `  # List the flags that select a cluster and a user
  kubectl finalizers options`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(streams.Out, "The following flags can be passed to any command:\n\n%s",
				cmd.Root().PersistentFlags().FlagUsages())
			return err
		},
	}
}

// shortHelp leaves the flags that every command takes out of the help of each, and says where they are listed.
func shortHelp(root *cobra.Command, streams genericiooptions.IOStreams) {
	whole := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		var hidden []*pflag.Flag
		root.PersistentFlags().VisitAll(func(flag *pflag.Flag) {
			if !flag.Hidden {
				hidden = append(hidden, flag)
				flag.Hidden = true
			}
		})
		whole(cmd, args)
		for _, flag := range hidden {
			flag.Hidden = false
		}
		_, _ = fmt.Fprintf(streams.Out,
			"\nUse \"%s options\" for a list of flags that apply to all commands, such as -n and --context.\n",
			root.CommandPath())
	})
}

// suggestWords has words that people try suggest the command that does it.
func suggestWords(root *cobra.Command) {
	words := map[string][]string{
		"why":      {"get", "describe", "diagnose", "doctor", "debug", "inspect", "status", "what", "who", "show"},
		"list":     {"get", "ls", "ps", "stuck", "terminating", "all", "top"},
		"preview":  {"delete", "plan", "simulate", "diff", "impact"},
		"rescue":   {"undelete", "restore", "recover", "undo", "save", "keep"},
		"remove":   {"delete", "rm", "patch", "edit", "force", "unstick", "unblock", "clean", "clear", "fix"},
		"check":    {"doctor", "audit", "lint", "validate", "verify", "scan"},
		"tree":     {"graph", "owners", "dependents", "deps", "children"},
		"explain":  {"describe", "info", "known", "catalog", "plugins"},
		"snapshot": {"record", "dump", "export", "backup", "must-gather"},
		"mcp":      {"serve", "server", "assistant"},
		"options":  {"flags", "global"},
		"metrics":  {"exporter", "prometheus", "serve", "monitor"},
	}
	for _, cmd := range root.Commands() {
		cmd.SuggestFor = words[cmd.Name()]
	}
}
