package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// explainFlag adds to an error about a flag that a command doesn't have what may have been meant by it: a flag of this
// command, or of others. It names the help that lists them.
func explainFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return explainValue(cmd, err)
	}
	asked := unknown.GetSpecifiedName()
	if other := otherCase(asked); len(asked) == 1 && cmd.Flags().ShorthandLookup(other) != nil {
		return fmt.Errorf("%w; did you mean -%s?\nSee %s --help", err, other, cmd.CommandPath())
	}
	if word := unknown.GetSpecifiedShortnames(); cmd.Flags().Lookup(word) != nil { // -context
		asked = word
	}
	return fmt.Errorf("%w%s\nSee %s --help", err, meantByFlag(cmd, asked), cmd.CommandPath())
}

// explainValue says which values a flag takes that was given one that Go can't convert.
func explainValue(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	if !errors.As(err, &invalid) || !errors.As(err, &number) {
		return err
	}
	flag := invalid.GetFlag()
	takes := "a whole number"
	if errors.Is(err, strconv.ErrRange) {
		takes = "a smaller number"
	}
	if flag.Value.Type() == "bool" {
		takes = fmt.Sprintf("no value: write --%s alone", flag.Name)
	}
	message := fmt.Sprintf("--%s was given %q, but takes %s.", flag.Name, invalid.GetValue(), takes)
	if flag.Name == "watch" && cmd.Flags().Lookup("timeout") != nil {
		message += "\nIt has no interval: it looks again when something changes. " +
			"To limit how long it watches, use --timeout, for example --timeout 10m"
	}
	return errors.New(message)
}

// otherCase returns a letter in upper case if it is in lower case, and the other way round.
func otherCase(letter string) string {
	if upper := strings.ToUpper(letter); upper != letter {
		return upper
	}
	return strings.ToLower(letter)
}

// meantByFlag completes an error about a flag that a command doesn't have. It is empty where no flag is like it.
func meantByFlag(cmd *cobra.Command, asked string) string {
	tried := triedFlags()[asked]
	meant := slices.DeleteFunc(slices.Clone(tried), func(text string) bool {
		name, _, _ := strings.Cut(text, "=")
		return cmd.Flags().Lookup(name) == nil
	})
	if len(meant) == 0 {
		var names []string
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if !flag.Hidden {
				names = append(names, flag.Name)
			}
		})
		meant = spelling.Like(asked, names)
	}
	if len(meant) > 0 {
		return spelling.DidYouMean(finding.Each(meant, func(name string) string { return "--" + name }))
	}
	if slices.Contains(tried, "confirm") {
		return "; leave it out: only remove asks for consent"
	}
	const few = 5
	switch have := commandsWith(cmd.Root(), asked); {
	case len(have) == 1:
		return fmt.Sprintf("; only %s has it", have[0])
	case len(have) > 1 && len(have) <= few:
		return fmt.Sprintf("; only %s have it", finding.And(have))
	}
	return ""
}

// commandsWith returns the commands that have a flag, by its name or its letter.
func commandsWith(root *cobra.Command, flag string) (names []string) {
	for _, cmd := range root.Commands() {
		found := cmd.Flags().Lookup(flag)
		if len(flag) == 1 {
			found = cmd.Flags().ShorthandLookup(flag)
		}
		if found != nil && !found.Hidden && !cmd.Hidden {
			names = append(names, cmd.Name())
		}
	}
	return names
}

// triedFlags are flags of other tools, with the ones that do the same here.
func triedFlags() map[string][]string {
	consent, level := []string{"confirm", "force"}, []string{"v=6"}
	return map[string][]string{
		"yes": consent, "y": consent, "assume-yes": consent, "auto-approve": consent,
		"verbose": level, "debug": level, "log-level": level, "loglevel": level,
		"json": {"output=json"}, "yaml": {"output=yaml"}, "format": {"output"},
		"file": {"filename"}, "follow": {"watch"}, "no-color": {"color=never"}, "ns": {"namespace"},
	}
}
