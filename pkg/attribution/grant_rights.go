package attribution

import (
	"cmp"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

func (h *held) seeRights(c *candidate) finding.Remedy {
	ask := append(h.session.Kubectl.Prefix(h.object.Ref), "auth", "can-i", "patch")
	if h.ofKind && h.object.Resource.Namespaced {
		ask = append(h.session.Kubectl.Prefix(finding.Ref{}), "auth", "can-i", "patch", "--all-namespaces")
	}
	user := "system:serviceaccount:" + c.account.Namespace + ":" + c.account.Name
	ask = append(ask, h.object.Resource.QualifiedName(), "--as", user)
	return finding.Remedy{Step: "SeeRights", Command: ask, Risk: finding.NoRisk}
}

// allow is how to give a ServiceAccount the right that it lacks. partial says that this alone won't do.
func (h *held) allow(c *candidate, partial bool) finding.Remedy {
	if lost := h.roleFor(c); lost != "" {
		return h.bindAgain(c, lost, partial)
	}
	details := finding.StepDetails{Object: c.accountRef(), Name: h.object.Resource.QualifiedName(), Partial: partial}
	give := finding.Remedy{Step: "AllowUpdates", Risk: finding.NoRisk}
	role := ""
	if c.access != nil {
		role = cmp.Or(c.access.Role, c.role)
	}
	if kind, path, found := strings.Cut(role, " "); found {
		of := finding.Ref{APIVersion: "rbac.authorization.k8s.io/v1", Kind: kind, Name: path}
		if namespace, name, namespaced := strings.Cut(path, "/"); namespaced {
			of.Namespace, of.Name = namespace, name
		}
		details.Other, give.Command = &of, h.session.Kubectl.CommandFor(of, "edit")
		switch elsewhere := h.boundElsewhere(c); { // then the role is right, and not bound here
		case elsewhere && of.Kind == "Role":
			details.Text, give.Step = h.object.Ref.Namespace, "SeeRoleElsewhere"
			give.Command = h.session.Kubectl.CommandFor(of, "get", "-o", "yaml")
		case elsewhere:
			details.Text, give.Step = h.object.Ref.Namespace, "BindRole"
			give.Command = h.bind(c, of.Name, "rolebinding", h.object.Ref.Namespace)
			if h.knownDeleted(h.object.Ref.Namespace) { // nothing can be created there
				give.Step, give.Command = "BindRoleEverywhere", h.bind(c, of.Name, "clusterrolebinding", "")
			}
		}
	}
	give.Details = details
	return give
}

// bind is the command that binds a ClusterRole to a candidate's account, in a namespace if it is not empty.
func (h *held) bind(c *candidate, role, kind, namespace string) finding.Command {
	return h.session.Kubectl.Prefix(finding.Ref{Namespace: namespace}, "create", kind, c.account.Name+"-"+role,
		"--clusterrole="+role, "--serviceaccount="+c.account.Namespace+":"+c.account.Name)
}

// boundElsewhere reports whether a candidate has its rights in other namespaces than the held object's.
func (h *held) boundElsewhere(c *candidate) bool {
	return h.object.Ref.Namespace != "" && c.access != nil && !c.access.Write && len(c.access.Elsewhere) > 0
}
