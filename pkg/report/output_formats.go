package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// Result is the answer of a command. In which formats it can be had depends on what else it implements.
type Result interface {
	// human writes the answer for a person, and more of it where the style is wide.
	human(w *writer)
}

// The formats that commands ask for by name.
const (
	FormatHuman = "human"
	FormatWide  = "wide"
	FormatName  = "name"
	FormatTree  = "tree"

	FormatMarkdown = "markdown"
	FormatHTML     = "html"
)

// formats are all there are, in the order in which help names them: each with the renderer, whose second parameter is
// what a result must implement. A name that ends with = takes an argument, which the renderer finds in the writer.
var formats = append([]format{
	formatted(FormatHuman, Result.human),
	formatted(FormatWide, renderWide),
	formatted("json", renderJSON),
	formatted("yaml", renderYAML),
	formatted(FormatName, renderNames),
	formatted(FormatTree, renderOutline),
	formatted("dot", renderDOT),
	formatted("mermaid", renderMermaid),
	formatted(FormatMarkdown, renderMarkdown),
	formatted(FormatHTML, renderHTML),
}, templateFormats()...)

// format is one way to print results.
type format struct {
	name    string
	suits   func(result Result) bool
	prepare func(argument string) (rendering, error) // its error is about the argument
}

// rendering writes a result in one format.
type rendering func(w *writer, result Result)

func formatted[R any](name string, render func(result R, w *writer)) format {
	return format{
		name: name, suits: func(result Result) bool { _, suits := result.(R); return suits },
		prepare: func(argument string) (rendering, error) {
			return func(w *writer, result Result) {
				w.argument = argument
				render(result.(R), w)
			}, nil
		},
	}
}

// Formats returns the names of the formats in which a result can be had.
func Formats(result Result) (names []string) {
	for _, one := range formats {
		if one.suits(result) {
			names = append(names, one.name)
		}
	}
	return names
}

// HasFormat returns an error if a result can't be had in the format that was asked for.
func HasFormat(result Result, asked string) error {
	_, err := find(result, asked)
	return err
}

// Print writes a result as it is shown, in one of its formats.
func Print(out io.Writer, result Result, asked string, style Style) error {
	if err := HasFormat(result, asked); err != nil {
		return err
	}
	return PrintShown(out, Shown(result), asked, style)
}

// PrintShown is Print for what Shown has returned.
func PrintShown(out io.Writer, result Result, asked string, style Style) error {
	render, err := find(result, asked)
	if err != nil {
		return err
	}
	w := &writer{out: out, style: style}
	render(w, result)
	return w.err
}

func find(result Result, asked string) (rendering, error) {
	name, argument, taken := strings.Cut(asked, "=")
	for _, one := range formats {
		if named := strings.TrimSuffix(one.name, "="); named != name || !one.suits(result) {
			continue
		}
		if takes := strings.HasSuffix(one.name, "="); takes || !taken {
			return one.prepare(argument)
		}
	}
	if taken {
		name += "="
	}
	all := Formats(result)
	return nil, fmt.Errorf("--output %q is not one of %s%s", asked, strings.Join(all, ", "), spelling.Meant(name, all))
}

func renderWide(result Result, w *writer) {
	w.style.Wide = true
	result.human(w)
}

func renderJSON(result any, w *writer) {
	encoder := json.NewEncoder(w.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	w.err = encoder.Encode(result)
}

// renderYAML writes a result as YAML, with the fields of the JSON. If the runner of a CI job would take one of its lines
// for a command, it writes the JSON, which is YAML too, and in which a text is one line in quotes.
func renderYAML(result any, w *writer) {
	text, err := yaml.Marshal(result)
	if err == nil && NoCommand(string(text)) != string(text) {
		renderJSON(result, w)
		return
	}
	if w.err = err; err == nil {
		_, w.err = w.out.Write(text)
	}
}

// Each returns what of makes of each of some things.
func Each[T, R any](things []T, of func(T) R) []R { return finding.Each(things, of) }
