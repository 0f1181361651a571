package report

import (
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// scene is what a picture shows: a graph, with what is known about its objects.
type scene struct {
	*Tree
	observations []Observation
	asks         map[finding.Ref]finding.Command
}

// graph shows a graph where the format can.
func (w *writer) graph(shown scene) {
	if w.page != nil && len(shown.Nodes) > 1 {
		w.page.add(&block{Kind: graphBlock, scene: &shown})
	}
}

// listPage has all that there is of a list: by cause, and a row for each object. Unlike text, it says if it is empty.
func (w *writer) listPage(list *List, judged bool) {
	if !judged {
		w.headline(Headline(list))
		w.listTable(list)
		return
	}
	w.list(list)
	defer w.aside("Each object")()
	w.listTable(&List{GeneratedAt: list.GeneratedAt, Items: list.Items})
}

func (l *List) scene() scene {
	shown := scene{Tree: treeOf(l.Graph, l.RootCauses, nil), asks: map[finding.Ref]finding.Command{}}
	for _, item := range l.Items {
		shown.asks[item.Target] = item.Ask
	}
	return shown
}

// treeOf is a blocking graph as a tree has it, with the reasons of root causes at the objects that they are about.
func treeOf(of Graph, causes []RootCause, target *finding.Ref) *Tree {
	reasons := map[finding.Ref][]finding.Reason{}
	for _, cause := range causes {
		for _, object := range cause.objects() {
			reasons[object] = append(reasons[object], cause.Reason)
		}
	}
	drawn := &Tree{Target: target, RootCauses: causes}
	for _, node := range of.Nodes {
		drawn.Nodes = append(drawn.Nodes, TreeNode{Node: node, Known: true, Reasons: unique(reasons[node.Ref])})
	}
	for _, edge := range of.Edges {
		drawn.Edges = append(drawn.Edges, TreeEdge{Edge: edge})
	}
	return drawn
}

func (d *Diagnosis) title() string { return "why " + d.Target.String() }
func (l *DiagnosisList) title() string {
	return "why: " + objectsOf(l.Items, (*Diagnosis).title, "why ")
}
func (l *List) title() string    { return "list" }
func (c *Check) title() string   { return "check" }
func (p *Preview) title() string { return "preview " + p.Target.String() }
func (l *PreviewList) title() string {
	return "preview: " + objectsOf(l.Items, (*Preview).title, "preview ")
}

func (t *Tree) title() string {
	if t.Target == nil {
		return "tree"
	}
	return "tree " + t.Target.String()
}

func objectsOf[T any](items []T, title func(*T) string, without string) string {
	const few = 3
	var names []string
	for i := range items {
		names = append(names, strings.TrimPrefix(title(&items[i]), without))
	}
	return finding.Listed(few, names)
}

// headline counts what a tree shows: it has no sentence of its own.
func (t *Tree) headline() string {
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
