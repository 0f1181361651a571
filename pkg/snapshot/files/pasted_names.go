package files

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/paste"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// addNames adds the objects that are named, also by events, and that the files don't have otherwise: namespaces last.
func addNames(a *assembly, builder *snapshot.Builder) {
	mentions := slices.Clone(a.pasted.mentions)
	for _, about := range a.pasted.events {
		mentions = append(mentions, paste.Mention{Resource: about.Kind, Namespace: about.Namespace, Name: about.Name})
	}
	slices.SortStableFunc(mentions, func(one, other paste.Mention) int { return rank(one) - rank(other) })
	told, shown := map[paste.Mention]bool{}, map[schema.GroupVersionKind]map[string]bool{}
	for _, mentioned := range mentions {
		resource, is := resourceMeant(a, mentioned)
		kind, key := resource.GroupVersion().WithKind(resource.Kind), objectKey{mentioned.Namespace, mentioned.Name}
		if !resource.Namespaced {
			key.namespace = ""
		}
		_, has := a.objects[kind][key]
		if key.namespace == "" && !has {
			if shown[kind] == nil {
				shown[kind] = shownNames(a, kind)
			}
			has = shown[kind][key.name]
		}
		same := paste.Mention{Resource: resource.QualifiedName(), Namespace: key.namespace, Name: key.name}
		if is && !told[same] && !has {
			told[same], told[paste.Mention{Resource: same.Resource, Name: key.name}] = true, true
			builder.Names(resource, key.namespace, key.name)
		}
	}
}

// shownNames are the names of the objects that the files have of a kind, in whatever namespace.
func shownNames(a *assembly, kind schema.GroupVersionKind) map[string]bool {
	names := map[string]bool{}
	for key := range a.objects[kind] {
		names[key.name] = true
	}
	return names
}

// rank puts namespaces last, because commands name one for the sake of what is in it, and what is known without its
// namespace behind what is known with one.
func rank(mentioned paste.Mention) int {
	switch {
	case mentioned.Resource == "namespaces":
		return 2
	case mentioned.Namespace == "":
		return 1
	}
	return 0
}

// resourceMeant returns the resource of what is named. A type that nothing shows is passed on as it was typed: the
// cluster knows it. What kubectl was told not to exist is none.
func resourceMeant(a *assembly, mentioned paste.Mention) (resource cluster.Resource, is bool) {
	for _, failure := range a.pasted.failures {
		if failure.Kind == paste.NotFound && failure.Name == mentioned.Name ||
			failure.Kind == paste.NoKind && failure.Resource == mentioned.Resource {
			return resource, false
		}
	}
	typed := strings.ToLower(mentioned.Resource)
	if resource, is = a.typed(typed); !is {
		resource = cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Resource: typed}, Kind: typed}
		resource.Namespaced = mentioned.Namespace != ""
	}
	return resource, true
}
