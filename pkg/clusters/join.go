package clusters

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Answer is what became of a question to one cluster. T is a pointer to a result, which is nil where there is none.
type Answer[T any] struct {
	Cluster result.Cluster
	Answer  T
	Err     error // as it was; the cluster has its text
}

// of returns the answers that there are, and what became of all clusters, with the namespace that each was asked about.
func of[T any](answers []Answer[*T], namespace func(*T) string) (all []*T, clusters []result.Cluster) {
	for _, answer := range answers {
		if answer.Answer != nil {
			Mark(answer.Answer, answer.Cluster.Name)
			all = append(all, answer.Answer)
			answer.Cluster.Namespace = namespace(answer.Answer)
		}
		clusters = append(clusters, answer.Cluster)
	}
	return all, clusters
}

// Lists joins lists to one, with the root causes across the clusters. The lists are used up.
func Lists(answers []Answer[*result.List]) *result.List {
	lists, clusters := of(answers, func(list *result.List) string { return list.Namespace })
	joined := &result.List{
		APIVersion: result.APIVersion, Kind: "DiagnosisList", Items: []result.ListItem{},
		RootCauses: []result.RootCause{}, Unreadable: []finding.Unreadable{}, Clusters: clusters,
		Graph: result.Graph{Nodes: []graph.Node{}, Edges: []graph.Edge{}},
	}
	for _, list := range lists {
		first := len(joined.RootCauses)
		for _, item := range list.Items {
			for i := range item.RootCauses {
				item.RootCauses[i].Index += first
			}
			joined.Items = append(joined.Items, item)
		}
		joined.RootCauses = append(joined.RootCauses, later(list.RootCauses, first)...)
		joinGraph(&joined.Graph, list.Graph)
		joined.Unreadable = append(joined.Unreadable, list.Unreadable...)
		joined.GeneratedAt = latest(joined.GeneratedAt, list.GeneratedAt)
	}
	slices.SortStableFunc(joined.Items, func(a, b result.ListItem) int {
		return a.Deletion.RequestedAt.Compare(b.Deletion.RequestedAt)
	})
	joined.Shared = sharedCauses(joined)
	return joined
}

// later returns causes whose indexes are so many higher.
func later(causes []result.RootCause, first int) []result.RootCause {
	for i := range causes {
		for at := range causes[i].EndsWith {
			causes[i].EndsWith[at] += first
		}
	}
	return causes
}

func joinGraph(joined *result.Graph, one result.Graph) {
	first := len(joined.Nodes)
	joined.Nodes = append(joined.Nodes, one.Nodes...)
	for _, edge := range one.Edges {
		edge.From, edge.To = edge.From+first, edge.To+first
		joined.Edges = append(joined.Edges, edge)
	}
}

// Checks joins reports of check to one, with the findings across the clusters. The reports are used up.
func Checks(answers []Answer[*result.Check]) *result.Check {
	checks, clusters := of(answers, func(check *result.Check) string { return check.Namespace })
	joined := &result.Check{
		APIVersion: result.APIVersion, Kind: "CheckReport", Findings: []result.Finding{},
		Unreadable: []finding.Unreadable{}, Clusters: clusters,
	}
	for _, check := range checks {
		joined.Owned, joined.Held = joined.Owned+check.Owned, joined.Held+check.Held
		joined.Findings = append(joined.Findings, check.Findings...)
		joined.Unreadable = append(joined.Unreadable, check.Unreadable...)
		joined.Doubtful = joined.Doubtful || check.Doubtful
		joined.GeneratedAt = latest(joined.GeneratedAt, check.GeneratedAt)
	}
	joined.Notes = notesOf(answers)
	joined.Shared = sharedFindings(joined)
	return joined
}

// notesOf returns the notes of several reports, each once: with the clusters that it is about, if these are not all.
func notesOf(answers []Answer[*result.Check]) (notes []string) {
	var order []string
	about, answered := map[string][]string{}, 0
	for _, answer := range answers {
		if answer.Answer == nil {
			continue
		}
		answered++
		for _, note := range answer.Answer.Notes {
			if len(about[note]) == 0 {
				order = append(order, note)
			}
			about[note] = append(about[note], answer.Cluster.Name)
		}
	}
	for _, note := range order {
		if names := about[note]; len(names) < answered {
			note = strings.Join(names, ", ") + ": " + note
		}
		notes = append(notes, note)
	}
	return notes
}

// Diagnoses joins what several clusters say of the same targets. The answers are used up.
func Diagnoses(answers []Answer[*result.DiagnosisList]) *result.DiagnosisList {
	lists, clusters := of(answers, func(*result.DiagnosisList) string { return "" })
	joined := &result.DiagnosisList{
		APIVersion: result.APIVersion, Kind: "DiagnosisList", Items: []result.Diagnosis{}, Clusters: clusters,
	}
	for _, list := range lists {
		joined.Items = append(joined.Items, list.Items...)
	}
	return joined
}

// Trees joins trees to one, which still has each as a part. The trees are used up.
func Trees(answers []Answer[*result.Tree]) *result.Tree {
	trees, clusters := of(answers, func(tree *result.Tree) string { return tree.Namespace })
	joined := &result.Tree{
		APIVersion: result.APIVersion, Kind: "BlockingGraph", Nodes: []result.TreeNode{}, Edges: []result.TreeEdge{},
		RootCauses: []result.RootCause{}, Unreadable: []finding.Unreadable{}, Clusters: clusters, Parts: trees,
	}
	for _, tree := range trees {
		first := len(joined.Nodes)
		joined.Nodes = append(joined.Nodes, tree.Nodes...)
		for _, edge := range tree.Edges {
			edge.From, edge.To = edge.From+first, edge.To+first
			joined.Edges = append(joined.Edges, edge)
		}
		joined.RootCauses = append(joined.RootCauses, tree.RootCauses...)
		joined.Unreadable = append(joined.Unreadable, tree.Unreadable...)
		joined.GeneratedAt = latest(joined.GeneratedAt, tree.GeneratedAt)
		joined.LeftOut = cmp.Or(joined.LeftOut, tree.LeftOut)
		joined.Verdict = graver(joined.Verdict, tree.Verdict)
	}
	return joined
}

// graver returns the one of two verdicts that says more about what a person has to do.
func graver(a, b result.Verdict) result.Verdict {
	rank := func(verdict result.Verdict) int {
		return slices.Index([]result.Verdict{
			"", result.NotTerminating, result.Progressing, result.Undetermined, result.Stuck,
		}, verdict)
	}
	if rank(a) >= rank(b) {
		return a
	}
	return b
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
