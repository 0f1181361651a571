package rescue

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// merge makes the changes of a JSON merge patch.
func merge(object, change map[string]any) {
	for name, value := range change {
		inside, deeper := value.(map[string]any)
		below, is := object[name].(map[string]any)
		switch {
		case value == nil:
			delete(object, name)
		case deeper && is:
			merge(below, inside)
		case deeper:
			created := map[string]any{}
			merge(created, inside)
			object[name] = created
		default:
			object[name] = value
		}
	}
}

// unpause removes a switch that is on: an object that is created again has to be acted on.
func unpause(object map[string]any, pause plugins.Switch) {
	for _, path := range plugins.PathsIn(pause.Path) {
		if value, found, err := unstructured.NestedString(object, path...); found && err == nil && pause.On(value) {
			unstructured.RemoveNestedField(object, path...)
		}
	}
}
