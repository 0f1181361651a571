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
	format string
	color  string
	graphs bool // there are formats of graphs as well
}

const (
	formatHuman = "human"
	formatWide  = "wide"
	formatJSON  = "json"
	formatYAML  = "yaml"
	formatName  = "name"

	formatDOT     = "dot"
	formatMermaid = "mermaid"
)

func (f *outputFlags) add(flags *pflag.FlagSet) {
	flags.StringVarP(&f.format, "output", "o", formatHuman, "Output format: "+strings.Join(f.formats(), ", "))
	annotateValues(flags, "output", f.formats()...)
	flags.StringVar(&f.color, "color", "auto", "When to use colour: auto (on a terminal, unless NO_COLOR is set), always or never")
	annotateValues(flags, "color", "auto", "always", "never")
}

func (f *outputFlags) formats() []string {
	formats := []string{formatHuman, formatWide, formatJSON, formatYAML, formatName}
	if f.graphs {
		formats = append(formats, formatDOT, formatMermaid)
	}
	return formats
}

// isForPeople tells whether somebody reads the output, to whom words on standard error matter.
func (f *outputFlags) isForPeople() bool { return f.format == formatHuman || f.format == formatWide }

func (f *outputFlags) validate() error {
	if !slices.Contains(f.formats(), f.format) {
		return fmt.Errorf("--output %q is not one of %s", f.format, strings.Join(f.formats(), ", "))
	}
	if !slices.Contains([]string{"auto", "always", "never"}, f.color) {
		return fmt.Errorf("--color %q is not one of auto, always, never", f.color)
	}
	return nil
}

func (f *outputFlags) style(out io.Writer) report.Style {
	style := plainStyle(out)
	style.Wide, style.Color = f.format == formatWide, f.color == "always"
	if f.color == "auto" {
		style.Color = printers.AllowsColorOutput(out)
	}
	return style
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
