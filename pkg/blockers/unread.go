package blockers

import (
	"context"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// unlisted remembers the kinds that could not be read, as far as the controller may wait for one of their objects. The
// result lists all that could not be read.
func (d *descent) unlisted(ctx context.Context, whole *unstructured.Unstructured) {
	for _, unlisted := range d.survey.Unlisted {
		if d.concerned(unlisted.GroupResource(), unlisted.Kind, whole) {
			d.kinds = append(d.kinds, unlisted.QualifiedName())
			d.forbidden = d.forbidden || apierrors.IsForbidden(unlisted.Err)
		}
	}
	if !d.runs {
		return
	}
	servedKinds := d.session.ServedKinds(ctx)
	servedKinds.AskAll()
	for _, version := range servedKinds.FailedVersions() {
		measures := strings.HasSuffix(version.Group, "metrics.k8s.io") // and holds no objects
		group := schema.GroupResource{Group: version.Group, Resource: rbacv1.ResourceAll}
		if !measures && d.concerned(group, "", whole) {
			d.kinds = append(d.kinds, "*."+version.String())
		}
	}
}

// concerned reports whether a controller may wait for objects of a kind: it can't for what it may not read, and there
// is no reason to for what it may read because it may read everything, unless that is of the held object's API group or
// the object names the kind. Secrets that it doesn't delete are credentials, which it uses. Where it is not known who
// the controller is, or RBAC doesn't show why it may do its work, it may be concerned by all.
func (d *descent) concerned(resource schema.GroupResource, kind string, whole *unstructured.Unstructured) bool {
	grants := d.finder.Grants()
	if !d.known || grants == nil || !grants.Allows(d.removal()) {
		return true
	}
	reads, asAll := grants.Reads(d.account, resource)
	switch {
	case resource.Group == "" && resource.Resource == "secrets":
		return reads && d.deletes(grants, resource)
	case reads:
		return true
	case asAll:
		return whole == nil || resource.Group == d.object.Resource.Group || namesKind(whole, resource, kind)
	}
	return false
}

// deletes reports whether the controller may delete objects of a kind beside the held object.
func (d *descent) deletes(grants *rbac.Grants, resource schema.GroupResource) bool {
	deletion := d.removal()
	deletion.Verb, deletion.Resource, deletion.Name = "delete", resource, ""
	return deletion.Namespace == "" || grants.Allows(deletion)
}

// removal is the write that the controller should make.
func (d *descent) removal() rbac.Denial {
	return rbac.Denial{
		Subject: d.account, Verb: "update", Resource: d.object.Resource.GroupResource(),
		Namespace: d.object.Ref.Namespace, Name: d.object.Ref.Name,
	}
}

// namesKind reports whether an object names another one that may be of a kind: by a word for it, or by its API group.
func namesKind(whole *unstructured.Unstructured, resource schema.GroupResource, kind string) bool {
	is := func(word string) bool {
		word, group, _ := strings.Cut(word, ".")
		return (group == "" || group == resource.Group) && kind != "" &&
			(strings.EqualFold(word, kind) || strings.EqualFold(word, resource.Resource))
	}
	if slices.ContainsFunc(statuses.References(whole), func(reference statuses.Reference) bool {
		return reference.Group == resource.Group && reference.Group != "" || slices.ContainsFunc(reference.Kinds, is)
	}) {
		return true
	}
	return slices.ContainsFunc(statuses.Statements(whole), func(statement statuses.Statement) bool {
		return len(statement.Named(is)) > 0
	})
}
