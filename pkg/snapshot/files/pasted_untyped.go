package files

import (
	"encoding/json"
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/paste"
)

// nameless stands for the name of a namespace that nothing shows. No object has a name in capitals, so that no command
// with it can mean another one.
const nameless = "NAME"

// untyped reports whether what a text shows of an object lacks its kind, or its name.
func untyped(found paste.Object) bool {
	metadata, _ := found.Fields["metadata"].(map[string]any)
	return found.Resource != "" || found.Fields["kind"] == "Namespace" && metadata["name"] == ""
}

// takeUntyped takes in what lacks its kind or its name, when all is there that may show it.
func takeUntyped(a *assembly) error {
	kinds := map[string]*cluster.Resource{}
	for _, found := range a.pasted.untyped {
		metadata, _ := found.Fields["metadata"].(map[string]any)
		if found.Resource == "" {
			if metadata["name"] = namespaceMeant(a); metadata["name"] == "" {
				a.skip("what is quoted of a namespace", fmt.Errorf("line %d: it does not show of which one", found.Line))
				continue
			}
		} else {
			resource, asked := kinds[found.Resource]
			if !asked {
				if typed, known := a.typed(found.Resource); known {
					resource = &typed
				}
				kinds[found.Resource] = resource
			}
			if resource == nil {
				a.skip(found.Resource, fmt.Errorf("line %d: the text does not show of which kind that is", found.Line))
				continue
			}
			found.Fields["apiVersion"], found.Fields["kind"] = resource.GroupVersion().String(), resource.Kind
			if !resource.Namespaced {
				delete(metadata, "namespace")
			}
		}
		if err := a.takeFound(found); err != nil {
			return err
		}
	}
	return nil
}

// namespaceMeant is the name of the one Namespace that is being deleted, or of the only one that the text speaks of. It
// is empty where there are several.
func namespaceMeant(a *assembly) string {
	var deleted []string
	for key, object := range a.objects[namespaceKind()] {
		var fields struct {
			Metadata struct{ DeletionTimestamp string }
		}
		if object.deleted || json.Unmarshal(object.body.Bytes(), &fields) == nil && fields.Metadata.DeletionTimestamp != "" {
			deleted = append(deleted, key.name)
		}
	}
	if len(deleted) == 0 {
		deleted = a.namespaces()
	}
	switch len(deleted) {
	case 0:
		a.pasted.nameless = true
		return nameless
	case 1:
		return deleted[0]
	}
	return ""
}
