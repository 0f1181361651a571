package cli

import "github.com/spf13/pflag"

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
