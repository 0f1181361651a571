package cli

import (
	"slices"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// repeated writes down the command that was typed, so that it can be given again from anywhere: to the same cluster, as
// the same user, in the same namespace. Flags that are left out are not for the second time.
func repeated(c *connection, config *genericclioptions.ConfigFlags, typed *pflag.FlagSet, words []string, without ...string) []string {
	words = append(words, c.options.Flags...)
	if namespace, _, err := c.loader.Namespace(); err == nil && !typed.Changed("all-namespaces") {
		words = append(words, "-n", namespace)
	}
	global := pflag.NewFlagSet("", pflag.ContinueOnError)
	config.AddFlags(global)
	typed.Visit(func(flag *pflag.Flag) {
		if global.Lookup(flag.Name) != nil || slices.Contains(without, flag.Name) {
			return
		}
		words = append(words, flagWords(flag)...)
	})
	return words
}

// flagWords writes a flag as it can be typed.
func flagWords(flag *pflag.Flag) (words []string) {
	name := "--" + flag.Name
	if several, is := flag.Value.(pflag.SliceValue); is {
		for _, value := range several.GetSlice() {
			words = append(words, name, value)
		}
		return words
	}
	if flag.NoOptDefVal != "" { // a value of its own would be an argument
		return []string{name + "=" + flag.Value.String()}
	}
	return []string{name, flag.Value.String()}
}
