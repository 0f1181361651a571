package cli

import (
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/spf13/pflag"
)

// rows is how kubectl's users want tables.
type rows struct {
	noHeaders, showLabels bool
	sortBy                string
}

// addFlags defines the flags; labelled says whether the labels of what is in the rows are known.
func (r *rows) addFlags(flags *pflag.FlagSet, labelled bool) {
	flags.BoolVar(&r.noHeaders, "no-headers", false, "Do not print table headings")
	flags.StringVar(&r.sortBy, "sort-by", "",
		"Sort rows by this JSONPath, in the JSON of the row or in the metadata of its object, "+
			"for example .metadata.name. Prints one row per object, as -o wide")
	if labelled {
		flags.BoolVar(&r.showLabels, "show-labels", false, "Print one row per object, as -o wide, with its labels")
	}
}

// validate checks the flags. With rows asked for, people get the format that has them.
func (r *rows) validate(o *output) error {
	if r.sortBy != "" {
		if err := print.ValidatePath(r.sortBy); err != nil {
			return fmt.Errorf("--sort-by %w", err)
		}
	}
	if o.format == print.FormatHuman && (r.sortBy != "" || r.showLabels) {
		o.format = print.FormatWide
	}
	return nil
}

// sort sorts a result as it was asked for.
func (r *rows) sort(answer result.Result) error {
	if r.sortBy == "" {
		return nil
	}
	return print.SortBy(answer, r.sortBy)
}
