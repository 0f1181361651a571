package main

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// rawPaths are the lists that `list` fetches: each kind once that can be listed and deleted.
func rawPaths(lists []*metav1.APIResourceList, namespace string) []string {
	var paths []string
	seen := map[string]bool{}
	for _, list := range lists {
		group, version, grouped := strings.Cut(list.GroupVersion, "/")
		root := "/apis/" + list.GroupVersion
		if !grouped {
			group, version, root = "", list.GroupVersion, "/api/"+list.GroupVersion
		}
		_ = version
		for _, resource := range list.APIResources {
			name := resource.Name + "." + group
			listed := slices.Contains(resource.Verbs, "list") && slices.Contains(resource.Verbs, "delete") &&
				!strings.Contains(resource.Name, "/")
			if !listed || seen[name] || name == "events.events.k8s.io" || namespace != "" && !resource.Namespaced {
				continue
			}
			seen[name] = true
			if namespace != "" {
				paths = append(paths, root+"/namespaces/"+namespace+"/"+resource.Name)
			} else {
				paths = append(paths, root+"/"+resource.Name)
			}
		}
	}
	return paths
}
