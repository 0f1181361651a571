package mechanism

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// listed lists what an expression is true for. What an agent there has still to delete is a wait for the agent.
func (l *lookThere) listed(ctx context.Context, there plugins.There) (answer Answer) {
	reads := l.tools.Session
	kind := schema.ParseGroupResource(there.Resource)
	resource, served, err := session.Served(ctx, reads.Reader, kind.Group, kind.Resource)
	switch {
	case err != nil:
		return session.Unread(finding.Unread{Kinds: []string{there.Resource}}, err)
	case !served:
		return Answer{}
	}
	condition, err := l.tools.Plugins.Condition(there.Where)
	if err != nil {
		return Answer{} // a plugin's expressions were compiled when it was loaded
	}
	self, err := celValue(l.held.Object)
	if err != nil {
		return Answer{}
	}
	objects, err := candidates(ctx, reads, resource, "", condition)
	if err != nil {
		return session.Unread(finding.Unread{Kinds: []string{there.Resource}}, err)
	}
	for _, object := range objects {
		value, err := celValue(object)
		if err != nil {
			continue
		}
		switch holds, err := condition.Holds(map[string]any{"self": self, "object": value}); {
		case err != nil || !holds:
		case object.Terminating():
			answer.Waits = append(answer.Waits, l.wait(object))
		case there.Agent:
			answer.Waits = append(answer.Waits, l.agent(ctx, object)...)
			l.live = append(l.live, object.Ref)
		default:
			l.live = append(l.live, object.Ref)
		}
	}
	return answer
}

// agent asks how the controller fares that has to delete an object, by the finalizers of that.
func (l *lookThere) agent(ctx context.Context, object *Object) (waits []Wait) {
	for _, hold := range object.Holds() {
		if hold.Type != finding.Finalizer {
			continue
		}
		known, found := l.tools.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
		if !found {
			continue
		}
		presence := Presence(ctx, l.tools, object.Resource, hold.Name, &known)
		if presence.Reason == "" || presence.State == attribution.Running {
			continue
		}
		cause := presence.Finding
		if cause.Object.Name == "" { // it is about the kind
			cause.Object = object.Ref
		}
		waits = append(waits, Wait{Blocker: object, ForAnswer: true, Otherwise: session.Cause(cause)})
	}
	return waits
}

// drained is what keeps the Node of that cluster from being drained.
func (l *lookThere) drained(ctx context.Context) Answer {
	d, unread := drainOf(ctx, l.tools.Session, l.tools.Plugins, l.held)
	if d == nil {
		return unread
	}
	left := undrained(ctx, l.tools, d, Answer{})
	if len(left.Waits) == 0 {
		return left
	}
	if d.node.Terminating() {
		return Answer{}
	}
	return Answer{Waits: []Wait{{Blocker: d.node, ForAnswer: true, Otherwise: left}}}
}
