package snapshot

import (
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// asked is a tree of fields that are requested by their names: the catalogue's fields and expressions, policies and
// webhooks of the cluster, and the columns of definitions.
type asked struct {
	value bool // what stands here is asked for
	below map[string]*asked
}

func (a *asked) field(name string) *asked {
	if a == nil {
		return nil
	}
	return a.below[name]
}

func (a *asked) add(path []string) {
	for _, name := range path {
		if a.below == nil {
			a.below = map[string]*asked{}
		}
		if a.below[name] == nil {
			a.below[name] = &asked{}
		}
		a = a.below[name]
	}
	a.value = true
}

// questions are all fields that are asked for. It is safe for several at once.
type questions struct {
	mu         sync.Mutex
	all        []plugins.Reads
	known      map[string]bool // expressions and columns that were met
	trees      map[resourceKind]*asked
	conditions *admission.Conditions
}

type resourceKind struct {
	schema.GroupVersionResource
	kind string
}

func newQuestions(known *plugins.Set) *questions {
	q := &questions{conditions: admission.NewConditions(), known: map[string]bool{}}
	if known != nil {
		q.all = known.Reads()
	}
	return q
}

// of returns what is asked for of a resource's objects.
func (q *questions) of(resource cluster.Resource) *asked {
	key := resourceKind{resource.GroupVersionResource, resource.Kind}
	q.mu.Lock()
	defer q.mu.Unlock()
	if tree := q.trees[key]; tree != nil {
		return tree
	}
	tree := &asked{}
	for _, reads := range q.all {
		if about(reads, resource) {
			tree.add(reads.Path)
		}
	}
	if q.trees == nil {
		q.trees = map[resourceKind]*asked{}
	}
	q.trees[key] = tree
	return tree
}

// count is how much has been asked so far.
func (q *questions) count() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.all)
}

func about(reads plugins.Reads, resource cluster.Resource) bool {
	plural, anyGroup := strings.CutSuffix(reads.Resource, ".*")
	switch kind := resource.GroupKind().String(); {
	case anyGroup:
		return plural == resource.Resource
	case reads.Resource != "":
		return reads.Resource == resource.QualifiedName()
	default:
		matches := func(glob string) bool { return plugins.Match(glob, kind) }
		return len(reads.Kinds) == 0 && custom(resource) || slices.ContainsFunc(reads.Kinds, matches)
	}
}

// add adds a question that was not met before.
func (q *questions) add(what string, reads func() []plugins.Reads) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.known[what] {
		q.known[what] = true
		q.all, q.trees = append(q.all, reads()...), nil
	}
}

// expression meets an expression of a policy or a webhook, which may be about any object.
func (q *questions) expression(text string) {
	q.add(text, func() (all []plugins.Reads) {
		found, err := q.conditions.Reads(text, "object", "oldObject", "params", "namespaceObject")
		if err != nil {
			return nil
		}
		for _, read := range found {
			all = append(all, plugins.Reads{Kinds: []string{"*"}, Path: read.Path})
		}
		return all
	})
}

// columns meets the columns of a definition that tell the states of its objects (snapshot/states).
func (q *questions) columns(definition map[string]any) {
	spec, _ := definition["spec"].(map[string]any)
	names, _ := spec["names"].(map[string]any)
	group, _ := spec["group"].(string)
	plural, _ := names["plural"].(string)
	versions, _ := spec["versions"].([]any)
	for _, version := range versions {
		fields, _ := version.(map[string]any)
		columns, _ := fields["additionalPrinterColumns"].([]any)
		for _, column := range columns {
			fields, _ := column.(map[string]any)
			name, _ := fields["name"].(string)
			path, _ := fields["jsonPath"].(string)
			if name = strings.ToUpper(name); name != "READY" && name != "STATUS" {
				continue
			}
			q.add(plural+"."+group+path, func() (all []plugins.Reads) {
				for _, path := range plugins.PathsIn("{" + path + "}") {
					all = append(all, plugins.Reads{Resource: plural + "." + group, Path: path})
				}
				return all
			})
		}
	}
}
