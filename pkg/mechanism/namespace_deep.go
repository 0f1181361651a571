package mechanism

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// emptying is the duty to delete what is in the namespace.
func (c *content) emptying(since time.Duration) refusal.Duty {
	return refusal.Duty{Object: c.namespace, Since: since, What: "empty " + c.namespace.Ref.String(), Remaining: c.untouched, Done: session.Deleted, Writes: c.reports()}
}

// reports are the writes by which the namespace controller tells how far it is, and lets go of the
// namespace at last.
func (c *content) reports() []refusal.Write {
	by := refusal.SystemAccount("namespace-controller")
	return []refusal.Write{
		{Operation: admissionregistrationv1.Update, Object: c.namespace, Subresource: "status", By: by},
		{Operation: admissionregistrationv1.Update, Object: c.namespace, Subresource: "finalize", By: by},
	}
}

// unexplained answers where the conditions name nothing and no pods are left: conditions are written
// only when they change (trap T4), so they may be fossils. Only a list of everything tells.
func (c *content) unexplained(ctx context.Context, since time.Duration) {
	next := refusal.Duty{Object: c.namespace, Since: since, What: "go on with " + c.namespace.Ref.String() + " (it holds nothing any more)", Writes: c.reports()}
	switch {
	case len(c.gone) > 0:
		next.What = fmt.Sprintf("go on with %s (its conditions name %s, which the server doesn't serve any more, and nothing else is left in it)", c.namespace.Ref, session.Some(c.gone, 3))
	case !c.world.Session.Deep:
		next.What = "go on with " + c.namespace.Ref.String() + " (it holds no pods any more, and its conditions name nothing else; --deep looks at everything in it)"
		next.Remedies = []finding.Remedy{c.world.lookDeeper(c.namespace)}
	}
	c.answer.Add(c.world.Refusals.Overdue(ctx, next))
}

// lookDeeper is the advice to read what is not read unasked.
func (t *Tools) lookDeeper(namespace *session.Object) finding.Remedy {
	return finding.Remedy{
		Action:  fmt.Sprintf("See what else is in %s: with --deep, objects of every kind there are listed.", namespace.Ref.Name),
		Command: t.Session.Kubectl.Why(namespace, "--deep"),
		Risk:    finding.NoRisk,
	}
}

// addEverything lists all kinds in the namespace. While pods are left nobody has deleted the rest
// yet: then only what is Terminating for reasons of its own is waited for.
func (c *content) addEverything(ctx context.Context) {
	catalog, err := c.world.Session.Reader.Catalog(ctx)
	if err != nil {
		c.answer.Add(unreadAnswer(err))
		return
	}
	var resources []cluster.Resource
	for _, resource := range catalog.Owned() {
		if resource.Namespaced && resource.GroupResource() != cluster.Pods().GroupResource() {
			resources = append(resources, resource)
		}
	}
	found := map[string]*session.Object{}
	unlisted := cluster.Scan(ctx, c.world.Session.Reader, resources, c.namespace.Ref.Name, func(resource cluster.Resource, meta *metav1.PartialObjectMetadata) {
		found[string(meta.UID)] = session.FromMetadata(resource, meta)
	})
	for _, wait := range c.answer.Waits {
		delete(found, wait.Blocker.Ref.UID) // known already
	}
	var later []*session.Object
	for _, object := range slices.SortedFunc(maps.Values(found), func(a, b *session.Object) int { return finding.Compare(a.Ref, b.Ref) }) {
		if c.podsFirst && !object.Terminating() {
			later = append(later, object)
		} else {
			c.addObject(ctx, object)
		}
	}
	c.addLater(later)
	unlisted = slices.DeleteFunc(unlisted, func(one cluster.Unlisted) bool {
		answer, damaged := c.world.storageAnswer(ctx, c.namespace, one.Err.Error(), true)
		c.answer.Add(answer)
		return damaged
	})
	if len(unlisted) > 0 {
		what := fmt.Sprintf("%s in %s", session.Some(session.NamesOf(unlisted), 3), c.namespace.Ref.Name)
		c.answer.Add(session.Unread(what, unlisted[0].Err))
	}
}

// addLater remarks on what is deleted after the pods, above all on what will then be held.
func (c *content) addLater(later []*session.Object) {
	if len(later) == 0 {
		return
	}
	held := map[string]int{}
	for _, object := range later {
		for _, hold := range object.Holds() {
			held[hold.Name]++
		}
	}
	message := fmt.Sprintf("The pods of a namespace are deleted before anything else. What else is in %s comes later (%d found); none of it has a finalizer.", c.namespace.Ref.Name, len(later))
	if len(held) > 0 {
		var names []string
		for _, finalizer := range slices.Sorted(maps.Keys(held)) {
			names = append(names, fmt.Sprintf("%s (%d)", finalizer, held[finalizer]))
		}
		message = fmt.Sprintf("The pods of a namespace are deleted before anything else. What else is in %s comes later (%d found), and finalizers may hold it in turn: %s.", c.namespace.Ref.Name, len(later), session.Some(names, 6))
	}
	c.answer.Remarks = append(c.answer.Remarks, finding.Finding{Message: message, Awaited: "the rest of its content", Holds: len(held) > 0})
}
