package paste

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// customColumn is a column that a command asks for: DELETED:.metadata.deletionTimestamp.
type customColumn struct {
	heading string
	path    []string // nil for what is no plain path
}

var plainPath = regexp.MustCompile(`^\{?\.?[A-Za-z]+(?:\.[A-Za-z]+)*\}?$`)

// customColumns reads what is behind -o custom-columns=.
func customColumns(output string) (columns []customColumn) {
	spec, is := strings.CutPrefix(output, "custom-columns=")
	if !is {
		return nil
	}
	for column := range strings.SplitSeq(strings.Trim(spec, `'"`), ",") {
		heading, path, _ := strings.Cut(column, ":")
		one := customColumn{heading: heading}
		if plainPath.MatchString(path) {
			one.path = strings.Split(strings.Trim(path, ".{}"), ".")
		}
		columns = append(columns, one)
	}
	return columns
}

// isCustomHeading reports whether a line is the heading of the columns that the last command asks for.
func (q Question) isCustomHeading(text string) bool {
	return len(q.columns) > 0 && strings.HasPrefix(text, q.columns[0].heading) && slices.EqualFunc(strings.Fields(text),
		q.columns, func(heading string, column customColumn) bool { return heading == column.heading })
}

// customTable reads the rows below that heading.
func customTable(r *reader, first line) error {
	columns := columnsOf(first.text)
	if len(columns) != len(r.asked.columns) {
		return nil
	}
	for {
		next, err := r.lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		text := strings.TrimSpace(next.text)
		cells := cellsOf(next.text, columns)
		if text == "" || isFence(text) || next.quotes != first.quotes || startsAnother(text) || len(cells) < len(columns) {
			r.lines.back(next)
			return nil
		}
		if err := customRow(r, cells, next.number); err != nil {
			return err
		}
	}
}

// customRow takes in an object whose row shows since when it is being deleted, and which finalizers it has. Of another
// one, it notes the name.
func customRow(r *reader, cells map[string]string, at int) error {
	fields := map[string]any{"metadata": map[string]any{}}
	shown := map[string]bool{}
	for _, column := range r.asked.columns {
		cell := cells[column.heading]
		path := strings.Join(column.path, ".")
		shown[path] = true
		switch {
		case column.path == nil, cell == "<none>", strings.HasPrefix(cell, "map["):
		case strings.HasPrefix(cell, "["):
			var list []any
			for item := range strings.FieldsSeq(strings.Trim(cell, "[]")) {
				list = append(list, item)
			}
			_ = unstructured.SetNestedSlice(fields, list, column.path...)
		case column.path[0] == "metadata" || path == "status.phase":
			_ = unstructured.SetNestedField(fields, cell, column.path...)
		}
	}
	metadata, _ := fields["metadata"].(map[string]any)
	name, is := metadata["name"].(string)
	if !is {
		name = cells["NAME"]
	}
	if metadata["namespace"] == nil && r.asked.Namespace != "" {
		metadata["namespace"] = r.asked.Namespace
	}
	resource := r.asked.only()
	switch {
	case name == "" || resource == "":
		r.problem(at, "it does not show of which type and name an object is")
		return nil
	case !is, !shown["metadata.deletionTimestamp"], !shown["metadata.finalizers"]:
		namespace, _ := metadata["namespace"].(string)
		r.sink.Mention(Mention{Resource: resource, Namespace: namespace, Name: name, Line: at})
		return nil
	}
	return r.sink.Object(Object{Fields: fields, Resource: resource, Line: at, Partial: Columns})
}
