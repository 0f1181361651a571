package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// explainFlag adds to an error about flags which one may have been meant by one that a command doesn't have: the ones
// that are a slip of the finger away, or begin like it. It names the help that lists them.
func explainFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	near, asked := map[string]int{}, unknown.GetSpecifiedName()
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		begins := len(asked) > 2 && strings.HasPrefix(flag.Name, asked)
		if !flag.Hidden && (begins || spelling.IsNear(asked, flag.Name)) {
			near["--"+flag.Name] = spelling.Distance(asked, flag.Name)
		}
	})
	meant := ""
	if len(near) > 0 {
		meant = fmt.Sprintf("; did you mean %s?", strings.Join(spelling.Closest(mostSuggested, near), " or "))
	}
	return fmt.Errorf("%w%s\nSee %s --help", err, meant, cmd.CommandPath())
}
