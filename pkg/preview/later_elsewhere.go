package preview

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Bounds of the look at what stays: how many kinds are listed, and for how many finalizers, each on one kind, it is
// found out who removes them.
const (
	mostKinds = 16
	mostSorts = 32
)

// addLater adds objects elsewhere whose finalizers nothing removes any more after the deletion of the target, because
// their controller is deleted with it. Only kinds that accounts where workloads go have rules for are looked at.
func (p *previewer) addLater(ctx context.Context) {
	namespaces := p.workplaces()
	if len(namespaces) == 0 {
		return
	}
	written, err := p.tools.Attribution.WrittenFrom(ctx, namespaces, p.tools.Session.Catalog(ctx).Listable(false))
	if err != nil {
		return // the session remembers it
	}
	then := p.toolsThen()
	for _, sort := range p.heldElsewhere(ctx, written[:min(len(written), mostKinds)]) {
		reason, loses := p.losesController(ctx, then, sort)
		if !loses {
			continue
		}
		later := report.Later{
			Finalizer: sort.Finalizer, Resource: sort.Resource.QualifiedName(), Reason: reason,
			Objects: sort.refs(false), Waiting: sort.refs(true),
		}
		later.Message = p.voice.Message(finding.Finding{
			Situation: "HangsLater", Object: p.target.Ref, Finalizer: sort.Finalizer,
			Details: finding.LaterDetails{Objects: later.Objects, Waiting: later.Waiting},
		})
		p.result.Later = append(p.result.Later, later)
	}
}

// losesController reports whether what removes a finalizer is known, runs now, and goes with the target, and why
// nothing does it then. If no controller is known to do it now, check reports that.
func (p *previewer) losesController(
	ctx context.Context, then *mechanism.Tools, sort *held,
) (reason finding.Reason, loses bool) {
	known, found := p.tools.Plugins.Find(sort.Finalizer, sort.Resource.GroupKind().String())
	of := &known
	if !found {
		of = nil
	}
	now := p.tools.Presence(ctx, sort.Resource, sort.Finalizer, of)
	if now.State != attribution.Running || now.Controller == nil {
		return "", false
	}
	if _, goes := p.cascade.states[now.Controller.UID]; !goes {
		return "", false
	}
	reason = then.Presence(ctx, sort.Resource, sort.Finalizer, of).Reason
	return reason, reason != ""
}

// workplaces are the namespaces in which workloads go.
func (p *previewer) workplaces() (namespaces []string) {
	for _, object := range p.cascade.deleted {
		works := object.Is("", "Pod") || object.Resource.Group == "apps"
		if works && !slices.Contains(namespaces, object.Ref.Namespace) {
			namespaces = append(namespaces, object.Ref.Namespace)
		}
	}
	return namespaces
}

// held are objects of one kind with one finalizer.
type held struct {
	Finalizer string
	Resource  cluster.Resource
	Objects   []*session.Object
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
func (p *previewer) heldElsewhere(ctx context.Context, resources []cluster.Resource) (sorts []*held) {
	selector := cluster.Selector{Keep: cluster.KeepHeld}
	for _, resource := range resources {
		known := map[string]*held{}
		_ = p.tools.Session.Reader.EachMetadata(ctx, resource, "", selector, func(meta *metav1.PartialObjectMetadata) {
			if _, goes := p.cascade.states[keyOf(meta)]; goes {
				return
			}
			for _, name := range meta.Finalizers {
				if known[name] == nil && len(sorts) < mostSorts {
					known[name] = &held{Finalizer: name, Resource: resource}
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

// addOrder puts before what fixes a cause the step that prevents it, where the controller runs now, and goes with the
// target: then its objects are deleted first.
func (p *previewer) addOrder(ctx context.Context) {
	for i, cause := range p.result.RootCauses {
		object := p.cascade.byUID[cause.Object.UID]
		if object == nil || object == p.target || cause.Finalizer == "" ||
			!slices.Contains([]finding.Reason{finding.ControllerMissing, finding.ControllerDown}, cause.Reason) {
			continue
		}
		known, found := p.tools.Plugins.Find(cause.Finalizer, object.Resource.GroupKind().String())
		of := &known
		if !found {
			of = nil
		}
		if p.tools.Presence(ctx, object.Resource, cause.Finalizer, of).State != attribution.Running {
			continue
		}
		first := finding.Remedy{
			Step: "DeleteItFirst", Details: finding.StepDetails{Object: &object.Ref, Name: p.target.Ref.String()},
			Command: p.tools.Session.Kubectl.Command(object, "delete"), Risk: finding.Disruption,
		}
		p.result.RootCauses[i].Remedies = append(p.voice.Remedies([]finding.Remedy{first}), cause.Remedies...)
	}
}
