package attribution

import (
	"cmp"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// bringBack is how to get a missing controller to run again.
func bringBack(h *held, gone *candidate) []finding.Remedy {
	if known := h.search.criteria.known; known != nil && known.OwnNamespace && h.object.Ref.Namespace != "" {
		return []finding.Remedy{installBeside(h, known)}
	}
	return []finding.Remedy{installOnceMore(h, gone)}
}

// installOnceMore is how a missing controller comes back, wherever it acts.
func installOnceMore(h *held, gone *candidate) finding.Remedy {
	everywhere, of := h.search.session.Kubectl.Prefix(finding.Ref{}), h.search.leads.installed
	back := finding.Remedy{Risk: finding.NoRisk}
	switch {
	case of.release != "" && !(gone != nil && gone.namespaceGone && gone.namespace == of.namespace):
		back.Step, back.Details = "BringBackHelmRelease", finding.StepDetails{Name: of.release, Text: of.chart}
		back.Command = helm(h.search, of, "history", of.release)
	case of.operator != "":
		back.Step = "BringBackOperator"
		back.Details = finding.StepDetails{Name: of.operator}
		back.Command = append(everywhere, "get", "subscriptions.operators.coreos.com", "-A")
	case gone != nil && gone.namespaceGone:
		// Helm's record of a release is gone with its namespace.
		details := finding.StepDetails{Name: gone.namespace, Text: of.release, Names: []string{of.chart}}
		back.Step, back.Details = "InstallInNamespaceAgain", details
		back.Command = append(everywhere, "get", "clusterrolebindings,rolebindings", "-A", "-o", "wide")
	case gone != nil && gone.namespaceTerminating:
		back.Step, back.Details = "InstallInOtherNamespace", finding.StepDetails{Name: gone.namespace}
		back.Command = append(everywhere, "get", "clusterrolebindings,rolebindings", "-A", "-o", "wide")
	case gone != nil:
		back.Step, back.Details = "BringBackAccount", finding.StepDetails{Object: gone.accountRef()}
		inNamespace := h.search.session.Kubectl.Prefix(finding.Ref{Namespace: gone.namespace})
		back.Command = append(inNamespace, "get", "deployments,statefulsets,daemonsets,serviceaccounts")
	case h.search.criteria.known != nil:
		known := h.search.criteria.known
		details := finding.StepDetails{Name: known.RemovedBy, Text: known.MayRunOutside}
		details.Names = known.Links[:min(1, len(known.Links))]
		back.Step, back.Details = "InstallKnownAgain", details
	case h.search.leads.project.Kind == "":
		back.Step, back.Details = "InstallOfGroup", h.whoToFind()
	default:
		details := h.whoToFind()
		back.Step = "InstallOfDefinition"
		perhaps := slices.Clone(h.search.subjects.readBy)
		for _, c := range h.search.subjects.namesakes {
			if len(dutyElsewhere(&h.search, c)) == 0 {
				perhaps = append(perhaps, *c.accountRef())
			}
		}
		if len(perhaps) > 0 {
			back.Step = "InstallOrAllow"
			details = finding.StepDetails{Name: h.search.criteria.resource.QualifiedName(), Closed: details.Closed}
			for _, account := range perhaps {
				if name := account.Namespace + "/" + account.Name; !slices.Contains(details.Names, name) {
					details.Names = append(details.Names, name)
				}
			}
		}
		if details.Text = h.search.leads.installed.app; details.Text == "" && !h.search.leads.unlabelled {
			crd := session.Named(cluster.CustomResourceDefinitions(), "", h.search.leads.project.QualifiedName())
			details.Other = &crd.Ref
			back.Command = h.search.session.Kubectl.Command(
				crd, "get", "-o", "jsonpath={.metadata.labels}{.metadata.annotations}",
			)
		}
		back.Details = details
	}
	return back
}

// whoToFind names the program that set the finalizer, or that wrote to the object last, and says whether the controller
// may run outside the cluster.
func (h *held) whoToFind() finding.StepDetails {
	details := finding.StepDetails{
		Closed: goingNamespace(h.search, h.object),
		Name:   setterProgram(h.setters, h.template), Elsewhere: h.missingCertainty() != finding.Proven,
	}
	if last, found := h.writes().unexplained(); details.Name == "" && found {
		details.Name = last.Manager
	}
	return details
}

// helm is a Helm command that reaches the same cluster as kubectl's.
func helm(search search, installed installation, words ...string) finding.Command {
	command := finding.Command{"helm"}
	flags := map[string]string{"--context": "--kube-context", "--kubeconfig": "--kubeconfig"}
	for i := 0; i+1 < len(search.session.Kubectl.Flags); i++ {
		if flag := flags[search.session.Kubectl.Flags[i]]; flag != "" {
			command = append(command, flag, search.session.Kubectl.Flags[i+1])
		}
	}
	return append(append(command, "-n", installed.namespace), words...)
}

// AskThenRemove is what to do about a finalizer without a known controller, safest first; the last is force. The cause
// says who set it, if that is known: a command that lists the field managers would show no more. It would show nothing
// where there are none, as on an object without a field beside the finalizer. loss is what the removal loses.
func (f *Finder) AskThenRemove(
	object *session.Object, hold finding.Hold, by *finding.SetBy, loss finding.Loss,
) []finding.Remedy {
	ask := finding.Remedy{Step: "AskWhoSetEntry", Risk: finding.NoRisk}
	known := by != nil && by.Manager != ""
	if known {
		ask.Details = finding.SetBy{Manager: by.Manager, ByHand: by.ByHand, Copied: by.Copied}
	} else {
		ask.Details = finding.SetBy{}
	}
	if !known && (object.Meta == nil || len(object.Meta.ManagedFields) > 0) {
		// Managers alone: all metadata of a Secret may hold its data, in the last-applied annotation.
		ask.Command = f.Session.Kubectl.Command(object, "get", "-o", "jsonpath={.metadata.managedFields[*].manager}")
		ask.Details = finding.SetBy{Listed: true}
	}
	return []finding.Remedy{ask, {
		Step: "RemoveEntryUnidentified", Details: finding.StepDetails{Loss: &loss},
		Command: f.Session.Kubectl.Remove(object, []string{hold.Name}), Risk: finding.DataLoss,
	}}
}

// lastResort is the guarded removal of the one entry, with what it loses for this object.
func (h *held) lastResort() finding.Remedy {
	loss := h.search.finder.Loses(h.object, h.hold, *cmp.Or(h.search.criteria.known, &plugins.Finalizer{}))
	return finding.Remedy{
		Step: "RemoveEntryOfController", Details: finding.StepDetails{Loss: &loss},
		Command: h.search.session.Kubectl.Remove(h.object, []string{h.hold.Name}), Risk: finding.DataLoss,
	}
}

// wayOut is what the catalogue says may be done instead of a removal by force, about a controller whose state is known:
// to start it is another step, or needless. It doesn't say to end waits that were not found, and of a controller that
// doesn't run it doesn't say what only that controller can act on.
func wayOut(search search, note finding.Finding, runs bool) []finding.Remedy {
	if search.criteria.known == nil {
		return nil
	}
	waits, closed := !knownDetails(search, note).LookedForWaits(), knownDeleted(search.session, search.criteria.namespace)
	details := finding.StepDetails{Text: search.criteria.known.WayOut(runs, waits, closed)}
	if details.Text == "" {
		return nil
	}
	return []finding.Remedy{{Step: "TakeKnownWayOut", Details: details, Risk: finding.NoRisk}}
}

// WithoutStart returns steps that don't say to start a controller, because it runs.
func WithoutStart(remedies []finding.Remedy) []finding.Remedy {
	return finding.Each(remedies, func(remedy finding.Remedy) finding.Remedy {
		if details, is := remedy.Details.(finding.StepDetails); is {
			details.Start = ""
			remedy.Details = details
		}
		return remedy
	})
}

func readLogsOf(search search, c *candidate) []finding.Remedy {
	if source := c.workload; source != nil {
		if len(c.pods) > 0 && !cluster.ServedByKubernetes(source.Resource.Group) { // kubectl knows no pods of these
			source = session.Named(cluster.Pods(), c.namespace, c.pods[0].Name)
		}
		command := search.session.Kubectl.Command(source, "logs", "--all-containers", "--tail=100")
		return []finding.Remedy{{Step: "ReadLogs", Command: command, Risk: finding.NoRisk}}
	}
	if c.holder != "" && len(c.pods) == 0 {
		details := finding.StepDetails{Object: c.accountRef(), Name: c.holder}
		return []finding.Remedy{{Step: "FindHolderAndReadLogs", Details: details, Risk: finding.NoRisk}}
	}
	pods := append(search.session.Kubectl.Prefix(finding.Ref{Namespace: c.namespace}), "get", "pods")
	return []finding.Remedy{{
		Step: "FindPodAndReadLogs", Details: finding.StepDetails{Object: c.accountRef()},
		Command: append(pods, "--field-selector", "spec.serviceAccountName="+c.account.Name), Risk: finding.NoRisk,
	}}
}
