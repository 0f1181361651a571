package print

import (
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// scene is what a picture shows: a graph, with what is known about its objects.
type scene struct {
	*result.Tree
	observations []result.Observation
	asks         map[finding.Ref]finding.Command
}

// graph shows a graph where the format can.
func (w *writer) graph(shown scene) {
	if w.page != nil && len(shown.Nodes) > 1 {
		w.page.add(&block{Kind: graphBlock, scene: &shown})
	}
}

// page has all that there is of a list: by cause, and a row for each object. Unlike text, it says if it is empty.
func (t *listText) page(judged bool) {
	if !judged {
		t.w.headline(Headline(t.list))
		t.rows(t.list)
		return
	}
	t.byCause()
	defer t.w.aside("Each object")()
	t.rows(&result.List{GeneratedAt: t.list.GeneratedAt, Items: t.list.Items})
}

func sceneOf(l *result.List) scene {
	shown := scene{Tree: treeOf(l.Graph, l.RootCauses, nil), asks: map[finding.Ref]finding.Command{}}
	for _, item := range l.Items {
		shown.asks[item.Target] = item.Ask
	}
	return shown
}

// treeOf is a blocking graph as a tree has it, with the reasons of root causes at the objects that they are about.
func treeOf(graph result.Graph, causes []result.RootCause, target *finding.Ref) *result.Tree {
	reasons := map[finding.Ref][]finding.Reason{}
	for _, cause := range causes {
		for _, object := range causeObjects(cause) {
			reasons[object] = append(reasons[object], cause.Reason)
		}
	}
	drawn := &result.Tree{Target: target, RootCauses: causes}
	for _, node := range graph.Nodes {
		drawn.Nodes = append(drawn.Nodes, result.TreeNode{Node: node, Known: true, Reasons: unique(reasons[node.Ref])})
	}
	for _, edge := range graph.Edges {
		drawn.Edges = append(drawn.Edges, result.TreeEdge{Edge: edge})
	}
	return drawn
}

// titleOf names an answer that can be a page in a few words; for any other, it returns nothing.
func titleOf(answer result.Result) string {
	switch one := answer.(type) {
	case *result.Diagnosis:
		return "why " + one.Target.String()
	case *result.DiagnosisList:
		return "why: " + listedTargets(one.Items, func(item result.Diagnosis) finding.Ref { return item.Target })
	case *result.List:
		return "list"
	case *result.Tree:
		if one.Target == nil {
			return "tree"
		}
		return "tree " + one.Target.String()
	case *result.Check:
		return "check"
	case *result.Preview:
		return "preview " + one.Target.String()
	case *result.RescuePlan:
		return "rescue " + one.Target.String()
	case *result.PreviewList:
		return "preview: " + listedTargets(one.Items, func(item result.Preview) finding.Ref { return item.Target })
	case *result.UninstallPlan:
		return uninstallTitle(one)
	}
	return ""
}

func listedTargets[T any](items []T, target func(T) finding.Ref) string {
	const few = 3
	return finding.Listed(few, finding.Each(items, func(item T) string { return target(item).String() }))
}

// treeHeadline counts what a tree shows: it has no sentence of its own.
func treeHeadline(t *result.Tree) string {
	terminating := 0
	for _, node := range t.Nodes {
		if node.Terminating {
			terminating++
		}
	}
	text := fmt.Sprintf("%s, %d Terminating", finding.Plural(len(t.Nodes), "object"), terminating)
	if len(t.RootCauses) > 0 {
		text += "; " + finding.Plural(len(t.RootCauses), "root cause")
	}
	return text + "." + inPart(t.Unreadable)
}
