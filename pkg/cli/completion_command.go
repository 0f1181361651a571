package cli

import (
	_ "embed" // the shim
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// shim is what kubectl looks for on the PATH to complete a plugin's arguments: it prints what cobra's hidden command
// prints (k8s v1.37 kubectl/pkg/cmd/plugin/plugin_completion.go:pluginCompletion).
//
//go:embed shim/kubectl_complete-finalizers
var shim string

// newCompletion takes the place of cobra's command of the same name, which knows nothing of the shim.
func newCompletion(streams genericiooptions.IOStreams) *cobra.Command {
	choices := []string{"kubectl", "bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion (kubectl | bash | zsh | fish | powershell)",
		Short: "Print the script for shell completion",
		Long: `Print the script that completes types, names, namespaces, contexts and flags in a shell. Terminating objects
come first.

"kubectl" prints kubectl_complete-finalizers, an executable that kubectl looks for in the PATH. With it,
kubectl's own completion also completes "kubectl finalizers". Release archives contain it.

The name of a shell prints a script that completes the command kubectl-finalizers.`,
		Example: `  # Complete "kubectl finalizers": put the executable beside the plugin
  kubectl finalizers completion kubectl > ~/bin/kubectl_complete-finalizers
  chmod +x ~/bin/kubectl_complete-finalizers

  # Complete "kubectl-finalizers" in the current bash shell
  source <(kubectl-finalizers completion bash)

  # Complete it in the current zsh shell
  source <(kubectl-finalizers completion zsh)

  # Complete it in all new fish shells
  kubectl-finalizers completion fish > ~/.config/fish/completions/kubectl-finalizers.fish

  # Complete it in the current PowerShell
  kubectl-finalizers completion powershell | Out-String | Invoke-Expression`,
		ValidArgs: choices,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && slices.Contains(choices, args[0]) {
				return nil
			}
			given := ""
			if len(args) > 0 {
				typed := strings.Join(args, " ")
				given = fmt.Sprintf(", not %q%s", typed, spelling.Meant(typed, choices))
			}
			return fmt.Errorf("completion takes one of %s%s\nSee %s --help", strings.Join(choices, ", "), given,
				cmd.CommandPath())
		},
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(streams.Out, true)
			case "zsh":
				return root.GenZshCompletion(streams.Out)
			case "fish":
				return root.GenFishCompletion(streams.Out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(streams.Out)
			}
			_, err := fmt.Fprint(streams.Out, shim)
			return err
		},
	}
}
