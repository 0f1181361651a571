package report_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

func causeOf(finalizer, extra string) report.RootCause {
	return report.RootCause{
		Reason: finding.ControllerUnknown, Situation: "SetByNobodyKnown", Details: finding.StepDetails{Name: extra},
		Object: ref("ConfigMap", "notes"), Finalizer: finalizer, Certainty: finding.Unknown, Count: 1,
		Message:  "It is held by " + finalizer + ", and nothing goes by " + strings.Split(finalizer, "/")[0] + "." + extra,
		Evidence: []finding.Evidence{{Source: "Deployments", Observed: "none mentions " + strings.Split(finalizer, "/")[0]}},
		Remedies: []finding.Remedy{
			{Step: "Ask", Action: "Ask.", Command: finding.Command{"kubectl", "get", "cm/notes"}, Risk: finding.NoRisk},
			{Step: "Remove", Action: "Remove it.", Command: finding.Command{"kubectl", "finalizers", "remove", "cm/notes", "--finalizer", finalizer}, Risk: finding.DataLoss, Loses: "what it guards"},
		},
	}
}

// TestAlikeButForTheFinalizer tells causes of one object in one block where only names differ, and hides none of them.
func TestAlikeButForTheFinalizer(t *testing.T) {
	d := &report.Diagnosis{Verdict: report.Undetermined, Target: ref("ConfigMap", "notes"), RootCauses: []report.RootCause{
		causeOf("a.example.com/x", ""), causeOf("b.example.com/y", ""), causeOf("c.example.com/z", " It was set by hand."), causeOf("d.example.com/w", ""),
	}}
	text := human(t, d, report.Style{})
	for said, times := range map[string]int{
		"ROOT CAUSES 1, 2 and 4 of 4  ControllerUnknown": 1, "ROOT CAUSE 3 of 4  ControllerUnknown": 1,
		"The same holds for its finalizers b.example.com/y and d.example.com/w.": 1, "none mentions a.example.com": 1, "none mentions b.example.com": 0,
		"About causes 1, 2 and 4, ControllerUnknown:":                                  1,
		"About cause 3, ControllerUnknown: the same steps as for causes 1, 2 and 4,\n": 1,
		"--finalizer a.example.com/x":                                                  1, "--finalizer b.example.com/y": 1, "--finalizer c.example.com/z": 1, "--finalizer d.example.com/w": 1,
		"kubectl get cm/notes": 2, "Loses: what it guards.": 1,
	} {
		if got := strings.Count(text, said); got != times {
			t.Errorf("%q is said %d times, want %d:\n%s", said, got, times, text)
		}
	}
}

// TestTreeOnANarrowTerminal folds what is long beneath each object, and loses nothing of it.
func TestTreeOnANarrowTerminal(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	node := func(name string) report.TreeNode {
		return report.TreeNode{
			Node:  graph.Node{Ref: ref("ConfigMap", name), Terminating: true},
			Known: true, CreatedAt: &at, RequestedAt: &at, Reasons: []finding.Reason{finding.ControllerUnknown},
			Finalizers: []string{"shop.example.com/" + strings.Repeat("x", 30), "b/y"},
		}
	}
	tree := &report.Tree{GeneratedAt: at.Add(time.Minute), Nodes: []report.TreeNode{node("owner"), node("one"), node("two")}}
	for to := 1; to <= 2; to++ {
		tree.Edges = append(tree.Edges, report.TreeEdge{Edge: graph.Edge{From: 0, To: to, Type: finding.Owns}})
	}
	for _, columns := range []int{40, 80, 200} {
		var out bytes.Buffer
		if err := report.Print(&out, tree, report.FormatHuman, report.Style{Width: columns}); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		for line := range strings.Lines(text) {
			if most := max(columns, 78); columnsOf(strings.TrimSuffix(line, "\n")) > most && columns > 40 {
				t.Errorf("%d columns: a line of %d: %s", columns, columnsOf(line), line)
			}
		}
		if strings.Count(text, strings.Repeat("x", 30)) != 3 || strings.Count(text, "ControllerUnknown") != 3 {
			t.Errorf("%d columns: something is missing:\n%s", columns, text)
		}
		if folded := strings.Contains(text, "held by"); folded != (columns < 200) {
			t.Errorf("%d columns: folded %t:\n%s", columns, folded, text)
		}
	}
}

// TestListFirst gives the command that does what it says comes first.
func TestListFirst(t *testing.T) {
	cause := causeOf("a.example.com/x", "")
	probe := "kubectl finalizers why cm/notes --context lab --probe"
	cause.Remedies = append([]finding.Remedy{{Action: "Learn more: --probe asks.", Command: strings.Fields(probe), Risk: finding.NoRisk}}, cause.Remedies...)
	list := &report.List{RootCauses: []report.RootCause{cause}, Items: []report.ListItem{{
		Target: cause.Object, Resource: "configmaps", Verdict: report.Undetermined, Ask: strings.Fields("kubectl finalizers why cm/notes --snapshot file"),
		RootCauses: []report.ItemCause{{Reason: cause.Reason, Object: cause.Object, Count: 1}},
	}}}
	var out bytes.Buffer
	if err := report.Print(&out, list, report.FormatHuman, report.Style{}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, probe) || strings.Contains(text, "--snapshot") {
		t.Errorf("got:\n%s", text)
	}
}
