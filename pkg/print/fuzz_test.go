package print_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
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
		escaped := escape.Text(text)
		if at := strings.IndexFunc(escaped, func(r rune) bool { return !unicode.IsPrint(r) }); at >= 0 ||
			!utf8.ValidString(escaped) {
			t.Errorf("%q becomes %q", text, escaped)
		}
		if again := escape.Text(escaped); again != escaped {
			t.Errorf("%q becomes %q, and that becomes %q", text, escaped, again)
		}
		node := result.TreeNode{Labels: map[string]string{text: text}}
		node = print.Shown(t.Context(), node)
		for key, value := range node.Labels {
			if key != escaped || value != escape.Text(credential.Clean(text)) {
				t.Errorf("in a map %q becomes %q: %q", text, key, value)
			}
		}
	})
}

// FuzzPrint prints whatever results there may be in each of their formats, on narrow and wide terminals.
func FuzzPrint(f *testing.F) {
	long := strings.Repeat("x", 300)
	for _, one := range []result.Result{
		diagnosis(0), diagnosis(3), &result.DiagnosisList{Items: []result.Diagnosis{*diagnosis(1)}},
		&result.List{
			Items: []result.ListItem{{Target: ref("Pod", "\x1b[2J"), Verdict: result.Stuck,
				RootCauses: []result.ItemCause{{Reason: "X", Object: ref("Pod", long)}}}},
			RootCauses: diagnosis(1).RootCauses, Unreadable: []finding.Unreadable{{Resource: "pods", Error: "\r\u202e"}},
		},
		&result.Tree{
			Nodes: []result.TreeNode{{Node: graph.Node{Ref: ref("Pod", "a\nb")}, Known: true, Status: "\x1b"},
				{Node: graph.Node{Ref: ref("Pod", long)}}},
			Edges: []result.TreeEdge{{Edge: graph.Edge{From: 0, To: 1, Type: finding.Owns}},
				{Edge: graph.Edge{From: 1, To: 0, Type: finding.WaitsFor}}},
		},
		&result.Check{Findings: []result.Finding{{Severity: result.Error, Reason: "X", Object: ref("Pod", long),
			Message: "\x00", Count: 2}}, Notes: []string{"\t"}},
		&result.Explanation{Finalizer: "a/b", Cluster: &result.InCluster{Asked: true,
			Controllers: []result.Presence{{State: "\x1b"}}}},
		&result.RemovalReport{Outcome: result.Failed,
			Items: []result.Removal{{Target: ref("Pod", "\x07"), Outcome: result.Failed, Writes: []result.Write{{Form: "x"}}}}},
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
			for _, format := range print.Formats(result) {
				if strings.HasSuffix(format, "=") {
					continue // a template of the user's
				}
				var out bytes.Buffer
				if err := print.Result(t.Context(), &out, result, format, print.Style{Width: width % 200}); err != nil {
					t.Errorf("%T as %s: %v", result, format, err)
				}
				if at := strings.IndexFunc(out.String(), harmful); at >= 0 || !utf8.Valid(out.Bytes()) {
					t.Errorf("%T as %s: %q", result, format, out.String()[max(at-20, 0):])
				}
			}
		}
	})
}

func results() []result.Result {
	return []result.Result{
		&result.Diagnosis{}, &result.DiagnosisList{}, &result.List{}, &result.Tree{}, &result.Check{}, &result.Explanation{},
		&result.RemovalReport{},
	}
}

// sound leaves of a graph, and of references to causes, the ones that refer to something: the engines make no others.
func sound(answer result.Result) {
	within := func(edge graph.Edge, nodes int) bool {
		return edge.From >= 0 && edge.From < nodes && edge.To >= 0 && edge.To < nodes
	}
	edges := func(of *result.Graph) {
		of.Edges = slices.DeleteFunc(of.Edges, func(edge graph.Edge) bool { return !within(edge, len(of.Nodes)) })
	}
	switch one := answer.(type) {
	case *result.Diagnosis:
		edges(&one.Graph)
	case *result.DiagnosisList:
		for i := range one.Items {
			sound(&one.Items[i])
		}
	case *result.List:
		edges(&one.Graph)
		for i := range one.Items {
			one.Items[i].RootCauses = slices.DeleteFunc(one.Items[i].RootCauses, func(cause result.ItemCause) bool {
				return cause.Index < 0 || cause.Index >= len(one.RootCauses)
			})
		}
	case *result.Tree:
		one.Edges = slices.DeleteFunc(one.Edges,
			func(edge result.TreeEdge) bool { return !within(edge.Edge, len(one.Nodes)) })
	}
	withoutDetails(reflect.ValueOf(answer))
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
