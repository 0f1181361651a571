package cluster

import (
	"cmp"
	"slices"
	"strings"
)

// Meant returns the resources that a typed TYPE, TYPE.GROUP or TYPE.VERSION.GROUP can mean.
func Meant(resources []Resource, typed string) []Resource {
	_, group, _ := strings.Cut(strings.ToLower(typed), ".")
	_, afterVersion, _ := strings.Cut(group, ".")
	return slices.DeleteFunc(slices.Clone(resources), func(resource Resource) bool {
		inGroup := strings.HasPrefix(resource.Group, group) || afterVersion == resource.Group
		return !inGroup || !slices.Contains(resource.Names(), TypedName(typed))
	})
}

// TypedName is the name in a typed TYPE, TYPE.GROUP or TYPE.VERSION.GROUP.
func TypedName(typed string) string {
	name, _, _ := strings.Cut(strings.ToLower(typed), ".")
	return name
}

// Names are what a resource is called: its plural, its singular, its kind, and short names.
func (r Resource) Names() []string {
	return append([]string{r.Resource, r.Singular, strings.ToLower(r.Kind)}, r.ShortNames...)
}

// Preferred returns the one of several resources that is taken for what was typed.
func Preferred(found []Resource) Resource {
	return slices.MinFunc(found, func(a, b Resource) int {
		return cmp.Or(a.Rank()-b.Rank(), strings.Compare(a.Group, b.Group))
	})
}

// ThirdParty is the rank of groups that Kubernetes itself doesn't serve.
const ThirdParty = 3

// Rank orders groups: the core group, Kubernetes' oldest others (apps, batch), its groups below k8s.io, all others.
func (r Resource) Rank() int {
	switch {
	case r.Group == "":
		return 0
	case !ServedByKubernetes(r.Group):
		return ThirdParty
	case strings.Contains(r.Group, "."):
		return 2
	}
	return 1
}
