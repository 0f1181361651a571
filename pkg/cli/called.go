package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// completes begins the name of the executable that kubectl asks what completes a plugin's arguments
// (k8s v1.37 kubectl/pkg/cmd/plugin/plugin_completion.go:pluginCompletion).
const completes = "kubectl_complete-"

// Called takes the words by which the program was called, the executable first, and returns its name and its arguments.
// Under the name that kubectl asks for completion, it is that: a link is enough.
func Called(words []string) (finding.Program, []string) {
	if len(words) == 0 {
		return "", nil
	}
	program, args := finding.ProgramAt(words[0]), words[1:]
	if plugin, asked := strings.CutPrefix(string(program), completes); asked {
		return finding.Program("kubectl-" + plugin), append([]string{cobra.ShellCompRequestCmd}, args...)
	}
	return program, args
}

// callIt has the help of all commands say the name by which the program was called. It is written with its own name.
func callIt(program finding.Program, commands ...*cobra.Command) {
	own := finding.Program("")
	named := strings.NewReplacer(shimOf(own), shimOf(program), own.String(), program.String(), own.Name(),
		program.Name())
	for _, cmd := range commands {
		cmd.Long, cmd.Example = named.Replace(cmd.Long), named.Replace(cmd.Example)
		cmd.Flags().VisitAll(func(flag *pflag.Flag) { // one of them names a folder, which keeps its name
			flag.Usage = strings.ReplaceAll(flag.Usage, own.String(), program.String())
		})
		callIt(program, cmd.Commands()...)
	}
}

// shimOf is the name of the executable that kubectl asks what completes the program's arguments.
func shimOf(program finding.Program) string {
	return completes + strings.TrimPrefix(program.Name(), "kubectl-")
}
