package mechanism

import (
	"regexp"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// notRead answers for kinds that could not be listed. Whoever may read the namespace may read its conditions: they
// count what is left by kind and by finalizer.
func (c *content) notRead() Answer {
	unread := finding.Unread{Kinds: c.unread, Namespace: c.namespace.Ref.Name}
	if len(c.remaining) == 0 {
		return session.Unread(unread, c.unreadErr, c.said...)
	}
	left := Finding{
		Situation: "ContentNotRead", Object: c.namespace.Ref, Evidence: c.said,
		Details: finding.ContentUnreadDetails{
			Unread: unread.Because(c.unreadErr), Remaining: c.remaining, Finalizers: c.finalizers,
		},
	}
	if len(c.finalizers) == 0 || !cluster.NotRecorded(c.unreadErr) {
		return session.Open(left)
	}
	left.Remedies = c.waysOut()
	left.Reason, left.Certainty, left.Finalizer = finding.ControllerUnknown, finding.Likely, c.finalizers[0].Name
	left.Key = finding.KeyOf("ContentNotRead", c.namespace.Ref)
	return session.Cause(left)
}

// waysOut are what can be done about the finalizers that are left, by the catalogue: to look at what has them comes
// first.
func (c *content) waysOut() (steps []Remedy) {
	kubectl := c.tools.Session.Kubectl
	for _, left := range c.remaining {
		inside := finding.Ref{Namespace: c.namespace.Ref.Name}
		command := append(kubectl.Prefix(inside, "get", left.Resource), "-o", "yaml")
		steps = append(steps, Remedy{Step: "SeeContent", Details: left, Command: command})
	}
	for _, finalizer := range c.finalizers {
		for _, known := range c.tools.Plugins.Named(finalizer.Name) {
			steps = append(steps, Remedy{
				Step:    "ReadAllThatIsKnown",
				Details: finding.StepDetails{Start: known.Start, Text: known.WayOut(true, false, true)},
				Command: kubectl.Explain(finalizer.Name, ""),
			})
			break
		}
	}
	return steps
}

// remaining is how many objects of a kind are left.
type remaining struct {
	Name  schema.GroupResource
	Count int
}

// remainingResources reads the message of NamespaceContentRemaining: "Some resources are remaining: R.G has N resource
// instances, …". The core group is empty and leaves a trailing dot (docs/deletion.md#why-the-conditions-mislead).
func remainingResources(message string) []remaining {
	instances := regexp.MustCompile(`([a-z0-9-]+)\.([a-z0-9.-]*) has (\d+) resource instances`)
	return finding.Each(instances.FindAllStringSubmatch(message, -1), func(match []string) remaining {
		count, _ := strconv.Atoi(match[3])
		return remaining{Name: schema.GroupResource{Group: match[2], Resource: match[1]}, Count: count}
	})
}

// finalizersRemaining reads the message of NamespaceFinalizersRemaining: "Some content in the namespace has finalizers
// remaining: F in N resource instances, …" (k8s v1.37
// pkg/controller/namespace/deletion/status_condition_utils.go:ProcessContentTotals).
func finalizersRemaining(catalogue *plugins.Set, message string) []finding.FinalizerOnMany {
	instances := regexp.MustCompile(`([^\s,]+) in (\d+) resource instances`)
	return finding.Each(instances.FindAllStringSubmatch(message, -1), func(match []string) finding.FinalizerOnMany {
		count, _ := strconv.Atoi(match[2])
		return finding.FinalizerOnMany{
			Counted: finding.Counted{Name: match[1], Count: count}, RemovedBy: removerOnAll(catalogue, match[1]),
		}
	})
}

// removerOnAll is who removes a finalizer, whatever object has it; empty if the catalogue doesn't say.
func removerOnAll(catalogue *plugins.Set, finalizer string) string {
	var by []string
	for _, known := range catalogue.Named(finalizer) {
		by = append(by, known.RemovedBy)
	}
	if by = slices.Compact(by); len(by) != 1 {
		return ""
	}
	return by[0]
}
