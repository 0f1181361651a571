package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// areaFlags say which part of the cluster a scan is about.
type areaFlags struct{ all bool }

func (f *areaFlags) add(flags *pflag.FlagSet) {
	flags.BoolVarP(&f.all, "all-namespaces", "A", false, "In all namespaces, and what has none")
}

// namespace returns the namespace that is asked about, or nothing for all of them.
func (f *areaFlags) namespace(c *connection) (string, error) {
	if f.all {
		return "", nil
	}
	namespace, _, err := c.loader.Namespace()
	return namespace, err
}

// noObjects refuses arguments where somebody expects a whole area to be narrowed by them, as with kubectl get.
func noObjects(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no objects, and was given %q: it looks at a namespace (-n), or with -A at the whole cluster. "+
		"To ask about an object: kubectl finalizers why TYPE/NAME", cmd.Name(), strings.Join(args, " "))
}
