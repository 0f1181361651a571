package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// humanTree draws a row for each object, a doubled branch where the owner waits for its dependent, and the root causes.
func humanTree(t *result.Tree, w *writer) {
	drawing, r := newDrawing(t, w.style, w.over), newRenderer(w)
	if w.page != nil {
		w.headline(treeHeadline(t))
		w.graph(scene{Tree: t})
	}
	headings := []string{"NAMESPACE", "NAME", "READY", "STATUS", "AGE", "TERMINATING", "HELD BY"}
	for _, label := range t.LabelColumns {
		headings = append(headings, strings.ToUpper(label[strings.LastIndex(label, "/")+1:]))
	}
	columns := slices.Clone(append(headings, "NOTES"))
	headings, rows := withoutEmpty(slices.Clone(columns), finding.Each(drawing.lines, drawing.row), "NAME")
	if w.page != nil { // as a drawing: its columns matter
		for _, line := range w.drawn(headings, rows, 0) {
			w.line(line)
		}
	} else if drawing.folds = drawing.narrow(headings, rows); drawing.folds {
		headings, rows = withoutEmpty(columns, finding.Each(drawing.lines, drawing.row), "NAME")
		w.narrowTree(drawing, headings, rows)
	} else {
		w.table("", headings, rows, w.style.Width)
	}
	if drawing.deep {
		w.line()
		w.paragraph("", fmt.Sprintf("Below level %d, the number of the level is shown instead of the indentation.",
			mostIndented), nil)
	}
	treeContents(t, w)
	treeCauses(t, r)
	if t.LeftOut != "" {
		w.notes([]string{t.LeftOut}, false)
	}
	r.said.unread(t.Unreadable)
}

// treeContents counts what is in a namespace.
func treeContents(t *result.Tree, w *writer) {
	if len(t.Contents) == 0 {
		return
	}
	w.section("CONTAINS")
	headings, rows := withoutEmpty([]string{"KIND", "COUNT", "WITH FINALIZERS", "NAMES"}, finding.Each(t.Contents,
		func(of result.TreeContent) []string {
			names, held := of.Name, ""
			if of.Count > 1 {
				names += ", …"
			}
			if of.Held > 0 {
				held = fmt.Sprint(of.Held)
			}
			return []string{of.Resource, fmt.Sprint(of.Count), held, names}
		}))
	w.rows("  ", headings, rows, 20)
}

// treeCauses says what is wrong: each cause once.
func treeCauses(tree *result.Tree, r renderer) {
	chapters := chaptersOf(tree.RootCauses, nil)
	for i, one := range chapters {
		if i == causesTold && len(chapters) > causesTold+1 {
			r.w.line()
			r.w.paragraph("", fmt.Sprintf("%d more causes are named above.", len(chapters)-i), nil)
			break
		}
		r.w.line()
		one.write(r, func() {})
		causeLosses(r.w, tree.RootCauses, one)
	}
	ask := "To see what to do:"
	switch {
	case len(tree.Ask) == 0, len(tree.RootCauses) == 0 && tree.Verdict == "":
		return
	case len(tree.RootCauses) == 0:
		ask = fmt.Sprintf("%s. To see what %s waits for:", tree.Verdict, tree.Target)
	}
	r.w.line()
	r.w.paragraph("", ask, nil)
	r.w.command("  ", tree.Ask)
}

func (d *drawing) row(line treeLine) []string {
	node := d.tree.Nodes[line.alike[0].node]
	name, namespace := node.Kind+"/"+node.Name, node.Namespace
	if d.folds { // no column for that
		name, namespace = node.String(), ""
	}
	if count := len(line.alike); count > 1 {
		second, in := d.tree.Nodes[line.alike[1].node].Name, ""
		if d.folds && node.Namespace != "" {
			in = " in " + node.Namespace
		}
		name = fmt.Sprintf("%d × %s%s: %s, %s, …", count, node.Kind, in, node.Name, second)
	}
	if len(node.Reasons) > 0 {
		name = d.style.causeText(name)
	} else if d.tree.Target != nil && node.Ref == *d.tree.Target {
		name = d.style.headingText(name)
	}
	row := []string{
		namespace, line.branch + name, node.Ready, node.Status,
		d.age(node.CreatedAt), d.age(node.RequestedAt), finalizersOf(node),
	}
	for _, label := range d.tree.LabelColumns {
		row = append(row, node.Labels[label])
	}
	return append(row, d.notes(line, node))
}

func finalizersOf(node result.TreeNode) string {
	names := slices.Clone(node.Finalizers)
	for _, hold := range node.Holds {
		unsaid := len(node.Finalizers) == 0 // of what was not read itself
		if isFinalizer := hold.Type == finding.Finalizer; isFinalizer && unsaid || !isFinalizer && node.Terminating {
			names = append(names, holdName(hold))
		}
	}
	return strings.Join(names, ",")
}

func (d *drawing) notes(line treeLine, node result.TreeNode) string {
	notes := finding.Each(node.Reasons, func(reason finding.Reason) string { return d.style.causeText(string(reason)) })
	first := line.alike[0]
	switch {
	case line.again:
		notes = append(notes, "see above")
	case first.blocks != "":
		notes = append(notes, first.blocks)
	case first.blocked && first.edge.Type != finding.Owns:
		above := d.tree.Nodes[first.edge.From]
		notes = append(notes, "blocks "+above.Kind+"/"+above.Name)
	case first.blocked:
		notes = append(notes, "blocks its owner")
	}
	if flaw := first.edge.Reference; flaw != finding.Honoured && d.ofMissing(first.edge) == "" {
		notes = append(notes, d.style.waitingText(flawBelow(flaw)))
	}
	for _, missing := range node.Misses {
		notes = append(notes, d.style.waitingText(missing.String()+" does not exist"))
	}
	if flaw := d.flawed(first.node); flaw != "" {
		notes = append(notes, flaw)
	}
	return strings.Join(notes, "; ")
}

func flawBelow(flaw finding.Ownership) string {
	return map[finding.Ownership]string{
		finding.OwnerAbsent:    "its owner does not exist",
		finding.OwnerReplaced:  "wrong uid in its owner reference (another object has the owner's name)",
		finding.OwnerMisnamed:  "wrong kind or name in its owner reference (the uid is another object's)",
		finding.OwnerUnserved:  "its owner's kind is not served, so its owner reference can't be resolved",
		finding.OwnerElsewhere: "its owner is in another namespace, where the garbage collector doesn't look",
		finding.DependentClusterScoped: "cluster-scoped, but its owner has a namespace, so the garbage collector " +
			"never deletes it",
		finding.OwnerUnreadable: "its owner could not be read",
		finding.OwnersCycle:     "in a cycle of owner references",
	}[flaw]
}

func (d *drawing) flawed(node int) string {
	for _, one := range d.children[node] {
		if says := d.ofMissing(one.edge); says != "" {
			return d.style.waitingText(says)
		}
	}
	return ""
}

// ofMissing says what is wrong with an owner that is known only by a reference to it. It is empty for any other.
func (d *drawing) ofMissing(edge result.TreeEdge) string {
	if d.tree.Nodes[edge.From].Known {
		return ""
	}
	return map[finding.Ownership]string{
		finding.OwnerAbsent: "does not exist", finding.OwnerReplaced: "another object has this name (uid mismatch)",
		finding.OwnerUnserved: "its kind is not served", finding.OwnerUnreadable: "could not be read",
	}[edge.Reference]
}
