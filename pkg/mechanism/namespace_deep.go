package mechanism

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

func (c *content) emptying(since time.Duration) refusal.Duty {
	return refusal.Duty{
		Object: c.namespace, Since: since, Remaining: c.untouched, Done: session.Deleted, Writes: c.reports(),
		Task: finding.Phrase{Situation: "EmptyNamespace", Details: finding.ContentDetails{Namespace: c.namespace.Ref}},
	}
}

func (c *content) reports() []refusal.Write {
	by := refusal.SystemAccount("namespace-controller")
	return []refusal.Write{
		{Operation: admissionregistrationv1.Update, Object: c.namespace, Subresource: "status", By: by},
		{Operation: admissionregistrationv1.Update, Object: c.namespace, Subresource: "finalize", By: by},
	}
}

// unexplained answers where the conditions name nothing and no pods are left: conditions are written only when they
// change (docs/deletion.md#why-the-conditions-mislead), so they may be out of date. Only a list of everything shows
// what is left.
func (c *content) unexplained(ctx context.Context, since time.Duration) {
	deep := c.tools.Session.Deep
	about := finding.ContentDetails{Namespace: c.namespace.Ref, Unserved: c.gone, Deep: deep}
	task := finding.Phrase{Situation: "GoOnWithNamespace", Details: about}
	next := refusal.Duty{Object: c.namespace, Since: since, Writes: c.reports(), Task: task}
	next.Outdated = len(c.said) > 0 && len(c.gone) == 0
	if len(c.gone) == 0 && !deep {
		next.Remedies = []Remedy{lookDeeper(c.tools.Session, c.namespace)}
	}
	c.answer.Add(c.tools.Refusals.Overdue(ctx, next))
}

// everything lists what is in the namespace and not marked for deletion, as far as it can be listed.
func (c *content) everything(ctx context.Context) (objects []*Object) {
	servedKinds := c.tools.Session.ServedKinds(ctx)
	resources := slices.DeleteFunc(servedKinds.OwnedInNamespaces(), func(one cluster.Resource) bool {
		return one.Resource == "events"
	})
	keep := func(resource cluster.Resource, meta *metav1.PartialObjectMetadata) {
		if meta.DeletionTimestamp == nil {
			objects = append(objects, session.FromMetadata(resource, meta))
		}
	}
	slim := cluster.Selector{Keep: cluster.KeepSlim}
	cluster.ScanFor(ctx, c.tools.Session.Reader, resources, c.namespace.Ref.Name, slim, keep)
	return objects
}

func lookDeeper(reads *session.Session, namespace *Object) Remedy {
	command := reads.Kubectl.Why(namespace, "--deep")
	return Remedy{Step: "LookDeeper", Details: finding.StepDetails{Object: &namespace.Ref}, Command: command}
}

// addEverything lists all kinds in the namespace. While pods are left, the rest was not deleted yet: then it waits only
// for objects that are Terminating for reasons of their own.
func (c *content) addEverything(ctx context.Context) {
	servedKinds, err := c.tools.Session.Reader.ServedKinds(ctx)
	if err != nil {
		c.answer.Add(session.Unread(finding.Unread{Aspect: finding.Discovery}, err))
		return
	}
	resources := slices.DeleteFunc(servedKinds.OwnedInNamespaces(), func(one cluster.Resource) bool {
		return one.GroupResource() == cluster.Pods().GroupResource()
	})
	found := map[string]*Object{}
	keep := func(resource cluster.Resource, meta *metav1.PartialObjectMetadata) {
		found[string(meta.UID)] = session.FromMetadata(resource, meta)
	}
	unlisted := cluster.ScanFor(ctx, c.tools.Session.Reader, resources, c.namespace.Ref.Name, cluster.Selector{}, keep)
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
		at := session.Named(one.Resource, c.namespace.Ref.Name, "")
		answer, damaged := damagedRead(ctx, c.tools.Session, c.tools.Health, c.namespace, at, one.Err)
		c.answer.Add(answer)
		return damaged
	})
	if len(unlisted) > 0 {
		unread := finding.Unread{Kinds: session.NamesOf(unlisted), Namespace: c.namespace.Ref.Name}
		c.answer.Add(session.Unread(unread, unlisted[0].Err))
	}
}

// addInHand adds what manifests hold of the namespace and is being deleted, whether or not the conditions name it: each
// object was given because it matters.
func (c *content) addInHand(ctx context.Context) {
	if !c.tools.Session.Reader.Source().Manifests() {
		return
	}
	inHand := c.tools.Session.Reader.Fresh() // that other objects may be there is no finding
	for _, resource := range c.tools.Session.ServedKinds(ctx).OwnedInNamespaces() {
		_ = inHand.EachMetadata(ctx, resource, c.namespace.Ref.Name, cluster.Selector{},
			func(meta *metav1.PartialObjectMetadata) {
				if meta.DeletionTimestamp != nil {
					c.addObject(ctx, session.FromMetadata(resource, meta))
				}
			})
	}
}

func (c *content) addLater(later []*Object) {
	if len(later) == 0 {
		return
	}
	c.remarkLater(Finding{Situation: "ContentAfterPods"}, later)
}

// addAfterRefusal remarks on finalizers of what was not deleted yet, where something refuses deletions there.
func (c *content) addAfterRefusal() {
	held := func(object *Object) bool { return len(object.Meta.Finalizers) > 0 }
	left := slices.Concat(c.guarded, c.untouched)
	if len(c.guarded) > 0 && slices.ContainsFunc(left, held) {
		c.remarkLater(Finding{Situation: "ContentAfterRefusal"}, left)
	}
}

// remarkLater counts the finalizers of what is deleted later.
func (c *content) remarkLater(note Finding, later []*Object) {
	held := map[string]int{}
	for _, object := range later {
		for _, finalizer := range object.Meta.Finalizers {
			held[finalizer]++
		}
	}
	about := finding.ContentDetails{Namespace: c.namespace.Ref, Found: len(later)}
	for _, finalizer := range slices.Sorted(maps.Keys(held)) {
		about.Finalizers = append(about.Finalizers, finding.Counted{Name: finalizer, Count: held[finalizer]})
	}
	note.Details, note.Holds = about, len(held) > 0
	c.answer.Remarks = append(c.answer.Remarks, note)
}

// silence is how long the namespace controller may leave a namespace without conditions: it takes it
// up after 5 s (k8s v1.37 pkg/controller/namespace/namespace_controller.go:namespaceDeletionGracePeriod)
// and writes them at the end of each round.
const silence = 15 * time.Second

// addUnlistable looks for a kind that can't be listed although nothing of it may be in the namespace: one object that
// can't be read, in any namespace, keeps the watch cache of its kind from getting ready. The namespace controller then
// meets 429 and says nothing for minutes (docs/deletion.md#undecodable-objects). Kinds that don't come with Kubernetes
// are asked about first, and the others only where that doesn't yield as many as there are. It reports whether there is
// one.
func (c *content) addUnlistable(ctx context.Context, kinds int) bool {
	if _, down := c.tools.Health.ControlPlane.ControllerManagerDown(ctx, c.namespace); down {
		return false // which explains the silence
	}
	if _, unread := c.tools.Health.ControlPlane.ControllerManagerUnread(ctx); unread {
		return false // and may be what explains it
	}
	rounds := map[bool][]cluster.Resource{}
	for _, resource := range c.tools.Session.ServedKinds(ctx).OwnedInNamespaces() {
		own := cluster.ServedByKubernetes(resource.Group)
		rounds[own] = append(rounds[own], resource)
	}
	namespace, damaged, unread := c.namespace.Ref.Name, 0, []cluster.Unlisted(nil)
	for _, comesWithKubernetes := range []bool{false, true} {
		for _, unlisted := range Unlistable(ctx, c.tools.Session, rounds[comesWithKubernetes], namespace) {
			list := fmt.Sprintf("a list of %s in %s", unlisted.QualifiedName(), namespace)
			said := append(slices.Clone(c.said), finding.Observed(list, "%s", unlisted.Err).Ranked(finding.Second))
			at := session.Named(unlisted.Resource, namespace, "")
			answer, found := damagedRead(ctx, c.tools.Session, c.tools.Health, c.namespace, at, unlisted.Err, said...)
			if !found && session.StorageFails(unlisted.Err) { // the namespace controller's list fails as well
				answer, found = session.Unread(unreadKind(unlisted.QualifiedName(), namespace), unlisted.Err, said...), true
			}
			c.answer.Add(answer)
			if found {
				damaged++
			} else {
				unread = append(unread, unlisted)
			}
		}
		if damaged >= kinds {
			break
		}
	}
	if damaged == 0 && len(unread) > 0 { // the silence may be about any of them
		kinds := finding.Unread{Kinds: session.NamesOf(unread), Namespace: namespace}
		c.answer.Add(session.Unread(kinds, unread[0].Err, c.said...))
	}
	return damaged > 0
}

// addUnserved answers for a kind that the conditions name and that can't be found: its group can't be discovered at the
// moment, which is a finding of its own, or it is gone and with it, as far as the server knows, all of its objects.
func (c *content) addUnserved(servedKinds *cluster.ServedKinds, name schema.GroupResource, said Evidence) {
	ofGroup := func(version schema.GroupVersion) bool { return version.Group == name.Group }
	if slices.ContainsFunc(servedKinds.FailedVersions(), ofGroup) {
		c.undiscovered = append(c.undiscovered, said)
	} else {
		c.gone = append(c.gone, name.String())
	}
}
