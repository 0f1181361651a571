package mechanism

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// namespaceContent explains the entry `kubernetes` of a Namespace's spec.finalizers: the namespace
// goes when its content is gone (deletion-mechanics B). Pods are always listed, because the
// conditions say that all is well while only pods remain (trap T1); other kinds only when the
// conditions name them.
func namespaceContent(ctx context.Context, w *World, object *Object, hold graph.Hold) (Answer, bool) {
	if hold.Type != graph.SpecFinalizer || hold.Name != string(corev1.FinalizerKubernetes) || object.Whole == nil {
		return Answer{}, false
	}
	namespace, err := as[corev1.Namespace](object.Whole)
	if err != nil {
		return unread(object.Ref.String(), err), true
	}
	content := &content{world: w, namespace: object}
	content.addPods(ctx)
	for _, condition := range namespace.Status.Conditions {
		if condition.Status == corev1.ConditionTrue {
			content.addCondition(ctx, condition)
		}
	}
	content.conclude(ctx, len(namespace.Status.Conditions) > 0)
	return content.answer, true
}

// content gathers what is left in one namespace.
type content struct {
	world     *World
	namespace *Object
	answer    Answer
	untouched []*Object // left, and not even marked for deletion
	refusal   []graph.Evidence
	said      []graph.Evidence // what the conditions say of the content
	unread    []string         // resources that could not be listed, and the first error
	unreadErr error
}

func (c *content) addPods(ctx context.Context) {
	pods := c.list(ctx, cluster.Pods())
	if len(pods) == 0 {
		return
	}
	// Whether a pod waits for its node stands in its spec: one list instead of a read for each.
	whole, err := c.world.Reader.List(ctx, cluster.Pods(), c.namespace.Ref.Name, cluster.Selector{})
	if err != nil {
		c.missed(cluster.Pods(), err)
		return
	}
	for i := range whole {
		pod, err := FromWhole(cluster.Pods(), &whole[i])
		if err != nil {
			c.missed(cluster.Pods(), err)
			return
		}
		c.addObject(pod)
	}
}

// addCondition follows one condition that reports a problem.
func (c *content) addCondition(ctx context.Context, condition corev1.NamespaceCondition) {
	at := condition.LastTransitionTime.Time
	said := graph.Evidence{
		Source: c.namespace.Ref.String(), Observed: fmt.Sprintf("condition %s: %s", condition.Type, condition.Message), Object: &c.namespace.Ref, At: &at,
	}
	switch condition.Type {
	case corev1.NamespaceContentRemaining:
		c.said = append(c.said, said)
		c.addRemaining(ctx, condition.Message, said)
	case corev1.NamespaceFinalizersRemaining:
		c.said = append(c.said, said) // the same objects as above, counted by finalizer (trap T3)
	case corev1.NamespaceDeletionContentFailure:
		if !onlyPodsRemain(condition.Message) {
			c.refusal = append(c.refusal, said)
			c.unsettled("a deletion inside it that fails", "Deleting something in it fails: "+condition.Message, said)
		}
	case corev1.NamespaceDeletionDiscoveryFailure:
		c.unsettled("an API group that can't be discovered", "The namespace controller can't tell what is in it, because discovery fails: "+condition.Message, said)
	default:
		c.unsettled(fmt.Sprintf("what its condition %s reports", condition.Type), "The namespace controller reports: "+condition.Message, said)
	}
}

// addRemaining lists the kinds that the controller says are left.
func (c *content) addRemaining(ctx context.Context, message string, said graph.Evidence) {
	catalog, err := c.world.Reader.Catalog(ctx)
	if err != nil {
		c.answer.add(unreadAnswer(err))
		return
	}
	for _, name := range remainingResources(message) {
		if name == (schema.GroupResource{Resource: "pods"}) {
			continue // listed already
		}
		resource, served := catalog.Find(name)
		if !served {
			c.unsettled("objects of "+name.String(), "Objects of "+name.String()+" are left in it, and that kind is not served any more.", said)
			continue
		}
		for _, object := range c.list(ctx, resource) {
			c.addObject(object)
		}
	}
}

func (c *content) list(ctx context.Context, resource cluster.Resource) []*Object {
	objects, err := c.world.list(ctx, resource, c.namespace.Ref.Name)
	if err != nil {
		c.missed(resource, err)
	}
	return objects
}

// missed notes a kind that could not be listed.
func (c *content) missed(resource cluster.Resource, err error) {
	c.unread = append(c.unread, resource.QualifiedName())
	if c.unreadErr == nil {
		c.unreadErr = err
	}
}

func (c *content) addObject(object *Object) {
	c.answer.Waits = append(c.answer.Waits, Wait{Blocker: object, Relation: graph.Contains})
	if !object.Terminating() {
		c.untouched = append(c.untouched, object)
	}
}

func (c *content) unsettled(awaited, message string, said graph.Evidence) {
	c.answer.add(open(Note{Message: message, Awaited: awaited, Evidence: []graph.Evidence{said}}))
}

// conclude answers for what the content alone doesn't explain: a controller that has not begun,
// objects that it has not deleted, nothing left at all.
func (c *content) conclude(ctx context.Context, began bool) {
	if len(c.unread) > 0 {
		what := fmt.Sprintf("%s in %s", some(c.unread, 3), c.namespace.Ref.Name)
		c.answer.add(unread(what, c.unreadErr, c.said...))
	}
	duty := ""
	switch explained := len(c.answer.Waits) > 0 || len(c.answer.Open) > 0; {
	case !began || len(c.untouched) > 0 && len(c.refusal) == 0:
		duty = "empty " + c.namespace.Ref.String()
	case !explained:
		duty = "release " + c.namespace.Ref.String() + ", in which nothing was found"
	default:
		return
	}
	c.answer.add(c.world.overdue(ctx, c.world.since(c.namespace), c.namespace.Ref, duty))
}
