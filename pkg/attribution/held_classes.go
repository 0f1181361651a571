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
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/limits"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// classesOf are the classes of an object, and what could not be read of them. Objects of Kubernetes' own kinds have
// none here: of those, domains tell whose a finalizer is.
func classesOf(ctx context.Context, f *Finder, object *session.Object) ([]limits.Class, *finding.Unread) {
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
		return []limits.Class{{Whose: whose, Name: object.Ref.Name, Controller: named, Ref: &object.Ref}}, nil
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
func namedClasses(kind string, object map[string]any) (classes []limits.Class) {
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
			classes = append(classes, limits.Class{Whose: whose, Name: name})
		}
	}
	return classes
}

// readClass reads which controller a class names, if a kind is seen that it can be of: the object's group comes first.
func readClass(ctx context.Context, f *Finder, object *session.Object, class *limits.Class) *finding.Unread {
	var found []cluster.Resource
	for _, resource := range f.Session.ServedKinds(ctx).Resources {
		if strings.EqualFold(resource.Kind, class.Whose+"class") && !cluster.ServedByKubernetes(resource.Group) {
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
	whole, err := f.Session.Reader.Get(ctx, found[0], namespace, class.Name)
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		unread := finding.UnreadObject(session.Named(found[0], namespace, class.Name).Ref).Because(err)
		return &unread
	}
	class.Ref, class.Controller = &session.Named(found[0], namespace, class.Name).Ref, controllerOf(whole.Object)
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

// observedClass says which controller a class names, as evidence; false where that isn't known.
func observedClass(class limits.Class) (finding.Evidence, bool) {
	if class.Ref == nil || class.Controller == "" {
		return finding.Evidence{}, false
	}
	return class.Ref.Observed("names the controller %s", class.Controller), true
}

func objectClass(class limits.Class) finding.ObjectClass {
	return finding.ObjectClass{Class: *class.Ref, Controller: class.Controller}
}

// surroundingsReader reads an object's classes, and the labels of its namespace, when a limit first asks for them.
type surroundingsReader struct {
	finder                    *Finder
	object                    *session.Object
	askedClasses, askedLabels bool
	askedFields               bool
	read                      limits.Surroundings
	unread                    *finding.Unread
}

// excludes reports whether the object is none that a program with one of some limits acts on, if that limit says
// anything: a trait does where others have another one.
func (r *surroundingsReader) excludes(ctx context.Context, one limits.Limit, all []limits.Limit) (excludes, says bool) {
	namespace, meta := r.object.Ref.Namespace, r.object.Meta
	if !one.ByTrait() {
		return one.Excludes(namespace, meta, r.of(ctx, one)), true
	}
	if !one.ToldApart(all) {
		return false, false
	}
	return one.LeftToAnother(all, namespace, meta, r.of(ctx, one)), true
}

func (r *surroundingsReader) of(ctx context.Context, one limits.Limit) limits.Surroundings {
	if one.ByClasses() && !r.askedClasses {
		r.askedClasses = true
		r.read.Classes, r.unread = classesOf(ctx, r.finder, r.object)
	}
	if (one.ByTenant() || one.ByTrait()) && !r.askedFields {
		r.askedFields = true
		r.read.Fields = r.texts(ctx)
	}
	if (one.ByPlaces() || one.ByTenant()) && !r.askedLabels && r.object.Ref.Namespace != "" {
		r.askedLabels = true
		namespace, err := r.finder.Session.Read(ctx, cluster.Namespaces(), "", r.object.Ref.Namespace)
		switch {
		case err == nil:
			r.read.Labels = namespace.Meta.Labels
		case !apierrors.IsNotFound(err):
			ref := session.Named(cluster.Namespaces(), "", r.object.Ref.Namespace).Ref
			r.unread = new(finding.UnreadObject(ref).Because(err))
		}
	}
	return r.read
}

// texts are the fields of an object's spec that are texts.
func (r *surroundingsReader) texts(ctx context.Context) map[string]string {
	if err := r.finder.ReadFields(ctx, r.object); err != nil {
		r.unread = new(finding.UnreadObject(r.object.Ref).Because(err))
		return nil
	}
	found := map[string]string{}
	if r.object.Whole != nil {
		spec, _, _ := unstructured.NestedMap(r.object.Whole.Object, "spec")
		for name, value := range spec {
			if text, is := value.(string); is {
				found[name] = text
			}
		}
	}
	return found
}

// ClassesOf are the classes that an object names, of its own API group, read whole. An object that was not read whole
// has none here.
func ClassesOf(
	ctx context.Context, f *Finder, object *session.Object,
) (found []*session.Object, unread []finding.Unread) {
	if object.Whole == nil {
		return nil, nil
	}
	classes, failed := classesOf(ctx, f, object)
	if failed != nil {
		unread = append(unread, *failed)
	}
	for _, class := range classes {
		if class.Ref == nil || class.Ref.Group() != object.Resource.Group || class.Ref.UID == object.Ref.UID {
			continue
		}
		kind := schema.GroupKind{Group: class.Ref.Group(), Kind: class.Ref.Kind}
		if resource, served := f.Session.ServedKinds(ctx).OfKind(kind); served {
			named := session.Named(resource, class.Ref.Namespace, class.Ref.Name)
			whole, err := f.Session.Whole(ctx, named)
			if err != nil {
				unread = append(unread, finding.UnreadObject(named.Ref).Because(err))
			} else if read, err := session.FromWhole(resource, whole); err == nil {
				found = append(found, read)
			}
		}
	}
	return found, unread
}
