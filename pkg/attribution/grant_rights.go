package attribution

import (
	"cmp"
	"context"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

func seeRights(search search, object *session.Object, c *candidate) finding.Remedy {
	ask := append(search.session.Kubectl.Prefix(object.Ref), "auth", "can-i", "patch")
	if search.criteria.ofKind && object.Resource.Namespaced {
		ask = append(search.session.Kubectl.Prefix(finding.Ref{}), "auth", "can-i", "patch", "--all-namespaces")
	}
	user := "system:serviceaccount:" + c.account.Namespace + ":" + c.account.Name
	ask = append(ask, object.Resource.QualifiedName(), "--as", user)
	return finding.Remedy{
		Step: "SeeRights", Details: finding.StepDetails{Name: "patch " + object.Resource.QualifiedName()}, Command: ask,
		Risk: finding.NoRisk,
	}
}

// allow is how to give a ServiceAccount the right that it lacks. partial says that this alone won't do.
func (h *held) allow(c *candidate, partial bool) []finding.Remedy {
	if lost := c.roleFor(h.search.unbound()); lost != "" {
		return []finding.Remedy{bindAgain(h.search, h.object, c, lost, partial)}
	}
	role := ""
	if c.access != nil {
		role = cmp.Or(c.access.Role, c.role)
	}
	ofKubernetes := h.search.criteria.kindOfKubernetes()
	if lost, is := h.search.finder.roleless(c, h.object.Ref.Namespace); is && role == "" && !ofKubernetes {
		return []finding.Remedy{createAgain(h.search, h.object, c, lost, partial)}
	}
	ref := roleRef(role)
	if role == "" && ofKubernetes { // to let a program change all of these is more than a finalizer asks for
		details := finding.StepDetails{
			Object: c.accountRef(), Name: h.object.Resource.QualifiedName(), Partial: partial,
		}
		return []finding.Remedy{{Step: "AllowUpdates", Details: details, Risk: finding.NoRisk}}
	}
	if role == "" || ref.Kind == "Role" && !h.object.Resource.Namespaced && !boundElsewhere(h.search, c) {
		return newRole(h.search, h.object, c, finding.StepDetails{Partial: partial}) // no role of its own could grant it
	}
	details := finding.StepDetails{
		Object: c.accountRef(), Other: &ref, Name: h.object.Resource.QualifiedName(), Partial: partial,
	}
	give := finding.Remedy{
		Step: "AllowUpdates", Risk: finding.NoRisk, Command: h.search.session.Kubectl.CommandFor(ref, "edit"),
	}
	if boundElsewhere(h.search, c) { // the role is right, and not bound here
		details.Text = h.object.Ref.Namespace
		switch {
		case ref.Kind == "Role" && (details.Text == "" || knownDeleted(h.search.session, details.Text)):
			return newRole(h.search, h.object, c, finding.StepDetails{Other: &ref, Partial: partial})
		case ref.Kind == "Role":
			give.Step = "SeeRoleElsewhere"
			give.Command = h.search.session.Kubectl.CommandFor(ref, "get", "-o", "yaml")
		case details.Text == "":
			give.Step, give.Command = "BindRoleForCluster", bind(h.search, c, ref.Name, "clusterrolebinding", "")
		case knownDeleted(h.search.session, details.Text): // nothing can be created there
			give.Step, give.Command = "BindRoleEverywhere", bind(h.search, c, ref.Name, "clusterrolebinding", "")
		default:
			give.Step, give.Command = "BindRole", bind(h.search, c, ref.Name, "rolebinding", details.Text)
		}
	}
	give.Details = details
	return []finding.Remedy{give}
}

// newRole is how to give a ServiceAccount rights that no role of its own could grant it here: by a ClusterRole and its
// binding, which hold everywhere, and for what is in no namespace. details say which Role of another namespace has
// them, if one does.
func newRole(search search, object *session.Object, c *candidate, details finding.StepDetails) []finding.Remedy {
	name := c.account.Name + "-" + object.Resource.Resource
	details.Object, details.Name = c.accountRef(), object.Resource.QualifiedName()
	details.ClusterScoped = !object.Resource.Namespaced
	// Nothing can be created in a namespace that is deleted.
	if !search.criteria.ofKind && !knownDeleted(search.session, object.Ref.Namespace) {
		details.Text = object.Ref.Namespace
	}
	create := append(search.session.Kubectl.Prefix(finding.Ref{}), "create", "clusterrole", name,
		"--verb=get,list,watch,update,patch", "--resource="+details.Name)
	bound := details
	bound.Other = &finding.Ref{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "ClusterRole", Name: name}
	bind := search.session.Kubectl.Prefix(finding.Ref{}, "create", "clusterrolebinding", name, "--clusterrole="+name,
		"--serviceaccount="+c.account.Namespace+":"+c.account.Name)
	return []finding.Remedy{
		{Step: "CreateRole", Details: details, Command: create, Risk: finding.NoRisk},
		{Step: "BindNewRole", Details: bound, Command: bind, Risk: finding.NoRisk},
	}
}

// createAgain is how to give a ServiceAccount the rights of a role that is still bound to it, and doesn't exist.
func createAgain(search search, object *session.Object, c *candidate, lost rbac.Roleless, partial bool) finding.Remedy {
	ref := roleRef(lost.Role)
	details := finding.StepDetails{
		Object: c.accountRef(), Other: &ref, Name: object.Resource.QualifiedName(), Text: lost.Binding, Partial: partial,
	}
	create := append(search.session.Kubectl.Prefix(
		finding.Ref{Namespace: ref.Namespace},
	), "create", strings.ToLower(ref.Kind),
		ref.Name, "--verb=get,list,watch,update,patch", "--resource="+details.Name)
	return finding.Remedy{Step: "CreateRoleAgain", Details: details, Command: create, Risk: finding.NoRisk}
}

// bind is the command that binds a ClusterRole to a candidate's account, in a namespace if it is not empty.
func bind(search search, c *candidate, role, kind, namespace string) finding.Command {
	return search.session.Kubectl.Prefix(finding.Ref{Namespace: namespace}, "create", kind, c.account.Name+"-"+role,
		"--clusterrole="+role, "--serviceaccount="+c.account.Namespace+":"+c.account.Name)
}

// boundElsewhere reports whether a candidate has its rights in other namespaces than the held object's, which may have
// none.
func boundElsewhere(search search, c *candidate) bool {
	return !search.criteria.ofKind && c.access != nil && !c.access.Write && len(c.access.Elsewhere) > 0
}

// RightsByNamespace says which namespaces have rules of their own for a custom resource, by what these are: similar
// namespaces share what is found. For a kind of Kubernetes' own, rights show nothing.
func (f *Finder) RightsByNamespace(ctx context.Context, resource cluster.Resource) map[string]string {
	if cluster.ServedByKubernetes(resource.Group) {
		return nil
	}
	grants, err := f.permissions(ctx)
	if err != nil {
		return nil // Absent says so
	}
	return grants.LocalBindings(resource.GroupResource())
}
