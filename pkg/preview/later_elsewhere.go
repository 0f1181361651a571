package preview

import (
	"context"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Bounds of the look at what stays: how many kinds are listed, and for how many finalizers, each on one kind, it is
// found out who removes them.
const (
	mostKinds = 16
	mostSorts = 32
)

// addLater adds objects elsewhere whose finalizers nothing removes any more after the deletion of the target, because
// it takes their controller along, the account as which that runs, or its rights. Only kinds are looked at that such
// accounts have rules for.
func (p *previewer) addLater(ctx context.Context) {
	l := later{now: p.tools, then: p.future.toolsThen(), target: p.target, cascade: p.cascade, voice: p.voice}
	losses, err := l.lossesOfRights(ctx)
	if err != nil {
		return // the session remembers it
	}
	for _, sort := range l.heldElsewhere(ctx, losses) {
		if loss, loses := l.losesController(ctx, sort); loses {
			p.result.Later = append(p.result.Later, loss)
		}
	}
}

// later looks for what stays, and loses its controller: by tools that see the cluster as it is, and as it will be then.
type later struct {
	now, then *mechanism.Tools
	target    *session.Object
	cascade   *cascade
	voice     finding.Voice
}

// lostRights is who may change the objects of a resource now, and who may do so then.
type lostRights struct {
	resource  cluster.Resource
	now, then []attribution.Writer
}

// lossesOfRights returns the resources that accounts may change which lose something: their workloads go, or they
// themselves, or their rights.
func (l *later) lossesOfRights(ctx context.Context) (losses []lostRights, err error) {
	workplaces, others := l.workplaces(), l.takesRights()
	if len(workplaces) == 0 && !others {
		return nil, nil
	}
	for _, resource := range l.now.Session.ServedKinds(ctx).Listable(false) {
		rights := lostRights{resource: resource}
		if rights.now, err = l.now.Attribution.Writers(ctx, resource); err != nil {
			return nil, err
		}
		if rights.then, err = l.then.Attribution.Writers(ctx, resource); err != nil {
			return nil, err
		}
		concerned := func(writer attribution.Writer) bool {
			return slices.Contains(workplaces, writer.Account.Namespace) ||
				others && (l.deletes(writer.Account) || !rights.of(writer.Account).Covers(writer))
		}
		if slices.ContainsFunc(rights.now, concerned) && len(losses) < mostKinds {
			losses = append(losses, rights)
		}
	}
	return losses, nil
}

// of is what an account may do then.
func (l lostRights) of(account finding.Ref) attribution.Writer {
	for _, writer := range l.then {
		if writer.Account == account {
			return writer
		}
	}
	return attribution.Writer{}
}

// losesController reports whether what removes a finalizer is known, can be brought to do it now, and can't then. If no
// controller is known to do it now, check reports that.
func (l *later) losesController(
	ctx context.Context, sort *held,
) (loss result.Later, loses bool) {
	known, found := l.now.Plugins.Find(sort.Finalizer, sort.Resource.GroupKind().String())
	finalizer := &known
	if !found {
		finalizer = nil
	}
	now := mechanism.Presence(ctx, l.now, sort.Resource, sort.Finalizer, finalizer)
	able := []attribution.PresenceState{attribution.Running, attribution.Starting, attribution.Down}
	if now.Controller == nil || !slices.Contains(able, now.State) {
		return loss, false
	}
	loss = result.Later{
		Finalizer: sort.Finalizer, Resource: sort.Resource.QualifiedName(), State: string(now.State),
		Controller: *now.Controller, Reason: finding.ControllerForbidden,
	}
	details := finding.LaterDetails{Controller: loss.Controller, Down: now.State == attribution.Down}
	after := mechanism.Presence(ctx, l.then, sort.Resource, sort.Finalizer, finalizer)
	switch {
	case l.deletes(*now.Controller):
		loss.Loses, loss.Reason = result.LosesWorkload, after.Reason
	case after.State == attribution.Running && after.Controller != nil && *after.Controller != *now.Controller:
		return loss, false // another one takes over
	case now.Account != nil && l.deletes(*now.Account):
		loss.Loses, details.Account = result.LosesAccount, now.Account
	case now.Account != nil:
		loss.Loses, details.Rights = result.LosesRights, loss.Resource
		sort = sort.lostBy(*now.Account)
	}
	loss.Objects, loss.Waiting = sort.refs(false), sort.refs(true)
	details.Objects, details.Waiting = loss.Objects, loss.Waiting
	loss.Message = l.voice.Message(finding.Finding{
		Situation: "HangsLater", Object: l.target.Ref, Finalizer: sort.Finalizer, Details: details,
	})
	return loss, loss.Loses != "" && loss.Reason != "" && len(sort.Objects) > 0
}

// deletes reports whether an object goes with the target. RBAC names accounts without their uid.
func (l *later) deletes(ref finding.Ref) bool {
	return slices.ContainsFunc(l.cascade.deleted, func(object *session.Object) bool { return object.Ref.SameAs(ref) })
}

// workplaces are the namespaces in which workloads go.
func (l *later) workplaces() (namespaces []string) {
	for _, object := range l.cascade.deleted {
		works := object.Is("", "Pod") || object.Resource.Group == "apps"
		if works && !slices.Contains(namespaces, object.Ref.Namespace) {
			namespaces = append(namespaces, object.Ref.Namespace)
		}
	}
	return namespaces
}

// takesRights reports whether accounts or rights go without the namespace that they are in: in a namespace, they are
// for what goes as well.
func (l *later) takesRights() bool {
	return !l.target.Is("", "Namespace") && slices.ContainsFunc(l.cascade.deleted, func(object *session.Object) bool {
		return object.Is("", "ServiceAccount") || object.Resource.Group == rbacv1.GroupName
	})
}

// held are objects of one kind with one finalizer.
type held struct {
	Finalizer string
	Resource  cluster.Resource
	Objects   []*session.Object
	rights    lostRights
}

// lostBy are the objects that an account may change now, and not then.
func (h *held) lostBy(account finding.Ref) *held {
	lost := *h
	lost.Objects = slices.DeleteFunc(slices.Clone(h.Objects), func(object *session.Object) bool {
		may := func(writer attribution.Writer) bool {
			return writer.Account == account && writer.May(object.Ref.Namespace)
		}
		return !slices.ContainsFunc(h.rights.now, may) || slices.ContainsFunc(h.rights.then, may)
	})
	return &lost
}

// refs are those of the objects that are being deleted already, or of the others.
func (h *held) refs(terminating bool) []finding.Ref {
	refs := []finding.Ref{}
	for _, object := range h.Objects {
		if object.Terminating() == terminating {
			refs = append(refs, object.Ref)
		}
	}
	return refs
}

// heldElsewhere sorts the objects of some kinds that don't go with the target, by their finalizers: who is being
// deleted already waits for the controller most.
func (l *later) heldElsewhere(ctx context.Context, losses []lostRights) (sorts []*held) {
	selector := cluster.Selector{Keep: cluster.KeepHeld}
	for _, rights := range losses {
		known, resource := map[string]*held{}, rights.resource
		_ = l.now.Session.Reader.EachMetadata(ctx, resource, "", selector, func(meta *metav1.PartialObjectMetadata) {
			if _, goes := l.cascade.states[keyOf(meta)]; goes {
				return
			}
			for _, name := range meta.Finalizers {
				if known[name] == nil && len(sorts) < mostSorts {
					known[name] = &held{Finalizer: name, Resource: resource, rights: rights}
					sorts = append(sorts, known[name])
				}
				if sort := known[name]; sort != nil {
					sort.Objects = append(sort.Objects, session.FromMetadata(resource, meta))
				}
			}
		})
	}
	for _, sort := range sorts {
		slices.SortFunc(sort.Objects, func(a, b *session.Object) int { return finding.Compare(a.Ref, b.Ref) })
	}
	return sorts
}

// addOrder is about causes whose controller runs now, and goes with the target: it says so, instead of how the cluster
// would be then, and has the objects deleted first.
func (p *previewer) addOrder(ctx context.Context) {
	for i, cause := range p.result.RootCauses {
		object := p.cascade.byUID[cause.Object.UID]
		if object == nil || object.Ref.UID == p.target.Ref.UID || cause.Finalizer == "" ||
			!slices.Contains([]finding.Reason{finding.ControllerMissing, finding.ControllerDown}, cause.Reason) {
			continue
		}
		known, found := p.tools.Plugins.Find(cause.Finalizer, object.Resource.GroupKind().String())
		finalizer := &known
		if !found {
			finalizer = nil
		}
		now := mechanism.Presence(ctx, p.tools, object.Resource, cause.Finalizer, finalizer)
		if now.State != attribution.Running || !p.cascade.takes(now) {
			continue
		}
		goes := finding.Finding{
			Situation: "ControllerWouldGo", Object: object.Ref, Finalizer: cause.Finalizer,
			Details: finding.WouldGoDetails{Controller: now.Controller, With: p.target.Ref},
		}
		first := finding.Remedy{
			Step: "DeleteItFirst", Details: finding.StepDetails{Object: &object.Ref, Name: p.target.Ref.String()},
			Command: p.tools.Session.Kubectl.Command(object, "delete"), Risk: finding.Disruption,
		}
		cause.Situation, cause.Details = goes.Situation, goes.Details
		cause.Message, cause.InShort = p.voice.Message(goes), goes.InShort(p.voice)
		cause.Evidence, cause.Remedies = []finding.Evidence{}, p.voice.Remedies([]finding.Remedy{first})
		p.result.RootCauses[i] = cause
	}
}
