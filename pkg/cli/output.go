package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// outputFlags say how an answer is printed.
type outputFlags struct {
	result report.Result // what the command answers; it stands for its type
	format string
	color  string
}

// addFormat adds the flag for the formats of what a command answers.
func (f *outputFlags) addFormat(flags *pflag.FlagSet, result report.Result) {
	f.result, f.color = result, "auto"
	formats := report.Formats(result)
	flags.StringVarP(&f.format, "output", "o", report.FormatHuman, "Output format: "+strings.Join(formats, ", "))
	annotateValues(flags, "output", formats...)
}

func (f *outputFlags) add(flags *pflag.FlagSet, result report.Result) {
	f.addFormat(flags, result)
	flags.StringVar(&f.color, "color", "auto",
		"When to use colour: auto (on a terminal, unless NO_COLOR is set), always or never")
	annotateValues(flags, "color", "auto", "always", "never")
}

// isForPeople tells whether somebody reads the output, to whom words on standard error matter.
func (f *outputFlags) isForPeople() bool {
	return f.format == report.FormatHuman || f.format == report.FormatWide
}

func (f *outputFlags) validate() error {
	if err := report.HasFormat(f.result, f.format); err != nil {
		return err
	}
	if !slices.Contains([]string{"auto", "always", "never"}, f.color) {
		return fmt.Errorf("--color %q is not one of auto, always, never", f.color)
	}
	return nil
}

func (f *outputFlags) print(out io.Writer, result report.Result) error {
	style := plainStyle(out)
	style.Color = f.color == "always" || f.color == "auto" && printers.AllowsColorOutput(out)
	return report.Print(out, result, f.format, style)
}

// plainStyle is as wide as what is written to.
func plainStyle(out io.Writer) (style report.Style) {
	if file, isFile := out.(*os.File); isFile && term.IsTerminal(int(file.Fd())) {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			style.Width = columns
		}
	}
	return style
}

// annotateValues notes which values a flag takes, for completion.
func annotateValues(flags *pflag.FlagSet, name string, values ...string) {
	_ = flags.SetAnnotation(name, flagValues, values) // fails for flags that don't exist: it does
}
