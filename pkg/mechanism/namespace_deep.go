package mechanism

import (
	"context"
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
	return refusal.Duty{
		Object: c.namespace, Since: since, Remaining: c.untouched, Done: session.Deleted, Writes: c.reports(),
		Task: finding.Phrase{Situation: "EmptyNamespace", Details: finding.ContentDetails{Namespace: c.namespace.Ref}},
	}
}

// reports are the writes by which the namespace controller reports its progress, and lets go of the namespace at last.
func (c *content) reports() []refusal.Write {
	by := refusal.SystemAccount("namespace-controller")
	return []refusal.Write{
		{Operation: admissionregistrationv1.Update, Object: c.namespace, Subresource: "status", By: by},
		{Operation: admissionregistrationv1.Update, Object: c.namespace, Subresource: "finalize", By: by},
	}
}

// unexplained answers where the conditions name nothing and no pods are left: conditions are written
// only when they change (trap T4), so they may be out of date. Only a list of everything shows what is left.
func (c *content) unexplained(ctx context.Context, since time.Duration) {
	deep := c.tools.Session.Deep
	about := finding.ContentDetails{Namespace: c.namespace.Ref, Unserved: c.gone, Deep: deep}
	next := refusal.Duty{
		Object: c.namespace, Since: since, Writes: c.reports(),
		Task: finding.Phrase{Situation: "GoOnWithNamespace", Details: about},
	}
	if len(c.gone) == 0 && !deep {
		next.Remedies = []finding.Remedy{c.tools.lookDeeper(c.namespace)}
	}
	c.answer.Add(c.tools.Refusals.Overdue(ctx, next))
}

// lookDeeper is the advice to read what is not read unasked.
func (t *Tools) lookDeeper(namespace *Object) finding.Remedy {
	return finding.Remedy{
		Step: "LookDeeper", Details: finding.StepDetails{Object: &namespace.Ref},
		Command: t.Session.Kubectl.Why(namespace, "--deep"),
	}
}

// addEverything lists all kinds in the namespace. While pods are left nobody has deleted the rest
// yet: then only what is Terminating for reasons of its own is waited for.
func (c *content) addEverything(ctx context.Context) {
	catalog, err := c.tools.Session.Reader.Catalog(ctx)
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
	found := map[string]*Object{}
	keep := func(resource cluster.Resource, meta *metav1.PartialObjectMetadata) {
		found[string(meta.UID)] = session.FromMetadata(resource, meta)
	}
	unlisted := cluster.Scan(ctx, c.tools.Session.Reader, resources, c.namespace.Ref.Name, keep)
	for _, wait := range c.answer.Waits {
		delete(found, wait.Blocker.Ref.UID) // known already
	}
	var later []*Object
	byName := func(a, b *Object) int { return finding.Compare(a.Ref, b.Ref) }
	for _, object := range slices.SortedFunc(maps.Values(found), byName) {
		if c.podsFirst && !object.Terminating() {
			later = append(later, object)
		} else {
			c.addObject(ctx, object)
		}
	}
	c.addLater(later)
	unlisted = slices.DeleteFunc(unlisted, func(one cluster.Unlisted) bool {
		answer, damaged := c.tools.storageAnswer(ctx, c.namespace, one.Err.Error(), true)
		c.answer.Add(answer)
		return damaged
	})
	if len(unlisted) > 0 {
		unread := finding.Unread{Kinds: session.NamesOf(unlisted), Namespace: c.namespace.Ref.Name}
		c.answer.Add(session.Unread(unread, unlisted[0].Err))
	}
}

// addLater remarks on what is deleted after the pods, above all on what will then be held.
func (c *content) addLater(later []*Object) {
	if len(later) == 0 {
		return
	}
	held := map[string]int{}
	for _, object := range later {
		for _, hold := range object.Holds() {
			held[hold.Name]++
		}
	}
	about := finding.ContentDetails{Namespace: c.namespace.Ref, Found: len(later)}
	for _, finalizer := range slices.Sorted(maps.Keys(held)) {
		about.Finalizers = append(about.Finalizers, finding.Counted{Name: finalizer, Count: held[finalizer]})
	}
	c.answer.Remarks = append(c.answer.Remarks, finding.Finding{
		Situation: "ContentAfterPods", Details: about, Holds: len(held) > 0,
	})
}
