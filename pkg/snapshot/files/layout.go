package files

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// location is what the place of a file in a folder says of what is in it.
type location struct {
	group, resource string
	namespace       string // empty for what is in none
	list            bool   // the file is the list of all of them, and not one object
	kind            string // of the list, where only one fits
}

// placed reads the place of a file. Above these, a must-gather has a folder for each image that gathered,
// and people have more:
//
//	namespaces/NAMESPACE/GROUP/RESOURCE.yaml                oc adm inspect of a namespace
//	namespaces/NAMESPACE/GROUP/RESOURCE/NAME.yaml           oc adm inspect of a resource: one file for each
//	cluster-scoped-resources/GROUP/RESOURCE.yaml
//	cluster-scoped-resources/GROUP/RESOURCE/NAME.yaml
//	NAMESPACE/RESOURCE.json, nodes.json, or .yaml           kubectl cluster-info dump
//
// The group of Kubernetes' first kinds is called core. Single files don't say that there are no others:
// oc adm inspect writes the same when it was asked for one of them (openshift/oc
// pkg/cli/admin/inspect/util.go:dirPathForInfo, filenameForInfo; namespace.go; resource.go).
func placed(inside string) location {
	parts := strings.Split(strings.TrimSuffix(inside, path.Ext(inside)), "/")
	at := len(parts)
	is := func(from int, name string) bool { return at >= from && parts[at-from] == name }
	switch {
	case is(4, "namespaces"):
		return location{group: group(parts[at-2]), resource: parts[at-1], namespace: parts[at-3], list: true}
	case is(5, "namespaces") && parts[at-3] != "pods":
		return location{group: group(parts[at-3]), resource: parts[at-2], namespace: parts[at-4]}
	case is(3, "cluster-scoped-resources"):
		return location{group: group(parts[at-2]), resource: parts[at-1], list: true}
	case is(4, "cluster-scoped-resources"):
		return location{group: group(parts[at-3]), resource: parts[at-2]}
	case parts[at-1] == "nodes":
		return location{resource: "nodes", list: true, kind: "NodeList"}
	case at >= 2:
		for _, list := range dumpedLists {
			if list.file == parts[at-1] {
				resource := strings.ReplaceAll(list.file, "-", "")
				return location{
					group: list.group, resource: resource, namespace: parts[at-2], list: true, kind: list.kind,
				}
			}
		}
	}
	return location{}
}

func group(folder string) string {
	if folder == "core" {
		return ""
	}
	return folder
}

// ofContainer reports whether a file is what a container answered: namespaces/NS/pods/POD/CONTAINER/… (openshift/oc
// pkg/cli/admin/inspect/pod.go). Some are called .json.
func ofContainer(inside string) bool {
	parts := strings.Split(inside, "/")
	at := slices.Index(parts, "namespaces")
	return at >= 0 && len(parts) > at+5 && parts[at+2] == "pods"
}

// dumpedList is a list that kubectl cluster-info dump makes of a namespace.
type dumpedList struct{ file, group, kind string }

// dumpedLists are in the order in which they are made (k8s v1.37
// staging/src/k8s.io/kubectl/pkg/cmd/clusterinfo/clusterinfo_dump.go:Run).
var dumpedLists = []dumpedList{
	{"events", "", "EventList"}, {"replication-controllers", "", "ReplicationControllerList"},
	{"services", "", "ServiceList"}, {"daemonsets", "apps", "DaemonSetList"}, {"deployments", "apps", "DeploymentList"},
	{"replicasets", "apps", "ReplicaSetList"}, {"pods", "", "PodList"},
}

// listedAt notes that a list is complete whose file is where oc adm inspect or kubectl cluster-info dump puts those.
func (a *assembly) listedAt(at location, list listSeen) {
	if !at.list || list.partial || at.kind != "" && at.kind != list.kind {
		return
	}
	kind := list.objects()
	if kind.Kind == "" { // an empty list of anything
		for known, resource := range a.kinds {
			if resource.Group == at.group && resource.Resource == at.resource {
				kind = known
			}
		}
	}
	if kind.Kind == "" || kind.Group != at.group {
		return
	}
	if known, is := a.kinds[kind]; is && (known.Resource != at.resource || !known.Namespaced && at.namespace != "") {
		return
	}
	a.listed = append(a.listed, listing{kind: kind, namespace: at.namespace})
}

// dumped notes which lists are complete in what kubectl cluster-info dump has printed: nodes, and then
// the seven of each namespace, whose objects tell which it is.
func (a *assembly) dumped(lists []listSeen) {
	if len(lists) < 1+len(dumpedLists) || lists[0].kind != "NodeList" {
		return
	}
	var found []listing
	for group := range slices.Chunk(lists[1:], len(dumpedLists)) {
		if len(group) < len(dumpedLists) {
			return // something else
		}
		namespace := ""
		for i, list := range group {
			another := list.namespace != "" && namespace != "" && list.namespace != namespace
			if list.kind != dumpedLists[i].kind || list.partial || list.mixed || another {
				return
			}
			namespace = cmp.Or(namespace, list.namespace)
		}
		for _, list := range group {
			if namespace != "" { // else it is empty, and its name is not known
				found = append(found, listing{kind: list.objects(), namespace: namespace})
			}
		}
	}
	a.listed = append(append(a.listed, listing{kind: schema.GroupVersionKind{Version: "v1", Kind: "Node"}}), found...)
}
