package preview

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// addUnlisted adds kinds that can't be listed because of what is in storage, or of their conversion: a namespace can't
// be emptied of them, and neither can a definition be of its instances. If preview's own list passes, that of the
// controllers may fail all the same.
func (p *previewer) addUnlisted(ctx context.Context, unlisted []cluster.Unlisted) {
	known := func(resource cluster.Resource) bool {
		same := func(one cluster.Unlisted) bool { return one.QualifiedName() == resource.QualifiedName() }
		return slices.ContainsFunc(unlisted, same)
	}
	emptied := p.emptied(ctx)
	unasked := slices.DeleteFunc(slices.Clone(emptied), known)
	unlisted = slices.DeleteFunc(slices.Clone(unlisted), func(one cluster.Unlisted) bool {
		return !slices.ContainsFunc(emptied, func(kind cluster.Resource) bool {
			return kind.QualifiedName() == one.QualifiedName()
		})
	})
	unlisted = append(unlisted, mechanism.Unlistable(ctx, p.tools.Session, unasked, areaOf(p.target).Namespace)...)
	for _, one := range unlisted {
		_, answer, explained := mechanism.Unreadable(
			ctx, p.tools.Session, p.tools.Health, one.Resource, areaOf(p.target).Namespace, "", one.Err,
		)
		if explained {
			p.addTroubles(answer)
		}
	}
}

// emptied are the kinds that must be empty before the target is removed: of a namespace, of a definition.
func (p *previewer) emptied(ctx context.Context) (resources []cluster.Resource) {
	servedKinds := p.tools.Session.ServedKinds(ctx)
	switch {
	case p.target.Is("", "Namespace"):
		return servedKinds.OwnedInNamespaces()
	case p.target.Is("apiextensions.k8s.io", "CustomResourceDefinition"):
		if resource, served := servedKinds.Find(schema.ParseGroupResource(p.cascade.instances(ctx, p.target))); served {
			resources = append(resources, resource)
		}
	}
	return resources
}

// addOutage tells that kube-controller-manager doesn't run, where the deletion needs it: for what is in a namespace,
// for dependents, and for Kubernetes' own finalizers.
func (p *previewer) addOutage(ctx context.Context) {
	needed := len(p.cascade.deleted) > 1 || p.target.Is("", "Namespace")
	for _, object := range p.cascade.deleted {
		for _, hold := range object.Holds() {
			known, found := p.tools.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
			needed = needed || found && known.RemovedBy == session.ControllerManager
		}
	}
	if !needed {
		return
	}
	if answer, down := p.tools.Health.ControlPlane.ControllerManagerDown(ctx, p.target); down {
		p.addTroubles(answer)
	}
}

func (p *previewer) addTroubles(answer session.Answer) {
	now := p.voice
	now.Foresees = false // they are there today, whatever is deleted
	for cause := range answer.AllCauses() {
		p.addTrouble(now, *cause, result.Stuck)
	}
}

// addTrouble keeps what keeps the target from going, or may: by the verdict.
func (p *previewer) addTrouble(voice finding.Voice, cause finding.Finding, verdict result.Verdict) {
	at := p.addCause(result.RootCause{
		Reason: cause.Reason, Situation: cause.Situation, Details: cause.Details, Object: cause.Object,
		Certainty: cause.Certainty, Key: cause.Identity(), Message: voice.Message(cause), Count: 1,
		InShort: cause.InShort(voice), Evidence: result.Evidence(cause.Evidence),
		Remedies: p.voice.Remedies(cause.Remedies),
		Path:     []finding.Ref{p.target.Ref, cause.Object},
	})
	p.addHanging(result.Hanging{
		Object: p.target.Ref, Verdict: verdict, Awaits: voice.Awaits(cause), RootCauses: []int{at},
	})
}
