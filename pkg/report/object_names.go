package report

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// named is a result that is about things with names.
type named interface {
	// names are as kubectl's -o name has them: kind.group/name, or what else identifies the thing.
	names() []string
}

func renderNames(result named, w *writer) {
	for _, name := range result.names() {
		w.line(name)
	}
}

func (d *Diagnosis) names() []string { return namesOf(eachOf(d.RootCauses, RootCause.objects)) }

func (l *DiagnosisList) names() []string {
	return eachOf(l.Items, func(item Diagnosis) []string { return item.names() })
}

func (l *List) names() []string {
	return finding.Each(l.Items, func(item ListItem) string { return item.Resource + "/" + item.Target.Name })
}

// names are the objects that are known to exist.
func (t *Tree) names() (names []string) {
	for _, node := range t.Nodes {
		switch {
		case !node.Known:
		case node.Resource == "":
			names = append(names, qualifiedName(node.Ref))
		default:
			names = append(names, node.Resource+"/"+node.Name)
		}
	}
	return names
}

func (c *Check) names() []string { return namesOf(eachOf(c.Findings, Finding.objects)) }

func (e *Explanation) names() []string {
	return unique(eachOf(e.Known, func(one Known) []string { return one.Names }))
}

func (l *ProjectList) names() []string {
	return eachOf(l.Items, func(item Project) []string { return item.Finalizers })
}

func eachOf[T, R any](things []T, of func(T) []R) []R {
	return slices.Concat(finding.Each(things, of)...)
}

// namesOf names objects, each once.
func namesOf(refs []finding.Ref) []string { return finding.Each(unique(refs), qualifiedName) }

func qualifiedName(ref finding.Ref) string {
	kind := strings.ToLower(ref.Kind)
	if group := ref.Group(); group != "" {
		kind += "." + group
	}
	return kind + "/" + ref.Name
}
