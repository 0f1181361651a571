package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// check writes what check found across clusters, the worst first.
func (t *fleetText) check(check *result.Check) {
	t.findings = t.w.fullest(len(check.Shared), true, func(to *writer, tried extent) {
		(&fleetText{renderer: newRenderer(to), findings: tried}).checkParts(check)
	})
	t.checkParts(check)
}

func (t *fleetText) checkParts(check *result.Check) {
	t.begin(check.Clusters, checkHeadline(check, check.Findings))
	if t.w.style.Wide && len(check.Findings) > 0 {
		t.w.line()
		(&checkText{renderer: t.renderer}).rows(check)
	} else {
		described := min(t.findings.described, len(check.Shared))
		for _, shared := range check.Shared[:described] {
			t.w.line()
			t.finding(check, shared)
		}
		text := &checkText{renderer: t.renderer, extent: t.findings}
		text.further(finding.Each(check.Shared[described:], func(shared result.SharedCause) mention {
			first := check.Findings[shared.Causes[0]]
			title := fmt.Sprintf("%s %s: %s, %s", severityNoun(first.Severity), shared.Reason, shared.About,
				inClusters(shared.Clusters, check.Clusters))
			return text.mentioned(title, first)
		}))
	}
	t.same(check.Clusters, check.Notes...)
	t.said.unread(check.Unreadable)
}

func (t *fleetText) finding(check *result.Check, shared result.SharedCause) {
	first := check.Findings[shared.Causes[0]]
	t.title(strings.ToUpper(severityNoun(first.Severity))+"  ", shared, first.Certainty, check.Clusters)
	t.example(shared)
	t.said.message(first.Message, first.InShort)
	var objects []finding.Ref
	for _, index := range shared.Causes {
		objects = append(objects, findingObjects(check.Findings[index])...)
	}
	groups := groupBy(objects, func(ref finding.Ref) string { return finding.KeyOf(ref.Cluster, ref.Kind) })
	var rows [][]string
	for _, group := range groups[:mostOf(len(groups), t.w.room(rowsTold))] {
		names := some(group, finding.Ref.Path, 3, false, "more")
		rows = append(rows, []string{group[0].Cluster, fmt.Sprint(len(group)), group[0].Kind, names})
	}
	t.w.table("    ", []string{"CLUSTER", "COUNT", "KIND", "OBJECTS"}, rows, t.w.style.width())
	if left := len(groups) - len(rows); left > 0 {
		t.w.paragraph("    ", fmt.Sprintf("and %d more rows; -o wide has a row for each object", left), nil)
	}
	t.said.evidenced = nil
	t.said.evidence(first.Evidence, mostEvidence)
	t.advice.steps(first.Remedies, result.RootCause{Count: first.Count, Object: first.Object})
	t.commandsElsewhere(shared.Clusters, first.Remedies)
}

// why writes what several clusters say of the same objects, the worst first: one answer for all clusters in which an
// object is held by the same.
func (t *fleetText) why(list *result.DiagnosisList) {
	t.begin(list.Clusters, verdictsInWords(list))
	groups := whyGroups(list)
	described := t.w.described(len(groups), func(to *writer, number int) {
		(&diagnosisText{renderer: newRenderer(to)}).write(groups[number][0], nil)
	})
	for _, group := range groups[:described] {
		names := finding.Each(group, func(d *result.Diagnosis) string { return d.Target.Cluster })
		heading := "CLUSTER "
		if len(names) > 1 {
			heading = "CLUSTERS "
		}
		t.w.section(heading, strings.Join(names, ", "))
		(&diagnosisText{renderer: t.renderer}).write(group[0], nil)
		t.since(group)
		t.commandsElsewhere(names, eachOf(group[0].RootCauses, func(cause result.RootCause) []finding.Remedy {
			return cause.Remedies
		}))
	}
	t.w.inShort(finding.Each(groups[described:], briefInClusters))
	t.same(list.Clusters)
}

// whyGroups are the answers about one object that are the same in several clusters.
func whyGroups(list *result.DiagnosisList) [][]*result.Diagnosis {
	var all []*result.Diagnosis
	for i := range list.Items {
		all = append(all, &list.Items[i])
	}
	groups := groupBy(all, sameInClusters)
	slices.SortStableFunc(groups, func(a, b [](*result.Diagnosis)) int {
		return gravity(b[0].Verdict) - gravity(a[0].Verdict)
	})
	return groups
}

// sameInClusters is the same for answers about one object that differ only in their cluster, and in times.
func sameInClusters(d *result.Diagnosis) string {
	parts := []any{d.Verdict, d.Target.Group(), d.Target.Kind, d.Target.Path()}
	for _, cause := range d.RootCauses {
		parts = append(parts, cause.Reason, cause.Situation, cause.Finalizer, cause.Certainty, cause.Object)
	}
	for _, observation := range d.Observations {
		parts = append(parts, observation.Situation, observation.Object)
	}
	if len(d.RootCauses) == 0 || len(d.Takes) > 0 { // there is more to say of each
		parts = append(parts, d.Target.Cluster)
	}
	return finding.KeyOf(parts...)
}

// since says for how long the object is being deleted in the other clusters of a group, if that differs.
func (t *fleetText) since(group []*result.Diagnosis) {
	ago := func(d *result.Diagnosis) string {
		if d.Deletion == nil {
			return ""
		}
		return finding.Voice{Now: d.GeneratedAt}.Ago(d.Deletion.RequestedAt)
	}
	var others []string
	for _, diagnosis := range group[1:] {
		if ago(diagnosis) != ago(group[0]) {
			others = append(others, fmt.Sprintf("%s in %s", ago(diagnosis), diagnosis.Target.Cluster))
		}
	}
	if len(others) > 0 {
		t.w.paragraph("  ", "It has been Terminating for "+finding.Listed(few, others)+".", nil)
	}
}

func gravity(verdict result.Verdict) int {
	return slices.Index([]result.Verdict{
		result.NotTerminating, result.Progressing, result.Undetermined, result.Stuck,
	}, verdict)
}

// verdictsInWords counts the verdicts in several clusters.
func verdictsInWords(list *result.DiagnosisList) string {
	var parts []string
	for _, verdict := range []result.Verdict{
		result.Stuck, result.Undetermined, result.Progressing, result.NotTerminating,
	} {
		var names []string
		for _, item := range list.Items {
			if item.Verdict == verdict {
				names = append(names, item.Target.Cluster)
			}
		}
		if names = unique(names); len(names) > 0 {
			parts = append(parts, fmt.Sprintf("%s in %s", verdict, finding.Listed(few, names)))
		}
	}
	var absent []string
	for _, cluster := range list.Clusters {
		if cluster.State == result.NotThere {
			absent = append(absent, cluster.Name)
		}
	}
	if len(absent) > 0 {
		parts = append(parts, "not found in "+finding.Listed(few, absent))
	}
	if len(parts) == 0 {
		return ""
	}
	text := strings.Join(parts, "; ") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}

// tree draws what is in each cluster.
func (t *fleetText) tree(tree *result.Tree) {
	says := treeHeadline(tree)
	if len(tree.Nodes) == 0 {
		says = nothingThere(tree.Clusters) + inPart(tree.Unreadable)
	}
	t.begin(tree.Clusters, says)
	var names []string
	for _, part := range tree.Parts {
		if len(part.Nodes) == 0 {
			continue
		}
		names = append(names, part.Nodes[0].Cluster)
		part.LabelColumns = tree.LabelColumns
		t.w.section("CLUSTER ", part.Nodes[0].Cluster)
		humanTree(part, t.w)
	}
	if others := without(tree.Clusters, names); len(others) > 0 && len(names) > 0 {
		t.w.line()
		t.w.paragraph("", nothingIn(tree.Clusters, others), nil)
	}
	t.same(tree.Clusters)
}

// briefInClusters is an answer that is the same in some clusters, in short.
func briefInClusters(group []*result.Diagnosis) brief {
	shown := briefDiagnosis(group[0])
	names := finding.Each(group, func(d *result.Diagnosis) string { return d.Target.Cluster })
	shown.sentence = "In " + finding.Listed(few, names) + ": " + shown.sentence
	return shown
}

// briefsOfFleet are the answers of several clusters in short: how many were asked, and then what they answered.
func briefsOfFleet(answer result.Result) []brief {
	begun := fleetHeadline(clustersOf(answer)) + " "
	switch one := answer.(type) {
	case *result.List:
		shown := brief{sentence: begun + fleetListHeadline(one)}
		if len(one.Shared) > 0 {
			first := one.RootCauses[one.Shared[0].Causes[0]]
			shown.further = fmt.Sprintf("%s: %s, %s.", first.Reason, one.Shared[0].About,
				inClusters(one.Shared[0].Clusters, one.Clusters))
			shown = shown.firstOf([]result.RootCause{first})
		}
		return []brief{shown}
	case *result.DiagnosisList:
		briefs := []brief{{sentence: begun + verdictsInWords(one)}}
		for _, group := range whyGroups(one) {
			briefs = append(briefs, briefInClusters(group))
		}
		return briefs
	case *result.Check:
		shown := briefCheck(one)
		shown.sentence = begun + shown.sentence
		return []brief{shown}
	case *result.Tree:
		return []brief{briefCauses(begun+treeHeadline(one), one.RootCauses)}
	}
	return nil
}
