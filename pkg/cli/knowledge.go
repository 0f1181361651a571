package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"
	"k8s.io/client-go/util/homedir"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// knowledge is what is known of finalizers: what comes with the program, and what the user adds.
type knowledge struct {
	dirs []string
}

func (k *knowledge) add(flags *pflag.FlagSet) {
	flags.StringSliceVar(&k.dirs, "plugins", nil, "Folders with more finalizer plugins, read after those in $HOME/.kube/finalizers/plugins; what is read later wins")
}

// load reads the plugins. A file with problems is named on errOut and left out; a folder that was
// named and can't be read is an error.
func (k *knowledge) load(errOut io.Writer) (*plugins.Set, error) {
	set, err := plugins.Embedded()
	if err != nil {
		return nil, err
	}
	if home := homedir.HomeDir(); home != "" {
		usual := filepath.Join(home, ".kube", "finalizers", "plugins")
		problems, err := set.AddDir(usual)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			warn(errOut, fmt.Sprintf("the plugins in %s can't be read: %v", usual, err))
		}
		tellProblems(errOut, problems)
	}
	for _, dir := range k.dirs {
		problems, err := set.AddDir(dir)
		if err != nil {
			return nil, fmt.Errorf("--plugins %s: %w", dir, err)
		}
		tellProblems(errOut, problems)
	}
	return set, nil
}

func tellProblems(errOut io.Writer, problems []plugins.Problem) {
	for _, problem := range problems {
		warn(errOut, problem.Error()+" (the file is left out)")
	}
}

func warn(errOut io.Writer, text string) {
	_, _ = fmt.Fprintf(errOut, "warning: %s\n", report.EscapeText(text))
}
