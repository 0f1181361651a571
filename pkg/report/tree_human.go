package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TreeHuman draws a tree for a person: a row for each object, a doubled branch where the owner waits for
// its dependent, and the root causes beneath.
func TreeHuman(out io.Writer, tree *Tree, style Style, labels []string) error {
	w := &writer{out: out, style: style}
	drawing := newDrawing(tree, style)
	drawing.draw()
	headings := append([]string{"NAMESPACE", "NAME", "READY", "STATUS", "AGE", "TERMINATING", "FINALIZERS"}, labelHeadings(labels)...)
	var rows [][]string
	for _, line := range drawing.lines {
		rows = append(rows, drawing.row(line, labels))
	}
	headings = append(headings, "NOTES")
	headings, rows = withoutEmpty(headings, rows)
	if drawing.narrow(headings, rows) {
		w.folded(drawing, headings, rows)
	} else {
		w.table("", headings, rows, style.Width)
	}
	w.treeCauses(tree)
	if tree.LeftOut != "" {
		w.line()
		w.paragraph("", tree.LeftOut, nil)
	}
	w.unread(tree.Unreadable)
	return w.err
}

func labelHeadings(labels []string) []string {
	headings := make([]string, len(labels))
	for i, label := range labels {
		headings[i] = strings.ToUpper(label[strings.LastIndex(label, "/")+1:])
	}
	return headings
}

// withoutEmpty leaves out the columns that say nothing about any object.
func withoutEmpty(headings []string, rows [][]string) ([]string, [][]string) {
	for column := len(headings) - 1; column >= 0; column-- {
		if headings[column] == "NAME" || slices.ContainsFunc(rows, func(row []string) bool { return row[column] != "" }) {
			continue
		}
		headings = slices.Delete(headings, column, column+1)
		for i := range rows {
			rows[i] = slices.Delete(rows[i], column, column+1)
		}
	}
	return headings, rows
}

// treeCauses tells each root cause in a sentence or two.
func (w *writer) treeCauses(tree *Tree) {
	for number, cause := range tree.RootCauses {
		if number == 0 {
			w.line()
		}
		w.line(w.style.headingText("ROOT CAUSE  "), w.style.causeText(string(cause.Reason)), certainty(cause.Certainty))
		text := cause.Message
		if cause.Count > 1 {
			text += fmt.Sprintf(" The same holds for %d more.", cause.Count-1)
		}
		w.paragraph("  ", text, nil)
	}
	if len(tree.RootCauses) > 0 && len(tree.Ask) > 0 {
		w.line("  What to do about it:")
		w.command(tree.Ask)
	}
}

func (d *drawing) row(line treeLine, labels []string) []string {
	node := d.tree.Nodes[line.nodes[0]]
	name := node.Kind + "/" + node.Name
	if len(line.nodes) > 1 {
		name = fmt.Sprintf("%d × %s: %s, %s, …", len(line.nodes), node.Kind, node.Name, d.tree.Nodes[line.nodes[1]].Name)
	}
	if len(node.Reasons) > 0 {
		name = d.style.causeText(name)
	} else if d.tree.Target != nil && node.Ref == *d.tree.Target {
		name = d.style.headingText(name)
	}
	row := []string{node.Namespace, line.branch + name, node.Ready, node.Status, d.age(node.CreatedAt), d.age(node.RequestedAt), finalizersOf(node)}
	for _, label := range labels {
		row = append(row, node.Labels[label])
	}
	return append(row, d.notes(line, node))
}

func (d *drawing) age(at *time.Time) string {
	if at == nil {
		return ""
	}
	return duration.HumanDuration(max(0, d.tree.GeneratedAt.Sub(*at)))
}

func finalizersOf(node TreeNode) string {
	names := slices.Clone(node.Finalizers)
	for _, hold := range node.Holds {
		if hold.Type != finding.Finalizer && node.Terminating {
			names = append(names, holdName(hold))
		}
	}
	if len(names) == 0 {
		for _, hold := range node.Holds {
			if hold.Type == finding.Finalizer {
				names = append(names, hold.Name)
			}
		}
	}
	return strings.Join(names, ",")
}

// notes says in words what the drawing means.
func (d *drawing) notes(line treeLine, node TreeNode) string {
	var notes []string
	add := func(note string) {
		if note != "" {
			notes = append(notes, note)
		}
	}
	for _, reason := range node.Reasons {
		add(d.style.causeText(string(reason)))
	}
	switch {
	case line.again:
		add("see above")
	case line.child.hold != "":
		add("awaited by " + line.child.hold)
	case line.child.blocked && line.child.edge.Type != finding.Owns:
		add("awaited")
	case line.child.blocked:
		add("blocks its owner")
	}
	if flaw := line.child.edge.Reference; flaw != finding.Honoured {
		add(d.style.waitingText("owner reference: " + flawBelow(flaw)))
	}
	add(d.flawed(line.nodes[0]))
	return strings.Join(notes, "; ")
}

// flawBelow says what is wrong with a reference, beside the dependent.
func flawBelow(flaw finding.Ownership) string {
	return map[finding.Ownership]string{
		finding.OwnerAbsent: "the owner does not exist", finding.OwnerReplaced: "uid mismatch: another object has the owner's name",
		finding.OwnerMisnamed: "kind or name is wrong: the uid is another object's", finding.OwnerUnserved: "the owner's kind is not served, so it can't be resolved",
		finding.OwnerElsewhere:         "the owner is in another namespace, where the garbage collector doesn't look",
		finding.DependentClusterScoped: "this has no namespace and the owner has one: cluster-scoped dependent, never collected",
		finding.OwnerUnreadable:        "the owner could not be read", finding.OwnersCycle: "a cycle: it owns what owns it",
	}[flaw]
}

// flawed marks an owner that isn't there.
func (d *drawing) flawed(node int) string {
	if d.tree.Nodes[node].Known {
		return ""
	}
	for _, one := range d.children[node] {
		switch one.edge.Reference {
		case finding.OwnerAbsent, finding.OwnerReplaced, finding.OwnerUnserved, finding.OwnerUnreadable:
			return d.style.waitingText(one.edge.Reference.Words())
		}
	}
	return ""
}

// TreeNames writes the objects that are known to exist as kubectl's -o name does, each once.
func TreeNames(out io.Writer, tree *Tree) error {
	for _, node := range tree.Nodes {
		if !node.Known {
			continue
		}
		name := node.Resource + "/" + node.Name
		if node.Resource == "" {
			name = qualifiedName(node.Ref)
		}
		if _, err := fmt.Fprintln(out, name); err != nil {
			return err
		}
	}
	return nil
}
