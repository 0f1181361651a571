package mechanism

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// drain is a Node whose pods go before a finalizer is removed: one of the Node's own, or of the machine behind it.
type drain struct {
	held  Held
	node  *Object
	typed *corev1.Node
	rules plugins.Drain
	// known is nil where the catalogue doesn't know the finalizer, and only what is seen says that it drains.
	known *plugins.Finalizer
}

// nodeDrain explains finalizers that are removed after a Node is drained. The state of the controller comes first: if
// nothing evicts pods, none of them is to blame. This controller waits for pods that can't be evicted, whatever else it
// reports.
func nodeDrain(ctx context.Context, t *Tools, held Held) (Answer, bool) {
	if drainedElsewhere(ctx, t, held) {
		return Answer{}, false
	}
	d, answer := drainOf(ctx, t.Session, t.Plugins, held)
	if d == nil {
		return answer, !answer.Empty()
	}
	declared, fares := Answer{}, Answer{}
	if d.known != nil {
		declared = declaredWaits(ctx, t, held, *d.known)
	}
	if declared.Empty() {
		fares = byController(ctx, t, held)
	} else {
		fares = withoutWaits(ctx, t, held, *d.known, false)
	}
	refused := t.Refusals.Refused(ctx, refusal.RemovalOf(held.Object, held.Hold))
	if !mayDrain(fares) || refused.Found() || len(refused.Unsure) > 0 { // how the controller fares wasn't asked then
		fares = insteadOfWaits(fares, declared)
		fares.Remarks = append(fares.Remarks, drainLater(ctx, t, d)...)
		return fares, true
	}
	if d.node.Terminating() && !sameKind(d.node.Resource, held.Resource) {
		return Answer{Waits: []Wait{{Blocker: d.node}}, Remarks: fares.Remarks, Removal: session.RemovalUnsure}, true
	}
	left := undrained(ctx, t, d, fares)
	if left.Empty() && declared.Empty() {
		left = undetached(ctx, t, d)
	}
	switch {
	case left.Empty() && declared.Empty():
		return afterDrain(ctx, t, d, fares), true
	case left.Empty():
		return declared, true
	case !held.Is("", "Node") && len(left.Waits) > 0:
		left = Answer{Waits: []Wait{{Blocker: d.node, ForAnswer: true, Otherwise: left}}}
	}
	left.Add(declared)
	left.Causes = append(left.Causes, slices.DeleteFunc(slices.Clone(fares.Causes), aboutDrain)...)
	left.Remarks, left.Removal = append(left.Remarks, fares.Remarks...), session.RemovalUnsure
	return left, true
}

// byController answers for a finalizer by how its controller fares.
func byController(ctx context.Context, t *Tools, held Held) Answer {
	for _, explain := range []explainer{knownFinalizer, misspeltFinalizer} {
		if answer, mine := explain(ctx, t, held); mine {
			return answer
		}
	}
	return unidentifiedFinalizer(ctx, t, held)
}

// drainOf returns what is drained before a finalizer is removed, or nil; then the answer may say what was not read.
func drainOf(ctx context.Context, reads *session.Session, catalogue *plugins.Set, held Held) (*drain, Answer) {
	d := &drain{held: held}
	known, found := catalogue.Find(held.Hold.Name, held.Resource.GroupKind().String())
	switch {
	case found && known.Drains == nil:
		return nil, Answer{}
	case found:
		d.known, d.rules = &known, *known.Drains
	case !held.Is("", "Node") && (cluster.ServedByKubernetes(held.Resource.Group) || !d.speaks()):
		return nil, Answer{}
	}
	if d.rules.Node != "" {
		_, err := reads.Whole(ctx, held.Object)
		if err != nil && !apierrors.IsNotFound(err) {
			return nil, session.Unread(finding.UnreadObject(held.Ref), err)
		}
	}
	if d.rules.Unless != "" {
		unless, err := holdsOf(catalogue, d.rules.Unless, held.Object, held.Object)
		if unless || err != nil {
			return nil, Answer{}
		}
	}
	name := d.nodeName()
	if name == "" {
		return nil, Answer{}
	}
	d.node = session.Named(cluster.Nodes(), "", name)
	typed, err := session.ReadAs[corev1.Node](ctx, reads, d.node)
	switch {
	case apierrors.IsNotFound(err):
		return nil, Answer{} // it has gone already, or is a Node of another cluster
	case err != nil:
		return nil, session.Unread(finding.UnreadObject(d.node.Ref), err)
	}
	d.typed = typed
	if d.node, err = session.FromWhole(cluster.Nodes(), d.node.Whole); err != nil {
		return nil, session.Unread(finding.UnreadObject(d.node.Ref), err)
	}
	if !d.begun() {
		return nil, Answer{}
	}
	return d, Answer{}
}

// speaks reports whether an unknown custom object is held for a drain, by its finalizer or conditions.
func (d *drain) speaks() bool {
	if speaksOfDrain(d.held.Hold.Name) {
		return true
	}
	return slices.ContainsFunc(d.reports(), speaksOfDrain)
}

// nodeName names the Node: the held object, or what stands where the catalogue says that it names one, or usual places.
func (d *drain) nodeName() string {
	paths := []string{d.rules.Node}
	switch {
	case d.held.Is("", "Node"):
		return d.held.Ref.Name
	case d.held.Whole == nil:
		return ""
	case d.known == nil:
		paths = []string{"{.status.nodeRef.name}", "{.status.nodeName}", "{.spec.nodeRef.name}", "{.spec.nodeName}"}
	}
	for _, path := range paths {
		if values := (plugins.Field{Path: path, Says: "node"}).Values(d.held.Whole.Object); len(values) == 1 {
			return values[0]
		}
	}
	return ""
}

// begun reports whether the Node is being drained: it is Terminating, where its controller is known to drain it, or no
// new pods are let on it. One of the same name that another machine runs isn't the one.
func (d *drain) begun() bool {
	if d.known == nil {
		domain := naming.Domain(d.held.Hold.Name)
		tainted := slices.ContainsFunc(d.typed.Spec.Taints, func(taint corev1.Taint) bool {
			return domain != "" && strings.HasPrefix(taint.Key, domain+"/")
		})
		named := d.held.Is("", "Node") && speaksOfDrain(d.held.Hold.Name)
		return d.typed.Spec.Unschedulable || tainted || named
	}
	if d.held.Whole != nil && !d.held.Is("", "Node") {
		machine := plugins.Field{Path: "{.spec.providerID}", Says: "machine"}.Values(d.held.Whole.Object)
		if own := d.typed.Spec.ProviderID; own != "" && len(machine) == 1 && machine[0] != own {
			return false
		}
	}
	return d.node.Terminating() || d.typed.Spec.Unschedulable
}

// speaksOfDrain reports whether a name or a report is about emptying a Node.
func speaksOfDrain(words string) bool {
	words = strings.ToLower(words)
	return slices.ContainsFunc([]string{"drain", "evict", "disruption budget", "pdb"}, func(word string) bool {
		return strings.Contains(words, word)
	})
}

// mayDrain reports whether a controller may be at work on evicting pods, by the answer about how it fares.
func mayDrain(fares Answer) bool {
	gone := func(cause Finding) bool {
		details, unknown := cause.Details.(finding.ControllerUnknownDetails)
		runs := unknown && details.Controller != nil && details.State == nil && len(details.Unread) == 0
		return cause.Reason != finding.ControllerFailing && !runs
	}
	return len(fares.Waits) == 0 && !slices.ContainsFunc(fares.Causes, gone) &&
		!slices.ContainsFunc(fares.Open, notRead)
}

// notRead reports whether something is open only because it could not be read.
func notRead(open Finding) bool {
	known, is := open.Details.(finding.KnownFinalizerDetails)
	_, unread := open.Details.(finding.Unread)
	return unread || is && len(known.Unread) > 0
}

// aboutDrain reports whether a cause is no more than that the controller waits for pods, which others explain.
func aboutDrain(cause Finding) bool {
	details, is := cause.Details.(finding.ControllerDetails)
	return cause.Reason == finding.ControllerUnknown || is && speaksOfDrain(details.Words)
}
