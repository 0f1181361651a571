package attribution

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/limits"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
)

// home is the namespace of the program that acts on an object, where a label or an annotation of it says that, and
// which one.
func home(object *session.Object) (namespace, says string) {
	if object.Meta == nil {
		return "", ""
	}
	for part, texts := range map[string]map[string]string{
		"annotations": object.Meta.Annotations, "labels": object.Meta.Labels,
	} {
		for key, text := range texts {
			field := switches.Field([]string{"metadata", part, key})
			if naming.NamesOperatorNamespace(key) && limits.IsNamespace(text) && (says == "" || field < says) {
				namespace, says = text, field
			}
		}
	}
	return namespace, says
}
