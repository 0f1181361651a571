package print

import (
	"bytes"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"slices"
	"strings"
	"testing"
)

func TestFormatsOfResults(t *testing.T) {
	plain, asked := "human wide json yaml", "human wide short json yaml name"
	const pages = " markdown html"
	const templates = " jsonpath= jsonpath-file= go-template= go-template-file= custom-columns= custom-columns-file= " +
		"jsonpath-as-json="
	for want, results := range map[string][]result.Result{
		plain: {&result.RemovalReport{}, &result.Version{}},
		asked: {&result.Explanation{}, &result.ProjectList{}},
		asked + pages: {
			&result.Diagnosis{}, &result.DiagnosisList{}, &result.List{}, &result.Check{},
		},
		asked + " dot mermaid" + pages:      {&result.Tree{}},
		asked + " tree dot mermaid" + pages: {&result.Preview{}, &result.PreviewList{}},
	} {
		for _, result := range results {
			if got := strings.Join(Formats(result), " "); got != want+templates {
				t.Errorf("%T can be had as %s, want %s", result, got, want)
			}
			for _, format := range slices.Concat(Formats(result), []string{"", "jsn", "json=x"}) {
				wanted := slices.Contains(strings.Fields(want), format)
				if err := HasFormat(result, format); (err == nil) != wanted {
					t.Errorf("%T as %q: %v", result, format, err)
				}
			}
		}
	}
}

// TestUnknownFormat names the formats that there are, and writes nothing.
func TestUnknownFormat(t *testing.T) {
	var out bytes.Buffer
	err := Result(t.Context(), &out, &result.Version{}, "dot", Style{})
	if want := `--output "dot" is not one of human, wide, json, yaml, jsonpath=, `; err == nil ||
		!strings.HasPrefix(err.Error(), want) || out.Len() > 0 {
		t.Errorf("wrote %q, error %v, want %s", &out, err, want)
	}
}

// TestNewFormat adds a format that takes an argument, by one line of the table.
func TestNewFormat(t *testing.T) {
	before := formats
	defer func() { formats = before }()
	formats = append(slices.Clone(formats), formatted("names=", namesIn, func(names []string, w *writer) {
		w.line(w.argument, strings.Join(names, w.argument))
	}))
	var out bytes.Buffer
	list := &result.ProjectList{Items: []result.Project{{Finalizers: []string{"a/x", "b/y"}}}}
	if err := Result(t.Context(), &out, list, "names=; ", Style{}); err != nil || out.String() != "; a/x; b/y\n" {
		t.Errorf("got %q, %v", &out, err)
	}
	if slices.Contains(Formats(&result.Version{}), "names=") || !slices.Contains(Formats(list), "names=") {
		t.Error("it is offered for what has no names, or not for what has some")
	}
}
