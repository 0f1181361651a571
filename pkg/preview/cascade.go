package preview

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// defaultGrace is the grace period of a Pod whose spec is not looked at, in seconds.
const defaultGrace = 30

// cascade follows one deletion through the cluster, as the API server, the namespace controller and the garbage
// collector carry it out.
type cascade struct {
	tools   *mechanism.Tools             // that see the cluster as it is
	byUID   map[string]*session.Object   // everything that was listed
	content map[string][]*session.Object // by namespace
	ofKind  map[string][]*session.Object // by resource
	byOwner map[string][]*session.Object // by the owner's uid

	states  map[string]state   // by uid, of what was deleted so far
	deleted []*session.Object  // in the order in which it is deleted
	leaves  []*session.Object  // the same, in the order in which it is gone: what waits for others after these
	recent  []*session.Object  // of these, what was not looked at yet
	by      map[string]string  // by uid, the account that deletes it; empty for the user's own
	unasked map[string]bool    // by uid, of those whose deletion admission has no say in
	waits   map[string]bool    // by uid, of what was deleted before, and is held now
	freed   map[string]bool    // by uid, of these, what stays in the first place, and goes because the rest goes
	stays   map[string]staying // by uid, of dependents that are not deleted
	opened  map[string]bool    // by uid, of dependents whose references don't block their owners any more
	read    map[string][]ownership.Judged
}

// staying is a dependent of something that is deleted, which is not, and the owner reference that decides it.
type staying struct {
	object   *session.Object
	outcome  ownership.Outcome
	decisive *ownership.Judged
}

func newCascade(tools *mechanism.Tools, listed []*session.Object) *cascade {
	c := &cascade{
		tools: tools, byUID: map[string]*session.Object{}, states: map[string]state{}, stays: map[string]staying{},
		unasked: map[string]bool{}, by: map[string]string{}, freed: map[string]bool{}, opened: map[string]bool{},
		content: map[string][]*session.Object{}, ofKind: map[string][]*session.Object{},
		byOwner: map[string][]*session.Object{}, read: map[string][]ownership.Judged{},
	}
	for _, object := range listed {
		c.byUID[object.Ref.UID] = object
		if object.Ref.Namespace != "" {
			c.content[object.Ref.Namespace] = append(c.content[object.Ref.Namespace], object)
		}
		kind := object.Resource.QualifiedName()
		c.ofKind[kind] = append(c.ofKind[kind], object)
		for _, reference := range object.Meta.OwnerReferences {
			c.byOwner[string(reference.UID)] = append(c.byOwner[string(reference.UID)], object)
		}
	}
	return c
}

// request deletes an object, and what goes at the same time as it: the content of a namespace, the instances of a
// definition, and, with foreground deletion, dependents.
func (c *cascade) request(ctx context.Context, object *session.Object, policy metav1.DeletionPropagation) {
	if _, again := c.states[object.Ref.UID]; again {
		return
	}
	becomes, dependents := state{renewed: c.freed[object.Ref.UID]}, len(c.byOwner[object.Ref.UID]) > 0
	switch {
	case policy == metav1.DeletePropagationForeground: // the garbage collector removes it where nothing depends on it
		becomes.finalizers = []string{metav1.FinalizerDeleteDependents}
	case policy == metav1.DeletePropagationOrphan && dependents:
		becomes.finalizers = []string{metav1.FinalizerOrphanDependents}
	case object.Is("apiextensions.k8s.io", "CustomResourceDefinition"):
		becomes.finalizers = []string{session.CleanupFinalizer}
	case object.Is("", "Pod"):
		becomes.grace = defaultGrace
	}
	becomes.gone = len(becomes.finalizers) == 0 && !heldBesides(object.Resource) &&
		(object.Meta == nil || !slices.ContainsFunc(object.Meta.Finalizers, outlivesPolicy))
	c.states[object.Ref.UID] = becomes
	delete(c.stays, object.Ref.UID)
	c.deleted, c.recent = append(c.deleted, object), append(c.recent, object)
	if policy == metav1.DeletePropagationForeground { // only the dependents that block it go before it
		c.collect(ctx, object, true)
		c.leaves = append(c.leaves, object)
		c.collect(ctx, object, false)
		return
	}
	defer func() { c.leaves = append(c.leaves, object) }()
	switch {
	case object.Is("", "Namespace"):
		by := refusal.SystemAccount("namespace-controller")
		for _, inside := range podsFirst(c.content[object.Ref.Name]) {
			if ctx.Err() != nil {
				return
			}
			c.by[inside.Ref.UID] = by
			c.request(ctx, inside, metav1.DeletePropagationBackground)
		}
	case object.Is("apiextensions.k8s.io", "CustomResourceDefinition"):
		// They are deleted in storage, without a policy, and admission is not asked (apiextensions-apiserver v0.37
		// pkg/controller/finalizer/crd_finalizer.go:deleteInstances).
		for _, instance := range c.ofKind[c.instances(ctx, object)] {
			c.unasked[instance.Ref.UID] = true
			c.request(ctx, instance, policyOf(instance))
		}
	case policy == metav1.DeletePropagationOrphan:
		for _, dependent := range c.byOwner[object.Ref.UID] {
			c.stays[dependent.Ref.UID] = staying{object: dependent}
		}
	}
}

// podsFirst is the order in which the namespace controller deletes (k8s v1.37
// pkg/controller/namespace/deletion/namespaced_resources_deleter.go:deleteAllContent, since 1.33).
func podsFirst(content []*session.Object) []*session.Object {
	sorted := slices.Clone(content)
	slices.SortStableFunc(sorted, func(a, b *session.Object) int {
		return session.FalseFirst(!a.Is("", "Pod"), !b.Is("", "Pod"))
	})
	return sorted
}

// instances names the resource that a definition defines.
func (c *cascade) instances(ctx context.Context, definition *session.Object) string {
	whole, err := c.tools.Session.Whole(ctx, definition)
	if err != nil {
		return ""
	}
	group, _, _ := unstructured.NestedString(whole.Object, "spec", "group")
	plural, _, _ := unstructured.NestedString(whole.Object, "spec", "names", "plural")
	return plural + "." + group
}

// held returns what was deleted last and isn't gone at once.
func (c *cascade) held() (held []*session.Object) {
	for _, object := range c.recent {
		if !c.states[object.Ref.UID].gone {
			held = append(held, object)
		}
	}
	return held
}

// goOn lets all go that was deleted so far, and deletes what the garbage collector deletes then. It returns false where
// nothing is left to delete.
func (c *cascade) goOn(ctx context.Context) bool {
	before := c.recent
	c.recent = nil
	for _, object := range before {
		is := c.states[object.Ref.UID]
		is.gone = true
		c.states[object.Ref.UID] = is
	}
	for _, object := range before {
		c.collect(ctx, object, false)
	}
	return len(c.recent) > 0
}

// collect deletes the dependents of an owner that has gone, or that waits for them, as the garbage collector does.
func (c *cascade) collect(ctx context.Context, owner *session.Object, onlyBlocking bool) {
	for _, dependent := range c.byOwner[owner.Ref.UID] {
		if ctx.Err() != nil {
			return
		}
		_, deleted := c.states[dependent.Ref.UID]
		orphaned, stays := c.stays[dependent.Ref.UID]
		later := onlyBlocking && !session.Blocks(dependent, owner.Ref.UID)
		if deleted || later || stays && orphaned.outcome == "" {
			continue
		}
		outcome, decisive := ownership.Decide(c.judge(ctx, dependent))
		c.by[dependent.Ref.UID] = refusal.SystemAccount(session.GarbageCollector)
		switch outcome {
		case ownership.Collected: // by the policy that it has (k8s v1.37 .../garbagecollector.go:attemptToDeleteItem)
			c.request(ctx, dependent, policyOf(dependent))
		case ownership.GoesFirst:
			c.deleteFirst(ctx, dependent)
		default:
			c.stays[dependent.Ref.UID] = staying{object: dependent, outcome: outcome, decisive: decisive}
		}
	}
}

// deleteFirst deletes a dependent before its owner, unless they own each other: then it follows its owner.
func (c *cascade) deleteFirst(ctx context.Context, dependent *session.Object) {
	below := c.byOwner[dependent.Ref.UID]
	now := make([]*session.Object, len(below))
	for i, object := range below {
		now[i] = object
		if is, deleted := c.states[object.Ref.UID]; deleted && !is.gone {
			now[i] = is.marked(c.tools.Session.Now(), object)
		}
	}
	switch {
	case ownership.Opens(dependent, now):
		c.opened[dependent.Ref.UID] = true
	case len(below) > 0:
		c.request(ctx, dependent, metav1.DeletePropagationForeground)
	default:
		c.request(ctx, dependent, policyOf(dependent))
	}
}

// judge says what the garbage collector makes of each owner reference of a dependent at this moment.
func (c *cascade) judge(ctx context.Context, dependent *session.Object) (judged []ownership.Judged) {
	for _, reference := range dependent.Meta.OwnerReferences {
		uid := string(reference.UID)
		is, deleted := c.states[uid]
		one := ownership.Judged{Reference: reference, State: finding.OwnerAbsent}
		switch owner := c.byUID[uid]; {
		case is.gone:
		case owner != nil:
			one.State = mechanism.JudgeOwner(ctx, c.tools.Session, dependent, reference, owner.Ref)
			if one.Owner = owner; deleted {
				one.Owner = is.marked(c.tools.Session.Now(), owner)
			}
		default:
			one = c.outside(ctx, dependent, uid)
		}
		judged = append(judged, one)
	}
	return judged
}

// outside judges the reference to an owner that the inventory doesn't have: it stands outside of what was listed, or
// is not there.
func (c *cascade) outside(ctx context.Context, dependent *session.Object, uid string) ownership.Judged {
	all, known := c.read[dependent.Ref.UID]
	if !known {
		all = mechanism.Owners(ctx, c.tools, dependent)
		c.read[dependent.Ref.UID] = all
	}
	for _, judged := range all {
		if string(judged.Reference.UID) == uid {
			return judged
		}
	}
	return ownership.Judged{State: finding.OwnerUnreadable}
}
