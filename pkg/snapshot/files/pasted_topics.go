package files

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/paste"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// answered is an object that only the command shows which ends an answer: it was asked for, and is no topic of the
// text.
type answered struct {
	kind schema.GroupKind
	key  objectKey
}

// noteAnswer notes whether an object that is being deleted is a topic of the text.
func noteAnswer(a *assembly, found paste.Object) {
	object := unstructured.Unstructured{Object: found.Fields}
	one := answered{object.GroupVersionKind().GroupKind(), objectKey{object.GetNamespace(), object.GetName()}}
	_, has := a.objects[object.GroupVersionKind()][one.key]
	switch {
	case !found.Answers:
		delete(a.pasted.answers, one)
	case !has && object.GetDeletionTimestamp() != nil && len(a.pasted.answers) < mostMentioned:
		a.pasted.answers[one] = true
	}
}

// addAnswers adds the objects that are no topic of the text. What it names is one.
func addAnswers(a *assembly, builder *snapshot.Builder) {
	for _, mentioned := range a.pasted.mentions {
		if resource, is := resourceMeant(a, mentioned); is {
			namespace := mentioned.Namespace
			if !resource.Namespaced {
				namespace = ""
			}
			delete(a.pasted.answers, answered{
				schema.GroupKind{Group: resource.Group, Kind: resource.Kind}, objectKey{namespace, mentioned.Name},
			})
		}
	}
	for one := range a.pasted.answers {
		builder.Answers(one.kind, one.key.namespace, one.key.name)
	}
}
