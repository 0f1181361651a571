package attribution

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// bringBack is how to get a missing controller to run again.
func (h *held) bringBack(gone *candidate) []finding.Remedy {
	back := finding.Remedy{Risk: finding.NoRisk}
	switch {
	case h.came.release != "":
		back.Action = fmt.Sprintf("Bring the controller back and let it finish; nothing is lost. The definition belongs to the Helm release %s: see what became of it.", h.came.release)
		back.Command = h.helm(h.came, "history", h.came.release)
	case gone != nil && gone.buried != "" && !gone.burying:
		back.Action = fmt.Sprintf("Install the controller again, in a new namespace %s or in another, and let it finish; nothing is lost. See what still names where it ran.", gone.namespace)
		back.Command = append(h.finder.Session.Kubectl.Prefix(finding.Ref{}), "get", "clusterrolebindings,rolebindings", "-A", "-o", "wide")
	case gone != nil && gone.buried != "":
		back.Action = fmt.Sprintf("Install the controller again, in another namespace, and let it finish; nothing is lost. Nothing can start in %s while that is being deleted. See who else may update the kind.", gone.namespace)
		back.Command = append(h.finder.Session.Kubectl.Prefix(finding.Ref{}), "get", "clusterrolebindings,rolebindings", "-A", "-o", "wide")
	case gone != nil:
		back.Action = fmt.Sprintf("Bring %s and what ran as it back, and let it finish; nothing is lost. See what is left there.", gone.account)
		back.Command = append(h.finder.Session.Kubectl.Prefix(finding.Ref{Namespace: gone.namespace}), "get", "deployments,statefulsets,daemonsets,serviceaccounts")
	case h.known != nil:
		back.Action = fmt.Sprintf("Install %s again and let it finish; nothing is lost. See what is left of it.", h.known.RemovedBy)
		back.Command = append(h.finder.Session.Kubectl.Prefix(finding.Ref{}), "get", "deployments,statefulsets,daemonsets", "-A")
	case h.project.Kind == "":
		back.Action = "Install the controller again and let it finish; nothing is lost. See what its API group still serves."
		back.Command = append(h.finder.Session.Kubectl.Prefix(finding.Ref{}), "api-resources", "--api-group", h.group())
	default:
		back.Action = "Install the controller again and let it finish; nothing is lost. See what its definition tells of where it came from."
		back.Command = append(h.finder.Session.Kubectl.Prefix(finding.Ref{}), "get", "customresourcedefinitions.apiextensions.k8s.io/"+h.project.QualifiedName(), "-o", "jsonpath={.metadata.labels}{.metadata.annotations}")
	}
	return []finding.Remedy{back}
}

// helm is a Helm command that reaches the same cluster as kubectl's.
func (h *held) helm(came installation, words ...string) finding.Command {
	command := finding.Command{"helm"}
	flags := map[string]string{"--context": "--kube-context", "--kubeconfig": "--kubeconfig"}
	for i := 0; i+1 < len(h.finder.Session.Kubectl.Flags); i++ {
		if flag := flags[h.finder.Session.Kubectl.Flags[i]]; flag != "" {
			command = append(command, flag, h.finder.Session.Kubectl.Flags[i+1])
		}
	}
	return append(append(command, "-n", came.namespace), words...)
}

// lastResort is the guarded removal of the one entry, with what it loses for this object.
func (h *held) lastResort() finding.Remedy {
	last := h.finder.AskThenRemove(h.object, h.hold)[1]
	last.Action = "Last resort, once you have done by hand what the controller would have: remove this one entry. " + session.AsksBefore
	known := plugins.Finalizer{}
	if h.known != nil {
		known = *h.known
	}
	last.Loses = h.finder.Loses(h.object, h.hold, known)
	return last
}

// allow is how to give a ServiceAccount the right that it lacks.
func (h *held) allow(c *candidate, resource string) []finding.Remedy {
	user := "system:serviceaccount:" + c.account.Namespace + ":" + c.account.Name
	ask := append(h.finder.Session.Kubectl.Prefix(h.object.Ref), "auth", "can-i", "patch", resource, "--as", user)
	if h.ofKind && h.object.Resource.Namespaced {
		ask = append(h.finder.Session.Kubectl.Prefix(h.object.Ref), "auth", "can-i", "patch", "--all-namespaces", resource, "--as", user)
	}
	remedies := []finding.Remedy{{
		Action:  "See for yourself that it may not.",
		Command: ask,
		Risk:    finding.NoRisk,
	}}
	give := finding.Remedy{Action: fmt.Sprintf("Give %s the verbs update and patch on %s again. It then finishes by itself.", c.account, resource), Risk: finding.NoRisk}
	if kind, path, found := strings.Cut(roleOf(c), " "); found {
		role := finding.Ref{APIVersion: "rbac.authorization.k8s.io/v1", Kind: kind, Name: path}
		if namespace, name, namespaced := strings.Cut(path, "/"); namespaced {
			role.Namespace, role.Name = namespace, name
		}
		give.Action += fmt.Sprintf(" Its role is %s; if its operator's installer owns that, install it anew.", role)
		give.Command = h.finder.Session.Kubectl.CommandFor(role, "edit")
	}
	return append(remedies, give)
}

func roleOf(c *candidate) string {
	if c.access == nil {
		return ""
	}
	return cmp.Or(c.access.Role, c.role)
}

// logs is where a candidate says more.
func (h *held) logs(c *candidate) []finding.Remedy {
	if c.workload != nil {
		return []finding.Remedy{{Action: "Read what it says.", Command: h.finder.Session.Kubectl.Command(c.workload, "logs", "--all-containers", "--tail=100"), Risk: finding.NoRisk}}
	}
	return []finding.Remedy{{
		Action:  fmt.Sprintf("Find its pod, which runs as %s, and read its logs.", c.account),
		Command: append(h.finder.Session.Kubectl.Prefix(finding.Ref{Namespace: c.namespace}), "get", "pods", "--field-selector", "spec.serviceAccountName="+c.account.Name),
		Risk:    finding.NoRisk,
	}}
}
