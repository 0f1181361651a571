package rescue

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// copies are the changes by which what a kept object stands for comes back: in a copy of it, which its parent takes.
// There are none where its parent is no other object, or the catalogue knows none.
func (o *outside) copies() (own, parent map[string]any, known bool) {
	if o.parent == nil || o.known.Rescue == nil || o.known.Rescue.Copy == nil {
		return nil, nil, false
	}
	return o.known.Rescue.Copy.Patches(o.fields())
}

func (o *outside) isCopied() bool {
	_, _, known := o.copies()
	return known
}

func (o *outside) copyName() string {
	own, _, _ := o.copies()
	name, _, _ := unstructured.NestedString(own, "metadata", "name")
	return name
}

// comesBack says how a new object takes over what exists; empty where the catalogue doesn't know.
func (o *outside) comesBack() string {
	switch {
	case o.known.Rescue == nil:
		return ""
	case o.isCopied():
		return o.known.Rescue.Copy.Says
	}
	return o.known.Rescue.Adopt
}

// takeOver changes the manifest of an object so that what it stands for comes back with it.
func (o *outside) takeOver(of *session.Object, whole, manifest *unstructured.Unstructured) {
	own, parent, copied := o.copies()
	if copied && o.parent.Ref.UID == of.Ref.UID {
		merge(manifest.Object, parent)
	}
	if o.object.Ref.UID != of.Ref.UID {
		return
	}
	for _, pause := range o.pauses() {
		unpause(manifest.Object, pause)
	}
	if o.known.Rescue == nil {
		return
	}
	for _, setting := range o.known.Rescue.Create {
		if setting.Suits(whole.Object) {
			merge(manifest.Object, setting.Fields())
		}
	}
	merge(manifest.Object, own)
}
