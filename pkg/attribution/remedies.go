package attribution

import (
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// bringBack is how to get a missing controller to run again.
func (s *search) bringBack(gone *candidate) []graph.Remedy {
	back := graph.Remedy{Risk: graph.NoRisk}
	switch {
	case s.came.release != "":
		back.Action = fmt.Sprintf("Bring the controller back and let it finish; nothing is lost. The definition belongs to the Helm release %s: see what became of it.", s.came.release)
		back.Command = s.helm(s.came, "history", s.came.release)
	case gone != nil && gone.buried != "" && !gone.burying:
		back.Action = fmt.Sprintf("Install the controller again, in a new namespace %s or in another, and let it finish; nothing is lost. See what still names where it ran.", gone.namespace)
		back.Command = facts.Quote(append(s.Kubectl.Prefix(graph.Ref{}), "get", "clusterrolebindings,rolebindings", "-A", "-o", "wide"))
	case gone != nil && gone.buried != "":
		back.Action = fmt.Sprintf("Install the controller again, in another namespace, and let it finish; nothing is lost. Nothing can start in %s while that is being deleted. See who else may update the kind.", gone.namespace)
		back.Command = facts.Quote(append(s.Kubectl.Prefix(graph.Ref{}), "get", "clusterrolebindings,rolebindings", "-A", "-o", "wide"))
	case gone != nil:
		back.Action = fmt.Sprintf("Bring %s and what ran as it back, and let it finish; nothing is lost. See what is left there.", gone.account)
		back.Command = facts.Quote(append(s.Kubectl.Prefix(graph.Ref{Namespace: gone.namespace}), "get", "deployments,statefulsets,daemonsets,serviceaccounts"))
	case s.known != nil:
		back.Action = fmt.Sprintf("Install %s again and let it finish; nothing is lost. See what is left of it.", s.known.RemovedBy)
		back.Command = facts.Quote(append(s.Kubectl.Prefix(graph.Ref{}), "get", "deployments,statefulsets,daemonsets", "-A"))
	case s.project.Kind == "":
		back.Action = "Install the controller again and let it finish; nothing is lost. See what its API group still serves."
		back.Command = facts.Quote(append(s.Kubectl.Prefix(graph.Ref{}), "api-resources", "--api-group", s.group()))
	default:
		back.Action = "Install the controller again and let it finish; nothing is lost. See what its definition tells of where it came from."
		back.Command = facts.Quote(append(s.Kubectl.Prefix(graph.Ref{}), "get", "customresourcedefinitions.apiextensions.k8s.io/"+s.project.QualifiedName(), "-o", "jsonpath={.metadata.labels}{.metadata.annotations}"))
	}
	return []graph.Remedy{back}
}

// helm is a Helm command that reaches the same cluster as kubectl's.
func (s *search) helm(came installation, words ...string) string {
	command := []string{"helm"}
	flags := map[string]string{"--context": "--kube-context", "--kubeconfig": "--kubeconfig"}
	for i := 0; i+1 < len(s.Kubectl.Flags); i++ {
		if flag := flags[s.Kubectl.Flags[i]]; flag != "" {
			command = append(command, flag, s.Kubectl.Flags[i+1])
		}
	}
	return facts.Quote(append(append(command, "-n", came.namespace), words...))
}

// lastResort is the guarded removal of the one entry, with what it loses for this object.
func (s *search) lastResort() graph.Remedy {
	last := s.AskThenRemove(s.object, s.hold)[1]
	last.Action = "Last resort, once you have done by hand what the controller would have: remove this one entry. " + facts.AsksBefore
	known := plugins.Finalizer{}
	if s.known != nil {
		known = *s.known
	}
	last.Loses = s.Loses(s.object, s.hold, known)
	return last
}

// allow is how to give a ServiceAccount the right that it lacks.
func (s *search) allow(c *candidate, resource string) []graph.Remedy {
	user := "system:serviceaccount:" + c.account.Namespace + ":" + c.account.Name
	ask := append(s.Kubectl.Prefix(s.object.Ref), "auth", "can-i", "patch", resource, "--as", user)
	if s.ofKind && s.object.Resource.Namespaced {
		ask = append(s.Kubectl.Prefix(s.object.Ref), "auth", "can-i", "patch", "--all-namespaces", resource, "--as", user)
	}
	remedies := []graph.Remedy{{
		Action:  "See for yourself that it may not.",
		Command: facts.Quote(ask),
		Risk:    graph.NoRisk,
	}}
	give := graph.Remedy{Action: fmt.Sprintf("Give %s the verbs update and patch on %s again. It then finishes by itself.", c.account, resource), Risk: graph.NoRisk}
	if kind, path, found := strings.Cut(roleOf(c), " "); found {
		role := graph.Ref{APIVersion: "rbac.authorization.k8s.io/v1", Kind: kind, Name: path}
		if namespace, name, namespaced := strings.Cut(path, "/"); namespaced {
			role.Namespace, role.Name = namespace, name
		}
		give.Action += fmt.Sprintf(" Its role is %s; if its operator's installer owns that, install it anew.", role)
		give.Command = s.Kubectl.CommandFor(role, "edit")
	}
	return append(remedies, give)
}

func roleOf(c *candidate) string {
	if c.access == nil {
		return ""
	}
	return c.access.Role
}

// logs is where a candidate says more.
func (s *search) logs(c *candidate) []graph.Remedy {
	if c.workload != nil {
		return []graph.Remedy{{Action: "Read what it says.", Command: s.Kubectl.Command(c.workload, "logs", "--all-containers", "--tail=100"), Risk: graph.NoRisk}}
	}
	return []graph.Remedy{{
		Action:  fmt.Sprintf("Find its pod, which runs as %s, and read its logs.", c.account),
		Command: facts.Quote(append(s.Kubectl.Prefix(graph.Ref{Namespace: c.namespace}), "get", "pods", "--field-selector", "spec.serviceAccountName="+c.account.Name)),
		Risk:    graph.NoRisk,
	}}
}
