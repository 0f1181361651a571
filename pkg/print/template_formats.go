package print

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/cli-runtime/pkg/printers"
	"k8s.io/client-go/util/jsonpath"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// templateFormats are kubectl's formats that take a template, which is applied to the fields of the JSON. Each has a
// sibling that reads the template from a file.
func templateFormats() (all []format) {
	jsonPath := func(asJSON bool) func(string) (rendering, error) {
		return func(template string) (rendering, error) {
			printer, err := printers.NewJSONPathPrinter(template)
			if err != nil {
				return nil, err
			}
			printer.AllowMissingKeys(true) // as kubectl does
			printer.EnableJSONOutput(asJSON)
			return printedBy(printer), nil
		}
	}
	goTemplate := func(template string) (rendering, error) {
		printer, err := printers.NewGoTemplatePrinter([]byte(template))
		if err != nil {
			return nil, err
		}
		printer.AllowMissingKeys(true)
		return printedBy(printer), nil
	}
	for _, one := range []struct {
		name  string
		parse func(template string) (rendering, error)
	}{
		{"jsonpath", jsonPath(false)}, {"go-template", goTemplate}, {"custom-columns", inColumns(columnsOf)},
	} {
		fromFile := one.parse
		if one.name == "custom-columns" {
			fromFile = inColumns(columnsInLines)
		}
		all = append(all, templated(one.name+"=", one.parse), templated(one.name+"-file=", fileOf(fromFile)))
	}
	return append(all, templated("jsonpath-as-json=", jsonPath(true)))
}

func templated(name string, parse func(template string) (rendering, error)) format {
	return format{
		name: name, suits: func(result.Result) bool { return true },
		prepare: func(argument string) (rendering, error) {
			kind := strings.TrimSuffix(name, "=")
			if argument == "" {
				return nil, fmt.Errorf("--output %s needs a template behind it: -o %s=TEMPLATE", kind, kind)
			}
			render, err := parse(argument)
			if err != nil {
				return nil, fmt.Errorf("--output %s: %w", kind, err)
			}
			return render, nil
		},
	}
}

// fileOf has a template read from the file that is in its place.
func fileOf(parse func(template string) (rendering, error)) func(name string) (rendering, error) {
	return func(name string) (rendering, error) {
		template, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		return parse(string(template))
	}
}

// printedBy prints a result with a printer of cli-runtime's. Where the template doesn't fit, nothing is printed: this
// printer writes what it was given to where the answer belongs, and into its error.
func printedBy(printer printers.ResourcePrinter) rendering {
	return func(w *writer, answer result.Result) {
		fields, err := fieldsOf(answer)
		var out bytes.Buffer
		if err == nil {
			err = printer.PrintObj(&unstructured.Unstructured{Object: fields}, &out)
		}
		if err != nil {
			text, _, _ := strings.Cut(err.Error(), ". Printing more information")
			w.err = fmt.Errorf("the template doesn't fit the answer: %s", text)
			return
		}
		_, w.err = w.out.Write(out.Bytes())
	}
}

// fieldsOf returns a result, or a part of one, as its JSON has it.
func fieldsOf(thing any) (fields map[string]any, err error) {
	data, err := json.Marshal(thing)
	if err != nil {
		return nil, err
	}
	return fields, utiljson.Unmarshal(data, &fields)
}

// column is one of custom-columns.
type column struct{ heading, path string }

// columnsOf reads HEADING:PATH,HEADING:PATH.
func columnsOf(template string) (columns []column, err error) {
	for _, part := range strings.Split(template, ",") {
		heading, path, found := strings.Cut(part, ":")
		if !found || path == "" {
			return nil, fmt.Errorf("%q is not HEADING:PATH, for example NAME:.target.name", part)
		}
		columns = append(columns, column{heading, path})
	}
	return columns, nil
}

// columnsInLines reads a line of headings and a line of paths.
func columnsInLines(template string) (columns []column, err error) {
	first, rest, _ := strings.Cut(template, "\n")
	second, _, _ := strings.Cut(rest, "\n")
	headings, paths := strings.Fields(first), strings.Fields(second)
	if len(headings) == 0 || len(headings) != len(paths) {
		return nil, errors.New("the file should have a line with headings, and a line with a path for each of them")
	}
	for i, heading := range headings {
		columns = append(columns, column{heading, paths[i]})
	}
	return columns, nil
}

// inColumns prints a row for each item of a result, or one for all of a result that has no items.
func inColumns(parse func(template string) ([]column, error)) func(string) (rendering, error) {
	return func(template string) (rendering, error) {
		columns, err := parse(template)
		if err != nil {
			return nil, err
		}
		var paths []*jsonpath.JSONPath
		for _, one := range columns {
			path, err := parsePath(one.path)
			if err != nil {
				return nil, err
			}
			paths = append(paths, path)
		}
		headings := finding.Each(columns, func(one column) string { return one.heading })
		return func(w *writer, answer result.Result) {
			fields, err := fieldsOf(answer)
			if w.err = err; err == nil {
				w.table("", headings, cells(rowsOf(fields), paths), 0)
			}
		}, nil
	}
}

// rowsOf returns what a result is a list of.
func rowsOf(fields map[string]any) []any {
	for _, name := range []string{"items", "findings", "nodes"} {
		if rows, has := fields[name].([]any); has {
			return rows
		}
	}
	return []any{fields}
}

func cells(rows []any, paths []*jsonpath.JSONPath) (table [][]string) {
	for _, row := range rows {
		table = append(table, finding.Each(paths, func(path *jsonpath.JSONPath) string {
			values := finding.Each(valuesAt(row, path), func(value any) string { return fmt.Sprint(value) })
			if len(values) == 0 {
				return "<none>"
			}
			return strings.Join(values, ",")
		}))
	}
	return table
}

// parsePath reads a JSONPath, which kubectl takes without braces and without the first dot, too.
func parsePath(text string) (*jsonpath.JSONPath, error) {
	path := strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	if !strings.HasPrefix(path, ".") && !strings.HasPrefix(path, "[") {
		path = "." + path
	}
	parsed := jsonpath.New("path").AllowMissingKeys(true)
	if err := parsed.Parse("{" + path + "}"); err != nil {
		return nil, fmt.Errorf("%q is not a valid JSONPath: %w", text, err)
	}
	return parsed, nil
}

// valuesAt returns what is at a path: nothing where there is no such field.
func valuesAt(fields any, path *jsonpath.JSONPath) (values []any) {
	found, err := path.FindResults(fields)
	if err != nil { // such as an index into what is no list
		return nil
	}
	for _, some := range found {
		for _, value := range some {
			if value.IsValid() && value.CanInterface() {
				values = append(values, value.Interface())
			}
		}
	}
	return values
}
