package print

import (
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// fleetListHeadline is the list of several clusters in one sentence: its root causes are counted across them.
func fleetListHeadline(list *result.List) string {
	if len(list.Items) == 0 {
		return nothingThere(list.Clusters) + inPart(list.Unreadable)
	}
	shown := *list
	shown.RootCauses = nil
	for _, shared := range list.Shared {
		shown.RootCauses = append(shown.RootCauses, list.RootCauses[shared.Causes[0]])
	}
	return Headline(&shown)
}

// nothingThere says that nothing is Terminating in the clusters that answered, if any did.
func nothingThere(clusters []result.Cluster) string {
	if slices.ContainsFunc(clusters, func(cluster result.Cluster) bool { return cluster.State == result.Answered }) {
		return "Nothing is Terminating there" + inNamespaces(namespacesOf(clusters))
	}
	return ""
}

// namespacesOf are the namespaces that the clusters that answered were asked about, each once. They are none if all
// namespaces were asked about, which holds for all clusters or for none.
func namespacesOf(clusters []result.Cluster) (names []string) {
	for _, cluster := range clusters {
		name := cluster.Namespace
		if cluster.State == result.Answered && name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// inNamespaces ends a sentence about what was not found: where it was looked for, if that is not everywhere.
func inNamespaces(names []string) string {
	if len(names) == 0 {
		return "."
	}
	quoted := finding.Each(names, func(name string) string { return fmt.Sprintf("%q", name) })
	noun := "namespace "
	if len(names) > 1 {
		noun = "namespaces "
	}
	return " in " + noun + finding.Listed(few, quoted) + "." + LookEverywhere
}

// LookEverywhere follows a sentence that nothing was found in a namespace.
const LookEverywhere = " To look in all namespaces, use -A."

// nothingIn says in which of some clusters nothing is Terminating.
func nothingIn(clusters []result.Cluster, names []string) string {
	return "Nothing is Terminating in " + finding.Listed(few, names) + inNamespaces(namespacesOf(clusters))
}

// list writes the causes across clusters, each with the clusters in which it is. Wide output, and the answer to who
// didn't ask why, is a row for each object.
func (t *fleetText) list(list *result.List) {
	judged := slices.ContainsFunc(list.Items, func(item result.ListItem) bool { return item.Verdict != "" })
	t.begin(list.Clusters, fleetListHeadline(list))
	if rows := (&listText{renderer: t.renderer, list: list}); len(list.Items) > 0 && (!judged || t.w.style.Wide) {
		t.w.line()
		rows.rows(list)
		t.same(list.Clusters)
		return
	}
	t.extent = t.w.fullestList(func(to *writer, tried listExtent) {
		text := &fleetText{renderer: newRenderer(to), extent: tried}
		text.begin(list.Clusters, fleetListHeadline(list))
		text.byCause(list)
	})
	t.byCause(list)
	if t.w.page != nil && len(list.Items) > 0 {
		defer t.w.aside("Each object")()
		(&listText{renderer: t.renderer, list: list}).rows(&result.List{GeneratedAt: list.GeneratedAt, Items: list.Items})
	}
}

// byCause describes as many causes as there is room for, and lists the others.
func (t *fleetText) byCause(list *result.List) {
	t.w.graph(sceneOf(list))
	t.counts(list)
	described := mostOf(len(list.Shared), t.extent.causes)
	for i := range described {
		t.w.line()
		t.cause(list, i)
	}
	t.briefly("CAUSE", finding.Each(list.Shared[described:], func(shared result.SharedCause) mention {
		title := fmt.Sprintf("%s: %s, %s", shared.Reason, shared.About, inClusters(shared.Clusters, list.Clusters))
		return mention{title: title}
	}), func() { t.w.paragraph("  ", "For their objects, use -o wide.", nil) })
	t.open("NOT CLEAR", list, result.Undetermined)
	t.open("IN PROGRESS", list, result.Progressing)
	t.same(list.Clusters)
	t.said.unread(list.Unreadable)
}

// counts is a table of the clusters in which something is Terminating, and says in which nothing is.
func (t *fleetText) counts(list *result.List) {
	groups := groupBy(list.Items, clusterOfItem)
	if len(groups) == 0 {
		return
	}
	slices.SortStableFunc(groups, func(a, b []result.ListItem) int { return len(b) - len(a) })
	var rows [][]string
	var names []string
	for _, group := range groups {
		names = append(names, clusterOfItem(group[0]))
		if len(rows) == t.extent.overview && len(groups) > t.extent.overview+1 {
			continue
		}
		rows = append(rows, []string{
			clusterOfItem(group[0]), fmt.Sprint(len(group)), verdicts(group, result.Stuck),
			verdicts(group, result.Undetermined), verdicts(group, result.Progressing), since(list.GeneratedAt, group[0]),
		})
	}
	t.w.line()
	headings, rows := withoutEmpty([]string{"CLUSTER", "OBJECTS", "STUCK", "NOT CLEAR", "IN PROGRESS", "FOR"}, rows)
	t.w.table("", headings, rows, t.w.style.width())
	if left := len(groups) - len(rows); left > 0 {
		t.w.paragraph("", fmt.Sprintf("and %d more clusters", left), nil)
	}
	if others := without(list.Clusters, names); len(others) > 0 {
		t.w.paragraph("", nothingIn(list.Clusters, others), nil)
	}
}

// few is how many clusters are named where there is little to say about each.
const few = 6

func verdicts(items []result.ListItem, verdict result.Verdict) string {
	count := 0
	for _, item := range items {
		if item.Verdict == verdict {
			count++
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprint(count)
}

func clusterOfItem(item result.ListItem) string { return item.Target.Cluster }

// cause writes one cause across clusters: what is wrong in the first of them, what waits for it in each, and what to do
// first.
func (t *fleetText) cause(list *result.List, number int) {
	shared := list.Shared[number]
	first := list.RootCauses[shared.Causes[0]]
	lead := "ROOT CAUSE  "
	switch {
	case len(list.Shared) > 1:
		lead = fmt.Sprintf("CAUSE %d of %d  ", number+1, len(list.Shared))
	case isUnknown(first):
		lead = "UNKNOWN CAUSE  "
	}
	t.title(lead, shared, first.Certainty, list.Clusters)
	t.example(shared)
	t.said.message(first.Message, first.InShort)
	waiting := waitingFor(list.Items, shared.Causes)
	t.inEach(list, waiting)
	if len(first.Remedies) > 0 {
		t.advice.step(labelBlock, "  First: ", stepOf(first.Remedies[0]), first)
	}
	const most = 3
	var asks []finding.Command
	for _, group := range groupBy(waiting, clusterOfItem) {
		if ask := group[0].Ask; len(ask) > 0 && len(asks) < most {
			asks = append(asks, ask)
		}
	}
	if len(asks) > 0 {
		t.w.labelledCommands(labelBlock, "  More: ", asks...)
	}
}

func waitingFor(items []result.ListItem, causes []int) (waiting []result.ListItem) {
	for _, item := range items {
		if slices.ContainsFunc(item.RootCauses, func(cause result.ItemCause) bool {
			return slices.Contains(causes, cause.Index)
		}) {
			waiting = append(waiting, item)
		}
	}
	return waiting
}

// inEach is a table of objects, a row for those of one kind in one cluster.
func (t *fleetText) inEach(list *result.List, items []result.ListItem) {
	groups := groupBy(items, func(item result.ListItem) string {
		return finding.KeyOf(clusterOfItem(item), item.Resource)
	})
	slices.SortStableFunc(groups, func(a, b []result.ListItem) int { return len(b) - len(a) })
	var rows [][]string
	for _, group := range groups[:mostOf(len(groups), t.extent.rows)] {
		names := some(group, func(item result.ListItem) string { return item.Target.Path() }, 3, false, "more")
		rows = append(rows, []string{
			clusterOfItem(group[0]), fmt.Sprint(len(group)), since(list.GeneratedAt, group[0]), group[0].Target.Kind, names,
		})
	}
	t.w.table("    ", []string{"CLUSTER", "COUNT", "FOR", "KIND", "OBJECTS"}, rows, t.w.style.width())
	if left := len(groups) - len(rows); left > 0 {
		t.w.paragraph("    ", fmt.Sprintf("and %d more rows; -o wide has a row for each object", left), nil)
	}
}

// open writes the objects of one verdict that wait for no root cause.
func (t *fleetText) open(heading string, list *result.List, verdict result.Verdict) {
	items := slices.DeleteFunc(slices.Clone(list.Items), func(item result.ListItem) bool {
		return item.Verdict != verdict || len(item.RootCauses) > 0
	})
	if len(items) == 0 {
		return
	}
	t.w.section(heading)
	groups := groupBy(items, func(item result.ListItem) string { return finding.KeyOf(clusterOfItem(item), item.Fares) })
	for i, group := range groups {
		if i == t.extent.others && len(groups) > t.extent.others+1 {
			left := finding.Plural(len(slices.Concat(groups[i:]...)), "more object")
			t.w.paragraph("  ", fmt.Sprintf("and %s; -o wide has a row for each", left), nil)
			return
		}
		names := some(group, func(item result.ListItem) string { return item.Target.String() }, 3, false, "more")
		t.w.item(fmt.Sprintf("In %s: %s (Terminating for %s) %s.", clusterOfItem(group[0]), names,
			since(list.GeneratedAt, group[0]), group[0].Fares), nil)
	}
}
