package attribution

import (
	"context"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// heldClass is the class of a held object, which says which of several implementations acts on it: a GatewayClass of a
// Gateway. It is the object itself, if that is a class.
type heldClass struct {
	whose      string // the kind without "Class", in small letters; empty where the field doesn't tell
	name       string
	controller string       // that the class names; empty where that isn't known
	ref        *finding.Ref // nil where no such class is seen
}

// classesOf are the classes of an object, and what could not be read of them. Objects of Kubernetes' own kinds have
// none here: of those, domains tell whose a finalizer is.
func classesOf(ctx context.Context, f *Finder, object *session.Object) ([]heldClass, *finding.Unread) {
	if cluster.ServedByKubernetes(object.Resource.Group) {
		return nil, nil
	}
	if err := readSiblings(ctx, f, object); err != nil {
		return nil, new(finding.Unread{Object: &object.Ref}.Because(err))
	}
	if object.Whole == nil { // of too many namespaces
		if _, err := f.Session.Whole(ctx, object); err != nil {
			return nil, new(finding.Unread{Object: &object.Ref}.Because(err))
		}
	}
	if whose, is := naming.ClassOf(object.Resource.Kind); is && whose != "" {
		named := controllerOf(object.Whole.Object)
		return []heldClass{{whose: whose, name: object.Ref.Name, controller: named, ref: &object.Ref}}, nil
	}
	classes := namedClasses(object.Resource.Kind, object.Whole.Object)
	for i := range classes {
		if unread := readClass(ctx, f, object, &classes[i]); unread != nil {
			return nil, unread
		}
	}
	return classes, nil
}

// namedClasses are the classes that fields of an object's spec name: gatewayClassName, classRef, class.
func namedClasses(kind string, object map[string]any) (classes []heldClass) {
	spec, _ := object["spec"].(map[string]any)
	for _, field := range slices.Sorted(maps.Keys(spec)) {
		whose, is := naming.ClassOf(field)
		if !is {
			continue
		}
		name, _ := spec[field].(string)
		if refers, is := spec[field].(map[string]any); is {
			name, _ = refers["name"].(string)
		}
		if whose == "" {
			whose = strings.ToLower(kind)
		}
		if name != "" {
			classes = append(classes, heldClass{whose: whose, name: name})
		}
	}
	return classes
}

// readClass reads which controller a class names, if a kind is seen that it can be of: the object's group comes first.
func readClass(ctx context.Context, f *Finder, object *session.Object, class *heldClass) *finding.Unread {
	var found []cluster.Resource
	for _, resource := range f.Session.ServedKinds(ctx).Resources {
		if strings.EqualFold(resource.Kind, class.whose+"class") && !cluster.ServedByKubernetes(resource.Group) {
			found = append(found, resource)
		}
	}
	if i := slices.IndexFunc(found, func(r cluster.Resource) bool { return r.Group == object.Resource.Group }); i >= 0 {
		found = found[i : i+1]
	}
	if len(found) != 1 {
		return nil
	}
	namespace := ""
	if found[0].Namespaced {
		namespace = object.Ref.Namespace
	}
	whole, err := f.Session.Reader.Get(ctx, found[0], namespace, class.name)
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		unread := finding.UnreadObject(session.Named(found[0], namespace, class.name).Ref).Because(err)
		return &unread
	}
	class.ref, class.controller = &session.Named(found[0], namespace, class.name).Ref, controllerOf(whole.Object)
	return nil
}

// controllerOf is the controller that a class names: a GatewayClass in spec.controllerName, a BucketClass in
// driverName.
func controllerOf(class map[string]any) string {
	for _, part := range [][]string{{"spec"}, nil} {
		for _, field := range naming.ControllerFields() {
			if name, _, _ := unstructured.NestedString(class, append(slices.Clone(part), field)...); name != "" {
				return name
			}
		}
	}
	return ""
}

// observed says which controller a class names, as evidence; false where that isn't known.
func (c heldClass) observed() (finding.Evidence, bool) {
	if c.ref == nil || c.controller == "" {
		return finding.Evidence{}, false
	}
	return c.ref.Observed("names the controller %s", c.controller), true
}

func (c heldClass) told() finding.ObjectClass {
	return finding.ObjectClass{Class: *c.ref, Controller: c.controller}
}

// surroundings are what a limit may ask for beside an object's metadata.
type surroundings struct {
	classes []heldClass
	labels  map[string]string // of its namespace
}

// surroundingsReader reads an object's classes, and the labels of its namespace, when a limit first asks for them.
type surroundingsReader struct {
	finder                    *Finder
	object                    *session.Object
	askedClasses, askedLabels bool
	read                      surroundings
	unread                    *finding.Unread
}

func (r *surroundingsReader) of(ctx context.Context, one limit) surroundings {
	if one.classes != nil && !r.askedClasses {
		r.askedClasses = true
		r.read.classes, r.unread = classesOf(ctx, r.finder, r.object)
	}
	if one.places != nil && !r.askedLabels && r.object.Ref.Namespace != "" {
		r.askedLabels = true
		namespace, err := r.finder.Session.Read(ctx, cluster.Namespaces(), "", r.object.Ref.Namespace)
		switch {
		case err == nil:
			r.read.labels = namespace.Meta.Labels
		case !apierrors.IsNotFound(err):
			ref := session.Named(cluster.Namespaces(), "", r.object.Ref.Namespace).Ref
			r.unread = new(finding.UnreadObject(ref).Because(err))
		}
	}
	return r.read
}

// ClassesOf are the classes that an object names, of its own API group, read whole. An object that was not read whole
// has none here.
func ClassesOf(ctx context.Context, f *Finder, object *session.Object) (found []*session.Object) {
	if object.Whole == nil {
		return nil
	}
	classes, _ := classesOf(ctx, f, object) // a failed read is noted
	for _, class := range classes {
		if class.ref == nil || class.ref.Group() != object.Resource.Group || class.ref.UID == object.Ref.UID {
			continue
		}
		kind := schema.GroupKind{Group: class.ref.Group(), Kind: class.ref.Kind}
		if resource, served := f.Session.ServedKinds(ctx).OfKind(kind); served {
			named := session.Named(resource, class.ref.Namespace, class.ref.Name)
			if whole, err := f.Session.Whole(ctx, named); err == nil {
				if read, err := session.FromWhole(resource, whole); err == nil {
					found = append(found, read)
				}
			}
		}
	}
	return found
}
