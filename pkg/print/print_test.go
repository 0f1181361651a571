package print_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func ref(kind, name string) finding.Ref {
	return finding.Ref{APIVersion: "v1", Kind: kind, Namespace: "shop", Name: name, UID: "uid-" + name}
}

// diagnosis is one cause with some siblings, and everything else that a result can hold.
func diagnosis(siblings int) *result.Diagnosis {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	target := ref("PersistentVolumeClaim", "data")
	d := &result.Diagnosis{
		APIVersion: result.APIVersion, Kind: "Diagnosis", GeneratedAt: at, Target: target, Verdict: result.Stuck,
		Summary: "It waits.",
		Deletion: &result.Deletion{RequestedAt: at,
			Holds: []finding.Hold{{Type: finding.Finalizer, Name: "example.com/hold"}}},
		Unreadable: []finding.Unreadable{{Resource: "pods", Namespace: "x", Error: "pods is forbidden", Why: "forbidden"}},
		Graph:      result.Graph{Nodes: []graph.Node{{Ref: target, Terminating: true}}, Edges: []graph.Edge{}},
	}
	cause := result.RootCause{
		Reason: finding.StillInUse, Certainty: finding.Proven, Count: siblings, Message: "They use it.",
		Object:   ref("Pod", "p-0"),
		Evidence: []finding.Evidence{{Source: "Pod shop/p-0", Observed: "uses it", At: &at}},
		Path:     []finding.Ref{target, ref("Pod", "p-0")},
		Remedies: []finding.Remedy{{Action: "Delete it.", Command: finding.Command{"kubectl", "delete", "pods/p-0"},
			Risk: finding.NoRisk}},
	}
	for i := range siblings {
		pod := ref("Pod", fmt.Sprintf("p-%d", i))
		d.Graph.Nodes = append(d.Graph.Nodes, graph.Node{Ref: pod})
		d.Graph.Edges = append(d.Graph.Edges, graph.Edge{From: 0, To: i + 1, Type: finding.WaitsFor})
		if i > 0 {
			cause.Others = append(cause.Others, pod)
		}
	}
	d.RootCauses = []result.RootCause{cause}
	return d
}

func human(t *testing.T, d result.Result, style print.Style) string {
	t.Helper()
	var out bytes.Buffer
	if err := print.Result(t.Context(), &out, d, print.FormatHuman, style); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestEqualThingsAreToldOnce(t *testing.T) {
	text := human(t, diagnosis(1000), print.Style{})
	if lines := strings.Count(text, "\n"); lines > 30 {
		t.Errorf("a thousand alike take %d lines", lines)
	}
	for _, want := range []string{"applies to Pod shop/p-1, Pod shop/p-2, Pod shop/p-3 and 996 others"} {
		if !strings.Contains(text, want) {
			t.Errorf("it doesn't say %q:\n%s", want, text)
		}
	}
	if wide := human(t, diagnosis(20), print.Style{Wide: true}); !strings.Contains(wide, "p-19") ||
		!strings.Contains(wide, "20 × Pod") {
		t.Errorf("-o wide doesn't name them all:\n%s", wide)
	}
}

func TestNarrowTerminal(t *testing.T) {
	d := diagnosis(3)
	d.Summary = strings.Repeat("word ", 40)
	for line := range strings.Lines(human(t, d, print.Style{Width: 40})) {
		if len([]rune(line)) > 41 && len(strings.Fields(line)) > 2 {
			t.Errorf("too long for 40 columns: %q", line)
		}
	}
}

func TestWideCharactersKeepColumns(t *testing.T) {
	d := diagnosis(1)
	d.Summary = strings.Repeat("漢字 ", 40)
	for line := range strings.Lines(human(t, d, print.Style{Width: 80})) {
		if strings.Count(line, "漢") > 16 { // each pair takes four columns and a blank
			t.Errorf("too wide for 80 columns: %q", line)
		}
	}
}

func TestEscape(t *testing.T) {
	d := diagnosis(2)
	nasty := "a\x1b[31mred\x07\r\nnext\u202etfel\u009b2J \U000e0101\u3164"
	d.Summary, d.RootCauses[0].Message, d.RootCauses[0].Evidence[0].Observed = nasty, nasty, nasty
	d.RootCauses[0].Remedies[0].Action, d.Unreadable[0].Error, d.Graph.Nodes[1].Name = nasty, nasty, nasty
	var machine bytes.Buffer
	if err := print.Result(t.Context(), &machine, d, "json", print.Style{}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"human": human(t, d, print.Style{Wide: true}), "JSON": machine.String()} {
		for _, r := range text {
			if strings.ContainsRune("\x1b\x07\r\u202e\u009b\U000e0101\u3164", r) {
				t.Errorf("%s output holds %U", name, r)
			}
		}
	}
	if want := `a\x1b[31mred\a\r\nnext\u202etfel\u009b2J \U000e0101\u3164`; print.Shown(t.Context(), d).Summary != want {
		t.Errorf("the summary is %q, want %q", print.Shown(t.Context(), d).Summary, want)
	}
	if d.Summary != nasty {
		t.Errorf("printing has changed the result itself: %q", d.Summary)
	}
	if !print.Shown(t.Context(), d).GeneratedAt.Equal(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)) {
		t.Error("escaping changed a time")
	}
}

func TestMachineFormatsAgree(t *testing.T) {
	d := diagnosis(3)
	var asJSON, asYAML bytes.Buffer
	if err := print.Result(t.Context(), &asJSON, d, "json", print.Style{}); err != nil {
		t.Fatal(err)
	}
	if err := print.Result(t.Context(), &asYAML, d, "yaml", print.Style{}); err != nil {
		t.Fatal(err)
	}
	back, err := yaml.YAMLToJSON(asYAML.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var fromJSON, fromYAML map[string]any
	if json.Unmarshal(asJSON.Bytes(), &fromJSON) != nil || json.Unmarshal(back, &fromYAML) != nil {
		t.Fatal("not JSON")
	}
	if fmt.Sprint(fromJSON) != fmt.Sprint(fromYAML) {
		t.Errorf("YAML says otherwise than JSON:\n%s\n%s", &asJSON, &asYAML)
	}
	for _, field := range []string{"apiVersion", "kind", "generatedAt", "target", "verdict", "summary", "deletion",
		"rootCauses", "graph", "unreadable"} {
		if _, there := fromJSON[field]; !there {
			t.Errorf("the result has no field %s", field)
		}
	}
	if fromJSON["generatedAt"] != "2026-01-02T03:04:05Z" {
		t.Errorf("generatedAt is %v, want RFC 3339", fromJSON["generatedAt"])
	}
}

func TestNames(t *testing.T) {
	d := diagnosis(2)
	d.RootCauses[0].Object = finding.Ref{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	var out bytes.Buffer
	if err := print.Result(t.Context(), &out, d, print.FormatName, print.Style{}); err != nil {
		t.Fatal(err)
	}
	if want := "deployment.apps/web\npod/p-1\n"; out.String() != want {
		t.Errorf("names: %q, want %q", out.String(), want)
	}
}

// TestTargetsOfOneCause answers once for targets that the same cause holds, and for each in wide output.
func TestTargetsOfOneCause(t *testing.T) {
	list, node := &result.DiagnosisList{}, finding.Ref{APIVersion: "v1", Kind: "Node", Name: "n1"}
	for i := range 41 {
		pod := ref("Pod", fmt.Sprintf("web-%02d", i))
		one := result.Diagnosis{Target: pod, Verdict: result.Stuck, Summary: "Pod shop/" + pod.Name + " waits for Node n1."}
		one.RootCauses = []result.RootCause{{Reason: finding.NodeNotReady, Key: "n1", Object: node, Count: 1,
			Message: "Node n1 is dead."}}
		if i == 40 {
			one.RootCauses[0].Key, one.RootCauses[0].Message = "n2", "Node n2 is dead."
		}
		list.Items = append(list.Items, one)
	}
	for format, times := range map[string]map[string]int{
		print.FormatHuman: {
			"ROOT CAUSE": 2, "Node n1 is dead.": 1, "Node n2 is dead.": 1,
			"  The same applies to Pod shop/web-01, Pod shop/web-02, Pod shop/web-03 and 36 others.\n": 1,
		},
		print.FormatWide: {"ROOT CAUSE": 41, "Pod shop/web-39 waits for Node n1.": 1, "The same applies": 0},
	} {
		var out bytes.Buffer
		if err := print.Result(t.Context(), &out, list, format, print.Style{Width: 100}); err != nil {
			t.Fatal(err)
		}
		for said, want := range times {
			if got := strings.Count(out.String(), said); got != want {
				t.Errorf("%s: %q is said %d times, want %d:\n%s", format, said, got, want, &out)
			}
		}
	}
}
