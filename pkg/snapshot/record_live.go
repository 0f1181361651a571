package snapshot

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// mostLive is up to how many live objects with finalizers a kind may have whose objects are recorded whole because of
// them.
const mostLive = 500

// liveKind is a kind that has live objects with finalizers.
type liveKind struct {
	resource   cluster.Resource
	finalizers map[string]bool
	owners     []schema.GroupKind
	count      int
}

// noteLive notes the finalizers of a live object: what pauses or protects it may be in its spec.
func (r *Recorder) noteLive(resource cluster.Resource, meta *metav1.PartialObjectMetadata) {
	if !r.Wide || !custom(resource) || meta.DeletionTimestamp != nil || len(meta.Finalizers) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.live[placeOf(resource)]
	if known == nil {
		known = &liveKind{resource: resource, finalizers: map[string]bool{}}
		r.live[placeOf(resource)] = known
	}
	known.count++
	for _, name := range meta.Finalizers {
		known.finalizers[name] = true
	}
	for _, owner := range meta.OwnerReferences {
		kind := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).GroupKind()
		if !slices.Contains(known.owners, kind) {
			known.owners = append(known.owners, kind)
		}
	}
}

// classesOf are the kinds of classes in the API group of a kind, which its objects may name.
func classesOf(servedKinds *cluster.ServedKinds, of cluster.Resource) (classes []cluster.Resource) {
	for _, resource := range servedKinds.Resources {
		if whose, is := naming.ClassOf(resource.Kind); is && whose != "" && resource.Group == of.Group {
			classes = append(classes, resource)
		}
	}
	return classes
}

// askedOfLive returns the kinds whose fields are asked for because of live objects, where these are not too many.
func (r *Recorder) askedOfLive(servedKinds *cluster.ServedKinds, questions Questions) (kinds []cluster.Resource) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range r.live {
		if one.count > mostLive {
			continue
		}
		for name := range one.finalizers {
			for _, kind := range questions.OfLive(one.resource, name, one.owners) {
				if resource, served := servedKinds.OfKind(kind); served && custom(resource) {
					kinds = append(append(kinds, resource), classesOf(servedKinds, resource)...)
				}
			}
		}
	}
	return kinds
}
