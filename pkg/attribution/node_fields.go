package attribution

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// nodeField is a field of an object that names a Node, as far as its own name tells.
type nodeField struct {
	path []string // from the object's root: spec, ownerNodeID
	node string
}

// sure reports whether a field can name nothing but a Node: nodeName and ownerNodeID. Whatever has nodes, as databases
// and chains have, may call its own so: node, nodeID, host name.
func (f nodeField) sure() bool {
	words := naming.Words(f.path[len(f.path)-1])
	return slices.Equal(words, []string{"node", "name"}) || slices.Equal(words, []string{"owner", "node", "id"})
}

// nodeFieldsOf finds in an object's spec, status and labels the fields that name one Node: nodeName, ownerNodeID, node,
// host, a label such as kubernetes.io/hostname or acme.io/node. Selectors, ports and counts of nodes name none. The
// result is in order of the paths.
func nodeFieldsOf(object map[string]any) (found []nodeField) {
	for _, part := range []string{"spec", "status"} {
		found = append(found, nodeFields(object[part], part)...)
	}
	metadata, _ := object["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		name, is := labels[key].(string)
		names := key == corev1.LabelHostname || naming.NamesNodeInKey(key)
		if is && names && len(validation.IsDNS1123Subdomain(name)) == 0 {
			found = append(found, nodeField{path: []string{"metadata", "labels", key}, node: name})
		}
	}
	return found
}

func nodeFields(value any, path ...string) (found []nodeField) {
	fields, _ := value.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		below := append(slices.Clone(path), key)
		name, is := fields[key].(string)
		switch {
		case is && (naming.NamesNode(key) || naming.NamesHost(key)) && len(validation.IsDNS1123Subdomain(name)) == 0:
			found = append(found, nodeField{path: below, node: name})
		case !is:
			found = append(found, nodeFields(fields[key], below...)...)
		}
	}
	return found
}
