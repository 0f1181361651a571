package snapshot

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/util/workqueue"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

const listsAtOnce = 8 // side by side

// RecordAnswer records what ask reads. It returns the error of ask, and that of ctx.
func (r *Recorder) RecordAnswer(ctx context.Context, ask func(context.Context, cluster.Reader) error) error {
	if _, err := r.ServedKinds(ctx); err != nil {
		return err
	}
	err := ask(ctx, cluster.NewCachedReader(r))
	r.again()
	return errors.Join(err, ctx.Err())
}

// again writes once more what was read whole before the last thing that asks for fields of others, or that is searched
// for in others, was met: a line replaces those before it.
func (r *Recorder) again() {
	for _, one := range r.wholes {
		if one.met < r.writer.cleaner.met() {
			_, err := r.writer.whole(one.resource, one.object)
			r.writer.fail(err)
		}
	}
}

// written is a whole object, and how much was met when it was written.
type written struct {
	resource cluster.Resource
	object   *unstructured.Unstructured
	met      int
}

// write writes a whole object. Unless whole lists are written, it is kept until the end (again).
func (r *Recorder) write(resource cluster.Resource, object *unstructured.Unstructured) {
	met := r.writer.cleaner.met()
	_, err := r.writer.whole(resource, object)
	r.writer.fail(err)
	if !r.Wide && !neverWhole(resource.QualifiedName()) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.wholes = append(r.wholes, written{resource, object.DeepCopy(), met})
	}
}

// Questions are asked about an area while it is recorded: what each mechanism reads is found out by asking, because a
// list of it would be wrong with the next mechanism (docs/decisions/0011-recordings.md).
type Questions interface {
	// Find lists the metadata of everything in the area, and returns the kinds of what is Terminating.
	Find(ctx context.Context, reader cluster.Reader) ([]cluster.Resource, error)
	// Explain asks of the same Reader why all that is Terminating, or of each sort a few examples.
	Explain(ctx context.Context, examples bool)
	// OfLive returns the kinds whose fields are asked for because of a live object with a finalizer and such owners.
	OfLive(resource cluster.Resource, finalizer string, owners []schema.GroupKind) []schema.GroupKind
}

// RecordArea lists everything in one namespace and what has none, or everything for an empty one. It has what is
// Terminating explained, as far as that may read more than the lists hold.
func (r *Recorder) RecordArea(ctx context.Context, namespace string, questions Questions) error {
	r.Wide, r.area = true, namespace
	if err := r.First(ctx, namespace); err != nil {
		return err
	}
	terminating, err := questions.Find(ctx, cluster.NewCachedReader(r))
	if err != nil {
		return err
	}
	if err := r.Rest(ctx, namespace); err != nil {
		return err
	}
	// The status of custom resources in deletion, and the objects beside them, may show what holds them.
	ofKubernetes := func(resource cluster.Resource) bool { return !custom(resource) }
	r.listWhole(ctx, slices.DeleteFunc(terminating, ofKubernetes), namespace)
	servedKinds, err := r.ServedKinds(ctx)
	if err != nil {
		return err
	}
	r.listWhole(ctx, r.askedOfLive(servedKinds, questions), namespace)
	// Where the lists hold every single object, examples show which kinds are read whole.
	complete := namespace == "" && len(servedKinds.Failed) == 0 && len(r.Missing()) == 0
	questions.Explain(ctx, complete)
	if complete { // others of these kinds may be asked for later
		r.listWhole(ctx, slices.DeleteFunc(slices.Collect(maps.Values(r.asked)), func(resource cluster.Resource) bool {
			return Whole(resource.QualifiedName()) || neverWhole(resource.QualifiedName())
		}), namespace)
	}
	return ctx.Err()
}

// First lists what has to be recorded first. An empty namespace means all of them.
func (r *Recorder) First(ctx context.Context, namespace string) error {
	return r.lists(ctx, namespace, func(resource cluster.Resource) bool {
		return slices.Contains(strings.Fields(early), resource.QualifiedName())
	})
}

// Rest lists everything that was not listed before: metadata, and whole objects of the kinds that mechanisms read
// whole. What can't be listed is written down as that.
func (r *Recorder) Rest(ctx context.Context, namespace string) error {
	return r.lists(ctx, namespace, func(cluster.Resource) bool { return true })
}

// lists reads resources that were not read before. In one namespace, these are also the Leases of the control plane and
// of the nodes: every diagnosis needs them to know what is alive.
func (r *Recorder) lists(ctx context.Context, namespace string, wanted func(cluster.Resource) bool) error {
	servedKinds, err := r.ServedKinds(ctx)
	if err != nil {
		return err
	}
	return sideBySide(ctx, servedKinds.Listable(false), namespace, func(resource cluster.Resource, namespace string) {
		namespaces := []string{namespace}
		if namespace != "" && resource.GroupResource() == cluster.Leases().GroupResource() {
			namespaces = append(namespaces, metav1.NamespaceSystem, "kube-node-lease")
		}
		for _, in := range namespaces {
			if wanted(resource) && !r.begin(resource, in, metadata) && ctx.Err() == nil {
				// The error is part of the recording, which is all that is to be done about it.
				_ = r.EachMetadata(ctx, resource, in, cluster.Selector{}, func(*metav1.PartialObjectMetadata) {})
			}
		}
	})
}

// listWhole lists whole objects of several kinds, unless that was done. A failure is recorded.
func (r *Recorder) listWhole(ctx context.Context, resources []cluster.Resource, namespace string) {
	_ = sideBySide(ctx, resources, namespace, func(resource cluster.Resource, namespace string) {
		if !r.begin(resource, namespace, whole) {
			_ = r.each(ctx, resource, namespace, cluster.KeepTerminating, func(*metav1.PartialObjectMetadata) {})
		}
	})
}

// sideBySide does something with each resource and the namespace that it is listed in, with a few of them at a time.
func sideBySide(
	ctx context.Context, resources []cluster.Resource, namespace string, do func(cluster.Resource, string),
) error {
	workqueue.ParallelizeUntil(ctx, listsAtOnce, len(resources), func(i int) {
		if resources[i].Namespaced {
			do(resources[i], namespace)
		} else {
			do(resources[i], "")
		}
	})
	return ctx.Err()
}

// custom reports whether a kind is none of Kubernetes' own.
func custom(resource cluster.Resource) bool { return !cluster.ServedByKubernetes(resource.Group) }
