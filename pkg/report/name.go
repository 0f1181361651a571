package report

import (
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// named is a result that is about things with names.
type named interface {
	// names are as kubectl's -o name has them: kind.group/name, or what else identifies the thing.
	names() []string
}

// renderNames writes names, one per line.
func renderNames(result named, w *writer) {
	for _, name := range result.names() {
		w.line(name)
	}
}

// names are the objects of the root causes.
func (d *Diagnosis) names() []string {
	var refs []finding.Ref
	for _, cause := range d.RootCauses {
		refs = append(append(refs, cause.Object), cause.Others...)
	}
	return namesOf(refs)
}

// names are the objects of the root causes of each item.
func (l *DiagnosisList) names() (names []string) {
	for i := range l.Items {
		names = append(names, l.Items[i].names()...)
	}
	return names
}

// names are the Terminating objects.
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

// names are the objects with findings.
func (c *Check) names() []string {
	var refs []finding.Ref
	for _, finding := range c.Findings {
		refs = append(append(refs, finding.Object), finding.Others...)
	}
	return namesOf(refs)
}

// names are those of the finalizers, each once.
func (e *Explanation) names() []string {
	var names []string
	for _, one := range e.Known {
		names = append(names, one.Names...)
	}
	return unique(names)
}

// names are those of all finalizers.
func (l *ProjectList) names() (names []string) {
	for _, item := range l.Items {
		names = append(names, item.Finalizers...)
	}
	return names
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
