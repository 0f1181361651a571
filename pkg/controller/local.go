package controller

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Local tells which namespaces have bindings of their own that may lead to a resource's controller, and in a
// text to compare which these are. All other namespaces are alike.
func (g *Grants) Local(resource schema.GroupResource) map[string]string {
	local := map[string][]string{}
	for _, bound := range g.bindings {
		if bound.namespace == "" {
			continue
		}
		level, _, concerns := levelOf(bound.rules, resource)
		if !concerns {
			continue
		}
		for _, one := range bound.subjects {
			subject := subjectOf(one)
			if mayRun(subject) || level.Write && !bound.ordinary {
				local[bound.namespace] = append(local[bound.namespace], bound.role+" for "+subject.String())
			}
		}
	}
	texts := map[string]string{}
	for namespace, granted := range local {
		slices.Sort(granted)
		texts[namespace] = strings.Join(slices.Compact(granted), ", ")
	}
	return texts
}

// mayRun tells whether pods may act as a subject: people may not.
func mayRun(subject Subject) bool {
	return subject.Kind == serviceAccount ||
		subject.Kind == rbacv1.GroupKind && (strings.HasPrefix(subject.Name, "system:serviceaccounts") || subject.Name == "system:authenticated")
}
