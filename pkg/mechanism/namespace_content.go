package mechanism

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// namespaceContent explains the entry `kubernetes` of a Namespace's spec.finalizers: the namespace is removed when its
// content is gone (docs/deletion.md#the-order-of-a-namespace-deletion). Pods are always listed, because the conditions
// say that all is well while only pods remain (docs/deletion.md#why-the-conditions-mislead); other kinds only when the
// conditions name them, or when a wide look is asked for (namespace_deep.go).
func namespaceContent(ctx context.Context, t *Tools, held Held) (Answer, bool) {
	if held.Whole == nil {
		return Answer{}, false
	}
	namespace, err := session.As[corev1.Namespace](held.Whole)
	if err != nil {
		return session.Unread(finding.UnreadObject(held.Ref), err), true
	}
	content := &content{tools: t, namespace: held.Object, seen: map[string]bool{}}
	content.addPods(ctx)
	for _, condition := range namespace.Status.Conditions {
		if condition.Status == corev1.ConditionTrue {
			content.addCondition(ctx, condition)
		}
	}
	content.addUndiscovered(ctx)
	content.addInHand(ctx)
	content.conclude(ctx, len(namespace.Status.Conditions) > 0)
	return content.answer, true
}

type content struct {
	tools        *Tools
	namespace    *Object
	answer       Answer
	podsFirst    bool                           // pods are left, before which nothing else is deleted
	seen         map[string]bool                // what was added, by uid
	untouched    []*Object                      // left, and not even marked for deletion
	guarded      []*Object                      // left, because their deletion is refused
	failed       bool                           // the controller reports failures
	said         []Evidence                     // what the conditions say of the content
	undiscovered []Evidence                     // what the conditions say of discovery
	reported     map[schema.GroupVersion]string // what they say of each version of a group
	gone         []string                       // kinds that the conditions name and that are not served any more
	unread       []string                       // resources that could not be listed, and the first error
	unreadErr    error
	// remaining is what the conditions count of them; finalizers are the ones that they name, on whatever is left.
	remaining  []finding.KindCounted
	finalizers []finding.FinalizerOnMany
}

func (c *content) addPods(ctx context.Context) {
	if c.podsFirst = len(c.list(ctx, cluster.Pods())) > 0; !c.podsFirst {
		return
	}
	// The spec of a pod says whether it waits for its node: one list instead of a read for each.
	name, every := c.namespace.Ref.Name, cluster.Selector{}
	pods, err := session.ListWhole[corev1.Pod](ctx, c.tools.Session, cluster.Pods(), name, every)
	if err != nil {
		c.missed(ctx, cluster.Pods(), err)
	}
	for _, pod := range pods {
		c.addObject(ctx, pod.Object)
	}
}

func (c *content) list(ctx context.Context, resource cluster.Resource) []*Object {
	objects, err := c.tools.Session.List(ctx, resource, c.namespace.Ref.Name)
	if err != nil {
		c.missed(ctx, resource, err)
		return objects
	}
	answer, _ := storageAnswer(ctx, c.tools.Session, c.tools.Health, c.namespace, c.tools.Session.DamageOf(resource), true)
	c.answer.Add(answer)
	return objects
}

// missed notes a kind that could not be listed, or what in storage keeps us and the namespace controller from it.
func (c *content) missed(ctx context.Context, resource cluster.Resource, err error) {
	at := session.Named(resource, c.namespace.Ref.Name, "")
	if answer, damaged := damagedRead(ctx, c.tools.Session, c.tools.Health, c.namespace, at, err); damaged {
		c.answer.Add(answer)
		return
	}
	c.unread = append(c.unread, resource.QualifiedName())
	if c.unreadErr == nil {
		c.unreadErr = err
	}
}

// addObject adds one object that is left, once.
func (c *content) addObject(ctx context.Context, object *Object) {
	if c.seen[object.Ref.UID] {
		return
	}
	c.seen[object.Ref.UID] = true
	wait := session.Until(object, func() Answer {
		refused := c.tools.Refusals.Refused(ctx,
			refusal.Deletion(object, refusal.SystemAccount("namespace-controller")))
		if refused.Found() {
			c.guarded = append(c.guarded, object)
			return refused.Answer
		}
		c.untouched = append(c.untouched, object)
		return Answer{}
	})
	wait.Relation = finding.Contains
	c.answer.Waits = append(c.answer.Waits, wait)
}

// conclude answers for what the content alone doesn't explain.
func (c *content) conclude(ctx context.Context, began bool) {
	if len(c.unread) > 0 {
		c.answer.Add(c.notRead())
	}
	if c.tools.Session.Deep && len(c.unread) == 0 {
		c.addEverything(ctx)
	}
	since := c.tools.Session.Since(c.namespace)
	if (!began && since >= silence || !c.explained() && since >= session.Patience) && c.addUnlistable(ctx, 1) {
		if !began { // its own report may be refused, too
			c.answer.Add(c.tools.Refusals.Refused(ctx, c.reports()...).Answer)
			c.remarkUnseen(Finding{Situation: "ContentNotReported"})
		}
		return
	}
	c.addAfterRefusal()
	unexplained := c.addCollateral()
	if !began && since >= session.Patience {
		c.untouched = c.everything(ctx) // a first round may take long, and says nothing before its end
	}
	switch {
	case !began || len(unexplained) > 0 && !c.failed:
		c.answer.Add(c.tools.Refusals.Overdue(ctx, c.emptying(since)))
	case !c.explained():
		c.unexplained(ctx, since)
	// After a failure the controller continues with the rest.
	case c.podsFirst && len(c.said) == 0 && !c.failed:
		c.remarkUnseen(Finding{Situation: "ContentAfterPodsUnseen"})
	}
}

// remarkUnseen remarks that more may be left than was looked at, unless everything was.
func (c *content) remarkUnseen(note Finding) {
	if !c.tools.Session.Deep {
		note.Details, note.Holds = finding.ContentDetails{Namespace: c.namespace.Ref}, true
		note.Remedies = []Remedy{lookDeeper(c.tools.Session, c.namespace)}
		c.answer.Remarks = append(c.answer.Remarks, note)
	}
}

func (c *content) explained() bool {
	return len(c.answer.Waits)+len(c.answer.Open)+len(c.answer.Causes)+len(c.answer.Progress) > 0
}
