package report_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// harmful reports whether a terminal may take a character for more than text.
func harmful(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }

// FuzzEscape escapes texts: what comes out prints, and what prints stays.
func FuzzEscape(f *testing.F) {
	for _, text := range []string{"", "plain", "\x1b[31mred\x1b[0m", "a\r\nb\tc", "\u202egnp.exe", "\xff\xfe", "日本語",
		"\x1b]0;title\a", "\u2028", "\u0000"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		escaped := report.EscapeText(text)
		if at := strings.IndexFunc(escaped, func(r rune) bool { return !unicode.IsPrint(r) }); at >= 0 ||
			!utf8.ValidString(escaped) {
			t.Errorf("%q becomes %q", text, escaped)
		}
		if again := report.EscapeText(escaped); again != escaped {
			t.Errorf("%q becomes %q, and that becomes %q", text, escaped, again)
		}
		node := report.TreeNode{Labels: map[string]string{text: text}}
		node = report.Shown(node)
		for key, value := range node.Labels {
			if key != escaped || value != report.EscapeText(report.CleanText(text)) {
				t.Errorf("in a map %q becomes %q: %q", text, key, value)
			}
		}
	})
}

// FuzzPrint prints whatever results there may be in each of their formats, on narrow and wide terminals.
func FuzzPrint(f *testing.F) {
	long := strings.Repeat("x", 300)
	for _, one := range []report.Result{
		diagnosis(0), diagnosis(3), &report.DiagnosisList{Items: []report.Diagnosis{*diagnosis(1)}},
		&report.List{
			Items: []report.ListItem{{Target: ref("Pod", "\x1b[2J"), Verdict: report.Stuck,
				RootCauses: []report.ItemCause{{Reason: "X", Object: ref("Pod", long)}}}},
			RootCauses: diagnosis(1).RootCauses, Unreadable: []report.Unreadable{{Resource: "pods", Error: "\r\u202e"}},
		},
		&report.Tree{
			Nodes: []report.TreeNode{{Node: graph.Node{Ref: ref("Pod", "a\nb")}, Known: true, Status: "\x1b"},
				{Node: graph.Node{Ref: ref("Pod", long)}}},
			Edges: []report.TreeEdge{{Edge: graph.Edge{From: 0, To: 1, Type: finding.Owns}},
				{Edge: graph.Edge{From: 1, To: 0, Type: finding.WaitsFor}}},
		},
		&report.Check{Findings: []report.Finding{{Severity: report.Error, Reason: "X", Object: ref("Pod", long),
			Message: "\x00", Count: 2}}, Notes: []string{"\t"}},
		&report.Explanation{Finalizer: "a/b", Cluster: &report.InCluster{Asked: true,
			Controllers: []report.Presence{{State: "\x1b"}}}},
		&report.RemovalReport{Outcome: report.Failed,
			Items: []report.Removal{{Target: ref("Pod", "\x07"), Outcome: report.Failed, Writes: []report.Write{{Form: "x"}}}}},
	} {
		data, err := json.Marshal(one)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, 80)
	}
	f.Fuzz(func(t *testing.T, data []byte, width int) {
		for _, result := range results() {
			if json.Unmarshal(data, result) != nil {
				continue
			}
			sound(result)
			for _, format := range report.Formats(result) {
				if strings.HasSuffix(format, "=") {
					continue // a template of the user's
				}
				var out bytes.Buffer
				if err := report.Print(&out, result, format, report.Style{Width: width % 200}); err != nil {
					t.Errorf("%T as %s: %v", result, format, err)
				}
				if at := strings.IndexFunc(out.String(), harmful); at >= 0 || !utf8.Valid(out.Bytes()) {
					t.Errorf("%T as %s: %q", result, format, out.String()[max(at-20, 0):])
				}
			}
		}
	})
}

func results() []report.Result {
	return []report.Result{
		&report.Diagnosis{}, &report.DiagnosisList{}, &report.List{}, &report.Tree{}, &report.Check{}, &report.Explanation{},
		&report.RemovalReport{},
	}
}

// sound leaves of a graph, and of references to causes, the ones that refer to something: the engines make no others.
func sound(result report.Result) {
	within := func(edge graph.Edge, nodes int) bool {
		return edge.From >= 0 && edge.From < nodes && edge.To >= 0 && edge.To < nodes
	}
	edges := func(of *report.Graph) {
		of.Edges = slices.DeleteFunc(of.Edges, func(edge graph.Edge) bool { return !within(edge, len(of.Nodes)) })
	}
	switch one := result.(type) {
	case *report.Diagnosis:
		edges(&one.Graph)
	case *report.DiagnosisList:
		for i := range one.Items {
			sound(&one.Items[i])
		}
	case *report.List:
		edges(&one.Graph)
		for i := range one.Items {
			one.Items[i].RootCauses = slices.DeleteFunc(one.Items[i].RootCauses, func(cause report.ItemCause) bool {
				return cause.Index < 0 || cause.Index >= len(one.RootCauses)
			})
		}
	case *report.Tree:
		one.Edges = slices.DeleteFunc(one.Edges,
			func(edge report.TreeEdge) bool { return !within(edge.Edge, len(one.Nodes)) })
	}
	withoutDetails(reflect.ValueOf(result))
}

// withoutDetails takes away what only the engines' own types may be.
func withoutDetails(value reflect.Value) {
	switch value.Kind() {
	case reflect.Pointer:
		if !value.IsNil() {
			withoutDetails(value.Elem())
		}
	case reflect.Interface:
		if value.CanSet() {
			value.SetZero()
		}
	case reflect.Slice:
		for i := range value.Len() {
			withoutDetails(value.Index(i))
		}
	case reflect.Struct:
		for i := range value.NumField() {
			withoutDetails(value.Field(i))
		}
	}
}
