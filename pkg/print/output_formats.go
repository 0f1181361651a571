// Package print writes results: for people, as JSON and YAML, as pages and pictures. It is the border at which text is
// escaped, and credentials are left out.
//
// This package may change at any time.
package print

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// The formats that commands ask for by name.
const (
	FormatHuman = "human"
	FormatWide  = "wide"
	FormatShort = "short"
	FormatName  = "name"
	FormatTree  = "tree"

	FormatMarkdown = "markdown"
	FormatHTML     = "html"
	FormatScript   = "script"
)

// formats are all there are, in the order in which help names them: each with what it takes of a result, which a result
// may not have, and the renderer of that. A name that ends with = takes an argument, which the renderer finds in the
// writer.
var formats = append([]format{
	formatted(FormatHuman, whole, human),
	formatted(FormatWide, whole, renderWide),
	formatted(FormatShort, briefsOf, renderShort),
	formatted("json", whole, renderJSON),
	formatted("yaml", whole, renderYAML),
	formatted(FormatName, namesIn, renderNames),
	formatted(FormatTree, outlineOf, humanTree),
	formatted("dot", graphOf, renderDOT),
	formatted("mermaid", graphOf, renderMermaid),
	formatted(FormatMarkdown, pageOf, renderMarkdown),
	formatted(FormatHTML, pageOf, renderHTML),
	formatted(FormatScript, scriptOf, renderScript),
}, templateFormats()...)

// format is one way to print results.
type format struct {
	name    string
	suits   func(answer result.Result) bool
	prepare func(argument string) (rendering, error) // its error is about the argument
}

// rendering writes a result in one format.
type rendering func(w *writer, answer result.Result)

func formatted[P any](name string, take func(result.Result) (P, bool), render func(part P, w *writer)) format {
	return format{
		name: name, suits: func(answer result.Result) bool { _, suits := take(answer); return suits },
		prepare: func(argument string) (rendering, error) {
			return func(w *writer, answer result.Result) {
				w.argument = argument
				part, _ := take(answer)
				render(part, w)
			}, nil
		},
	}
}

// whole takes all of a result.
func whole(answer result.Result) (result.Result, bool) { return answer, true }

// Formats returns the names of the formats in which a result can be had.
func Formats(answer result.Result) (names []string) {
	for _, one := range formats {
		if one.suits(answer) {
			names = append(names, one.name)
		}
	}
	return names
}

// HasFormat returns an error if a result can't be had in the format that was asked for.
func HasFormat(answer result.Result, asked string) error {
	_, err := find(answer, asked)
	return err
}

// Result writes a result as it is shown, in one of its formats. It ends with the context.
func Result(ctx context.Context, out io.Writer, answer result.Result, asked string, style Style) error {
	if err := HasFormat(answer, asked); err != nil {
		return err
	}
	return ShownResult(ctx, out, Shown(ctx, answer), asked, style)
}

// ShownResult is Result for what Shown has returned.
func ShownResult(ctx context.Context, out io.Writer, answer result.Result, asked string, style Style) error {
	render, err := find(answer, asked)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	w := &writer{out: asking{ctx, out}, style: style, over: func() bool { return ctx.Err() != nil }}
	render(w, answer)
	return cmp.Or(w.err, ctx.Err())
}

// asking is a Writer that fails once its context has ended.
type asking struct {
	ctx context.Context
	io.Writer
}

func (a asking) Write(text []byte) (int, error) {
	if err := a.ctx.Err(); err != nil {
		return 0, err
	}
	return a.Writer.Write(text)
}

func find(answer result.Result, asked string) (rendering, error) {
	name, argument, taken := strings.Cut(asked, "=")
	for _, one := range formats {
		if named := strings.TrimSuffix(one.name, "="); named != name || !one.suits(answer) {
			continue
		}
		if takes := strings.HasSuffix(one.name, "="); takes || !taken {
			return one.prepare(argument)
		}
	}
	if taken {
		name += "="
	}
	all := Formats(answer)
	return nil, fmt.Errorf("--output %q is not one of %s%s", asked, strings.Join(all, ", "), spelling.Meant(name, all))
}

func renderWide(answer result.Result, w *writer) {
	w.style.Wide = true
	human(answer, w)
}

func renderJSON(answer result.Result, w *writer) {
	encoder := json.NewEncoder(w.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	w.err = encoder.Encode(answer)
}

// renderYAML writes a result as YAML, with the fields of the JSON. If the runner of a CI job would take one of its
// lines for a command, it writes the JSON, which is YAML too, and in which a text is one line in quotes.
func renderYAML(answer result.Result, w *writer) {
	text, err := yaml.Marshal(answer)
	if err == nil && escape.NoCommand(string(text)) != string(text) {
		renderJSON(answer, w)
		return
	}
	if w.err = err; err == nil {
		_, w.err = w.out.Write(text)
	}
}
