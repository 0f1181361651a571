package attribution

import (
	"cmp"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
)

func (h *held) seeRights(c *candidate) finding.Remedy {
	ask := append(h.search.session.Kubectl.Prefix(h.object.Ref), "auth", "can-i", "patch")
	if h.search.criteria.ofKind && h.object.Resource.Namespaced {
		ask = append(h.search.session.Kubectl.Prefix(finding.Ref{}), "auth", "can-i", "patch", "--all-namespaces")
	}
	user := "system:serviceaccount:" + c.account.Namespace + ":" + c.account.Name
	ask = append(ask, h.object.Resource.QualifiedName(), "--as", user)
	return finding.Remedy{
		Step: "SeeRights", Details: finding.StepDetails{Name: "patch " + h.object.Resource.QualifiedName()}, Command: ask,
		Risk: finding.NoRisk,
	}
}

// allow is how to give a ServiceAccount the right that it lacks. partial says that this alone won't do.
func (h *held) allow(c *candidate, partial bool) []finding.Remedy {
	if lost := h.search.roleFor(c); lost != "" {
		return []finding.Remedy{h.bindAgain(c, lost, partial)}
	}
	role := ""
	if c.access != nil {
		role = cmp.Or(c.access.Role, c.role)
	}
	ofKubernetes := h.search.criteria.kindOfKubernetes()
	if lost, is := h.search.finder.roleless(c, h.object.Ref.Namespace); is && role == "" && !ofKubernetes {
		return []finding.Remedy{h.createAgain(c, lost, partial)}
	}
	of := roleRef(role)
	if role == "" && ofKubernetes { // to let a program change all of these is more than a finalizer asks for
		details := finding.StepDetails{
			Object: c.accountRef(), Name: h.object.Resource.QualifiedName(), Partial: partial,
		}
		return []finding.Remedy{{Step: "AllowUpdates", Details: details, Risk: finding.NoRisk}}
	}
	if role == "" || of.Kind == "Role" && !h.object.Resource.Namespaced && !h.boundElsewhere(c) {
		return h.newRole(c, finding.StepDetails{Partial: partial}) // no role of its own could grant it
	}
	details := finding.StepDetails{
		Object: c.accountRef(), Other: &of, Name: h.object.Resource.QualifiedName(), Partial: partial,
	}
	give := finding.Remedy{
		Step: "AllowUpdates", Risk: finding.NoRisk, Command: h.search.session.Kubectl.CommandFor(of, "edit"),
	}
	if h.boundElsewhere(c) { // the role is right, and not bound here
		details.Text = h.object.Ref.Namespace
		switch {
		case of.Kind == "Role" && (details.Text == "" || h.search.knownDeleted(details.Text)):
			return h.newRole(c, finding.StepDetails{Other: &of, Partial: partial})
		case of.Kind == "Role":
			give.Step = "SeeRoleElsewhere"
			give.Command = h.search.session.Kubectl.CommandFor(of, "get", "-o", "yaml")
		case details.Text == "":
			give.Step, give.Command = "BindRoleForCluster", h.bind(c, of.Name, "clusterrolebinding", "")
		case h.search.knownDeleted(details.Text): // nothing can be created there
			give.Step, give.Command = "BindRoleEverywhere", h.bind(c, of.Name, "clusterrolebinding", "")
		default:
			give.Step, give.Command = "BindRole", h.bind(c, of.Name, "rolebinding", details.Text)
		}
	}
	give.Details = details
	return []finding.Remedy{give}
}

// newRole is how to give a ServiceAccount rights that no role of its own could grant it here: by a ClusterRole and its
// binding, which hold everywhere, and for what is in no namespace. details say which Role of another namespace has
// them, if one does.
func (h *held) newRole(c *candidate, details finding.StepDetails) []finding.Remedy {
	name := c.account.Name + "-" + h.object.Resource.Resource
	details.Object, details.Name = c.accountRef(), h.object.Resource.QualifiedName()
	details.ClusterScoped = !h.object.Resource.Namespaced
	if !h.search.criteria.ofKind && !h.search.knownDeleted(h.object.Ref.Namespace) { // else nothing can be created there
		details.Text = h.object.Ref.Namespace
	}
	create := append(h.search.session.Kubectl.Prefix(finding.Ref{}), "create", "clusterrole", name,
		"--verb=get,list,watch,update,patch", "--resource="+details.Name)
	bound := details
	bound.Other = &finding.Ref{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "ClusterRole", Name: name}
	bind := h.search.session.Kubectl.Prefix(finding.Ref{}, "create", "clusterrolebinding", name, "--clusterrole="+name,
		"--serviceaccount="+c.account.Namespace+":"+c.account.Name)
	return []finding.Remedy{
		{Step: "CreateRole", Details: details, Command: create, Risk: finding.NoRisk},
		{Step: "BindNewRole", Details: bound, Command: bind, Risk: finding.NoRisk},
	}
}

// createAgain is how to give a ServiceAccount the rights of a role that is still bound to it, and doesn't exist.
func (h *held) createAgain(c *candidate, lost rbac.Roleless, partial bool) finding.Remedy {
	of := roleRef(lost.Role)
	details := finding.StepDetails{
		Object: c.accountRef(), Other: &of, Name: h.object.Resource.QualifiedName(), Text: lost.Binding, Partial: partial,
	}
	create := append(h.search.session.Kubectl.Prefix(
		finding.Ref{Namespace: of.Namespace},
	), "create", strings.ToLower(of.Kind),
		of.Name, "--verb=get,list,watch,update,patch", "--resource="+details.Name)
	return finding.Remedy{Step: "CreateRoleAgain", Details: details, Command: create, Risk: finding.NoRisk}
}

// bind is the command that binds a ClusterRole to a candidate's account, in a namespace if it is not empty.
func (h *held) bind(c *candidate, role, kind, namespace string) finding.Command {
	return h.search.session.Kubectl.Prefix(finding.Ref{Namespace: namespace}, "create", kind, c.account.Name+"-"+role,
		"--clusterrole="+role, "--serviceaccount="+c.account.Namespace+":"+c.account.Name)
}

// boundElsewhere reports whether a candidate has its rights in other namespaces than the held object's, which may have
// none.
func (h *held) boundElsewhere(c *candidate) bool {
	return !h.search.criteria.ofKind && c.access != nil && !c.access.Write && len(c.access.Elsewhere) > 0
}
