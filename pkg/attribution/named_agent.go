package attribution

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// agentOf is the object that a held one names by the catalogue, and in whose pods the finalizer's controller runs.
type agentOf struct {
	object *session.Object // known by its name alone where it doesn't exist
	gone   bool
	pods   string // the selector of its pods
	field  string // of the held object, which names it
}

// left reports whether the pods of the object don't act any more: it is being deleted, or gone.
func (a *agentOf) left() bool { return a.gone || a.object.Terminating() }

// key is what a search depends on.
func (a *agentOf) key() string {
	if a == nil {
		return ""
	}
	return finding.KeyOf(a.object.Ref, a.gone, a.left(), a.pods)
}

// agentOfObject is whose pods act for an object, by the catalogue; nil where it says nothing of that, or the object
// names none. unread is what could not be read, without which that isn't known.
func agentOfObject(
	ctx context.Context, f *Finder, object *session.Object, known plugins.Finalizer,
) (of *agentOf, unread *finding.Unread) {
	if known.Agent == nil || object.Ref.Name == "" {
		return nil, nil
	}
	if err := readSiblings(ctx, f, object); err != nil {
		return nil, new(finding.UnreadObject(object.Ref).Because(err))
	}
	if _, err := f.Session.Whole(ctx, object); err != nil {
		return nil, new(finding.UnreadObject(object.Ref).Because(err))
	}
	names := plugins.Field{Path: known.Agent.Of.Named}.Values(object.Whole.Object)
	if len(names) != 1 || !selectable(names[0]) {
		return nil, nil
	}
	kind := schema.ParseGroupResource(known.Agent.Of.Resource)
	resource, served, err := session.Served(ctx, f.Session.Reader, kind.Group, kind.Resource)
	if err != nil || !served { // of a kind that isn't served no more is known than of any other controller
		if err != nil {
			unread = new(finding.Unread{Name: kind.String()}.Because(err))
		}
		return nil, unread
	}
	of = &agentOf{
		object: session.Named(resource, object.Ref.Namespace, names[0]), pods: known.Agent.PodsOf(names[0]),
		field: switches.Field(plugins.PathsIn(known.Agent.Of.Named)[0]),
	}
	found, err := f.Session.Read(ctx, resource, object.Ref.Namespace, names[0])
	switch {
	case apierrors.IsNotFound(err):
		of.gone = true
	case err != nil:
		return nil, new(finding.UnreadObject(of.object.Ref).Because(err))
	default:
		of.object = found
	}
	return of, nil
}

// selectable reports whether a name may go into a path, and into a selector: an object's field may have anything in it.
func selectable(name string) bool {
	return len(validation.IsDNS1123Subdomain(name)) == 0 && len(validation.IsValidLabelValue(name)) == 0
}

// Acting is what the catalogue says of the program that acts for an object now: where the pods of the object that it
// names don't, that is another one. What can't be read changes nothing here.
func Acting(ctx context.Context, f *Finder, object *session.Object, known plugins.Finalizer) plugins.Finalizer {
	if of, unread := agentOfObject(ctx, f, object, known); unread == nil && of != nil && of.left() {
		return known.WithoutAgent()
	}
	return known
}

// meetAgent finds out whose pods act for the held object. It answers false where that could not be read.
func meetAgent(ctx context.Context, h *held) bool {
	known := h.search.criteria.known
	if known == nil {
		return true
	}
	of, unread := agentOfObject(ctx, h.search.finder, h.object, *known)
	if unread != nil {
		h.search.failed = append(h.search.failed, *unread)
		return false
	}
	if h.search.criteria.agent = of; of != nil && of.left() {
		h.search.criteria.known = new(known.WithoutAgent())
	}
	return true
}

// decideAgent looks at the pods of the object that the held one names.
func decideAgent(ctx context.Context, s *search) decision {
	of := s.criteria.agent
	c := &candidate{
		workload: of.object, namespace: s.criteria.namespace,
		signs: signs.List{}.With(signs.OfNamedObject, finding.Clue{Name: of.field}),
	}
	e := examination{s, c}
	defer meet(s, c)
	items, err := session.ListWhole[corev1.Pod](
		ctx, s.session, cluster.Pods(), c.namespace, cluster.Selector{Labels: of.pods},
	)
	if err != nil {
		s.cannot(finding.Unread{Kinds: []string{"pods"}, Namespace: c.namespace}, err)
		return decision{}
	}
	for _, item := range items {
		if health.PodEnded(item.Typed) {
			c.ended = append(c.ended, item.Typed)
		} else {
			c.pods = append(c.pods, item.Typed)
		}
		c.account = rbac.Subject{
			Kind: "ServiceAccount", Namespace: c.namespace, Name: item.Typed.Spec.ServiceAccountName,
		}
	}
	c.programs = programNames(c.pods)
	if i := slices.IndexFunc(c.pods, podReady); i >= 0 {
		c.state = candidateAlive
		observeReady(c, c.pods[i])
		watchRestarts(s, c, c.pods)
		return s.allowed(ctx, c)
	}
	c.state = candidateDown
	if !e.whyDown(ctx, slices.Concat(c.pods, c.ended)) {
		return decision{}
	}
	return decision{Down, c}
}

// namedGone is the answer for a program that runs and reports nothing, and acts only when it sees the deletion of what
// the held object names, which is gone. In the first minute, it may just see that.
func namedGone(h *held, c *candidate, follows outcome, seen known) (session.Answer, bool) {
	late := seen.progress == mayMove && h.search.session.Since(h.object) >= session.Patience
	if c == nil || seen.found != Running || seen.unread || follows != isUnknown && !(follows == isAtWork && late) {
		return session.Answer{}, false
	}
	answer := ofNamedGone(h, c)
	return answer, len(answer.Causes) > 0
}

// ofNamedGone is that what the held object names is gone, or nothing where it isn't.
func ofNamedGone(h *held, c *candidate) session.Answer {
	of := h.search.criteria.agent
	if of == nil || !of.gone || c == nil {
		return session.Answer{}
	}
	cause := h.cause(finding.ControllerMissing, c, createNamed(h))
	cause.Situation, cause.Key = "NamedObjectGone", finding.KeyOf(h.key("named gone", c), of.object.Ref)
	cause.Details = finding.NamedObjectDetails{Controller: c.ref(), Object: of.object.Ref, Field: of.field}
	cause.Evidence = append(cause.Evidence,
		h.object.Ref.Observed("%s: %s", of.field, of.object.Ref.Name), of.object.Ref.Observed("not found"))
	return session.Cause(cause)
}

// createNamed is how the pods come back that act for the held object, or the deletion is seen of the object that they
// belonged to. Nothing can be created in a namespace that is being deleted.
func createNamed(h *held) []finding.Remedy {
	of := h.search.criteria.agent
	if of == nil || !of.gone || goingNamespace(h.search, h.object) != "" {
		return nil
	}
	details := finding.StepDetails{Object: &of.object.Ref, Name: h.search.criteria.known.RemovedBy}
	return []finding.Remedy{{Step: "CreateNamedAgain", Details: details, Risk: finding.NoRisk}}
}
