package print

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// namesIn returns the names of what a result is about, as kubectl's -o name has them: kind.group/name, or what else
// identifies the thing. Not every result is about things with names.
func namesIn(answer result.Result) (names []string, has bool) {
	switch one := answer.(type) {
	case *result.Diagnosis:
		return namesOf(blamedIn(*one)), true
	case *result.DiagnosisList:
		return namesOf(eachOf(one.Items, blamedIn)), true
	case *result.List:
		return namesOf(finding.Each(one.Items, func(item result.ListItem) finding.Ref { return item.Target })), true
	case *result.Tree:
		return treeNames(one), true
	case *result.Check:
		return namesOf(eachOf(one.Findings, findingObjects)), true
	case *result.Preview:
		return namesOf(goingIn(*one)), true
	case *result.PreviewList:
		return namesOf(eachOf(one.Items, goingIn)), true
	case *result.UninstallPlan:
		return namesOf(eachOf(one.Steps, func(step result.UninstallStep) []finding.Ref { return step.Objects })), true
	case *result.RescuePlan:
		return namesOf(rescuedIn(*one)), true
	case *result.Explanation:
		return unique(eachOf(one.Known, func(known result.Known) []string { return known.Names })), true
	case *result.ProjectList:
		return unique(eachOf(one.Items, func(project result.Project) []string { return project.Finalizers })), true
	}
	return nil, false
}

func renderNames(names []string, w *writer) {
	for _, name := range names {
		w.line(name)
	}
}

// blamedIn are the objects of a diagnosis' causes.
func blamedIn(d result.Diagnosis) []finding.Ref { return eachOf(d.RootCauses, causeObjects) }

// treeNames are the objects that are known to exist.
func treeNames(t *result.Tree) []string {
	var refs []finding.Ref
	for _, node := range t.Nodes {
		if node.Known {
			refs = append(refs, node.Ref)
		}
	}
	return namesOf(refs)
}

func eachOf[T, R any](things []T, of func(T) []R) []R {
	return slices.Concat(finding.Each(things, of)...)
}

// namesOf names objects, each once.
func namesOf(refs []finding.Ref) []string { return finding.Each(unique(refs), nameInCluster) }

// nameInCluster is an object's name, after that of its cluster and a tab where several were asked.
func nameInCluster(ref finding.Ref) string {
	if ref.Cluster == "" {
		return qualifiedName(ref)
	}
	return ref.Cluster + "\t" + qualifiedName(ref)
}

func qualifiedName(ref finding.Ref) string {
	kind := strings.ToLower(ref.Kind)
	if group := ref.Group(); group != "" {
		kind += "." + group
	}
	return kind + "/" + ref.Name
}
