package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// clustersOf returns the clusters that a result is from: none where one cluster was asked.
func clustersOf(answer result.Result) []result.Cluster {
	switch one := answer.(type) {
	case *result.List:
		return one.Clusters
	case *result.Check:
		return one.Clusters
	case *result.DiagnosisList:
		return one.Clusters
	case *result.Tree:
		return one.Clusters
	}
	return nil
}

// fleetText writes the answer of several clusters.
type fleetText struct {
	renderer
	extent   listExtent // of lists
	findings extent
}

// write writes an answer, and says first which clusters gave it.
func (t *fleetText) write(answer result.Result) {
	switch one := answer.(type) {
	case *result.List:
		t.list(one)
	case *result.Check:
		t.check(one)
	case *result.DiagnosisList:
		t.why(one)
	case *result.Tree:
		t.tree(one)
	}
}

// begin writes the first sentence, and which clusters were not asked.
func (t *fleetText) begin(clusters []result.Cluster, says string) {
	t.w.headline(strings.TrimSpace(fleetHeadline(clusters) + " " + says))
	t.unasked(clusters)
}

// fleetHeadline says how many clusters gave a complete answer.
func fleetHeadline(clusters []result.Cluster) string {
	asked, all := result.Asked(clusters), len(clusters)
	switch {
	case all == 1 && asked == 1:
		return "Asked 1 cluster."
	case all == 1:
		return "The cluster could not be asked."
	}
	return fmt.Sprintf("Asked %d of %d clusters.", asked, all)
}

// unasked lists the clusters that gave no answer, or not all of it, with the reason, and the ones that don't have what
// was asked about. What has the same reason is one item.
func (t *fleetText) unasked(clusters []result.Cluster) {
	t.reasons("NOT ASKED", clusters, func(cluster result.Cluster) bool { return cluster.State == result.Unanswered })
	t.reasons("NOT COMPLETE", clusters, func(cluster result.Cluster) bool {
		return cluster.State == result.Incomplete || cluster.State == result.Answered && cluster.Error != ""
	})
	t.reasons("NOT FOUND", clusters, func(cluster result.Cluster) bool { return cluster.State == result.NotThere })
}

func (t *fleetText) reasons(heading string, clusters []result.Cluster, is func(result.Cluster) bool) {
	var chosen []result.Cluster
	for _, cluster := range clusters {
		if is(cluster) {
			chosen = append(chosen, cluster)
		}
	}
	if len(chosen) == 0 {
		return
	}
	t.w.section(heading)
	groups := groupBy(chosen, func(cluster result.Cluster) string { return cluster.Error })
	most := len(groups)
	if !t.w.style.Wide && t.w.page == nil {
		most = mostOf(len(groups), t.w.room(12))
	}
	for _, group := range groups[:most] {
		t.w.item(strings.Join(clusterNames(group), ", ")+": "+group[0].Error, nil)
	}
	if left := slices.Concat(groups[most:]...); len(left) > 0 {
		t.w.item(strings.Join(clusterNames(left), ", ")+", for reasons that -o wide lists", nil)
	}
}

func clusterNames(clusters []result.Cluster) []string {
	return finding.Each(clusters, func(cluster result.Cluster) string { return cluster.Name })
}

// same says which contexts lead to a cluster that was asked by another one, before other notes.
func (t *fleetText) same(clusters []result.Cluster, others ...string) {
	var notes []string
	for _, cluster := range clusters {
		if len(cluster.Also) > 0 {
			verb := map[bool]string{true: "leads", false: "lead"}[len(cluster.Also) == 1]
			notes = append(notes, fmt.Sprintf("%s %s to the same cluster as %s, which was asked once.",
				finding.And(cluster.Also), verb, cluster.Name))
		}
	}
	t.w.notes(append(notes, others...), true)
}

// inClusters says in how many of the clusters that answered something is.
func inClusters(names []string, clusters []result.Cluster) string {
	if len(names) == 1 {
		return "in " + names[0]
	}
	answered := 0
	for _, cluster := range clusters {
		if cluster.State != result.Unanswered {
			answered++
		}
	}
	return fmt.Sprintf("in %d of %d clusters", len(names), answered)
}

// title writes the heading of a cause, or a finding, across clusters.
func (t *fleetText) title(lead string, shared result.SharedCause, sure finding.Certainty, clusters []result.Cluster) {
	beside := fmt.Sprintf("%s: %s, %s", certainty(sure), shared.About, inClusters(shared.Clusters, clusters))
	t.w.heading(lead, t.w.style.causeText(string(shared.Reason)), beside)
}

// example says in which cluster something is as the next sentence says.
func (t *fleetText) example(shared result.SharedCause) {
	if len(shared.Clusters) > 1 {
		t.w.paragraph("  ", "For example, in "+shared.Clusters[0]+":", nil)
	}
}

// commandsElsewhere says how the commands of some steps have to be given for other clusters.
func (t *fleetText) commandsElsewhere(names []string, steps []finding.Remedy) {
	has := func(step finding.Remedy) bool { return len(step.Command) > 0 }
	if len(names) < 2 || !slices.ContainsFunc(steps, has) {
		return
	}
	quoted := finding.Each(names[1:], func(name string) string { return finding.Command{name}.String() })
	t.w.paragraph("  ", fmt.Sprintf("The commands are for %s. For the others, replace the context: %s.", names[0],
		strings.Join(quoted, ", ")), nil)
}

// without returns the clusters that answered, and have none of some names.
func without(clusters []result.Cluster, names []string) (others []string) {
	for _, cluster := range clusters {
		if cluster.State == result.Answered && !slices.Contains(names, cluster.Name) {
			others = append(others, cluster.Name)
		}
	}
	return others
}
