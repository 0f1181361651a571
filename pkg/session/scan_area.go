package session

import (
	"cmp"
	"context"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Area is a part of the cluster that is scanned: one namespace, or with an empty one everything. Labels narrow it, and
// so do Kinds: of these, the ones that are in no namespace are looked for even where there is a namespace.
type Area struct {
	Namespace string
	Labels    string
	Kinds     []cluster.Resource
}

// of returns the resources of an area, those in namespaces first.
func (a Area) of(servedKinds *cluster.ServedKinds) (namespaced, others []cluster.Resource) {
	if len(a.Kinds) == 0 {
		servedKinds.AskAll()
		return servedKinds.Deletable(a.Namespace != ""), nil
	}
	for _, kind := range a.Kinds {
		if kind.Namespaced {
			namespaced = append(namespaced, kind)
		} else {
			others = append(others, kind)
		}
	}
	return namespaced, others
}

// Scan is what one pass over everything found.
type Scan struct {
	Terminating []*Object          // each once, sorted
	Unlisted    []cluster.Unlisted // the kinds that could not be listed: of these, nothing is known
	Asked       int                // how many kinds there are to list
}

// Scan reads the metadata of everything in an area once, a namespace itself too, and returns what is Terminating. With
// dependents, what has owners is kept as well, so that it isn't read again for these, unless the area is narrowed. What
// Census has read isn't read again.
func (s *Session) Scan(ctx context.Context, area Area, dependents bool) (*Scan, error) {
	if known, found := s.counted(area); found && dependents {
		return known.scan, nil
	}
	servedKinds, err := s.Reader.ServedKinds(ctx)
	if err != nil {
		return nil, err
	}
	selector := cluster.Selector{Labels: area.Labels, Keep: cluster.KeepTerminating}
	if dependents = dependents && area.Labels == "" && len(area.Kinds) == 0; dependents {
		selector.Keep |= cluster.KeepOwned
	}
	resources, others := area.of(servedKinds)
	found := newScanning(len(resources) + len(others))
	add := func(object *Object) {
		found.add(object)
		if !object.Terminating() {
			object.Meta.ManagedFields = nil // most of what there is to read of an object, and printed only for stuck ones
		}
	}
	unlisted := s.scanAll(ctx, resources, area.Namespace, selector, add)
	unlisted = append(unlisted, s.scanAll(ctx, others, "", selector, add)...)
	if area.Namespace != "" && len(area.Kinds) == 0 {
		unlisted = append(unlisted, s.addNamespace(ctx, area, add)...)
	}
	if dependents {
		s.keepDependents(servedKinds, area, found, unlisted)
	}
	return found.result(unlisted), nil
}

// addNamespace adds the namespace of an area itself. A selector of labels selects what is in it.
func (s *Session) addNamespace(ctx context.Context, area Area, add func(*Object)) []cluster.Unlisted {
	namespace, err := s.Read(ctx, cluster.Namespaces(), "", area.Namespace)
	switch {
	case apierrors.IsNotFound(err): // there is nothing in it
	case err != nil:
		return []cluster.Unlisted{{Resource: cluster.Namespaces(), Err: err}}
	case area.Labels == "":
		add(namespace)
	}
	return nil
}

// scanning gathers what is Terminating, and what has owners.
type scanning struct {
	asked       int
	terminating map[string]*Object // one kind can be served by two groups, and lists can start again
	counts      map[kindIn]int
	indexes     map[scope]*ownerIndex
}

func newScanning(asked int) *scanning {
	return &scanning{
		asked: asked, terminating: map[string]*Object{}, counts: map[kindIn]int{},
		indexes: map[scope]*ownerIndex{Namespaced: newOwnerIndex(), ClusterScoped: newOwnerIndex()},
	}
}

func (f *scanning) add(object *Object) {
	uid := cmp.Or(object.Ref.UID, object.Ref.String()) // a manifest may lack it
	if object.Terminating() {
		f.terminating[uid] = rather(f.terminating[uid], object)
	}
	f.counts[kindIn{object.Resource.String(), object.Ref.Namespace}]++
	f.indexes[scopeOf(object.Resource)].add(object)
}

func (f *scanning) result(unlisted []cluster.Unlisted) *Scan {
	terminating := slices.SortedFunc(maps.Values(f.terminating), func(a, b *Object) int {
		return finding.Compare(a.Ref, b.Ref)
	})
	return &Scan{Terminating: terminating, Unlisted: unlisted, Asked: f.asked}
}

// keepDependents keeps who refers to whom, and how many there are of each kind, for those who ask later.
func (s *Session) keepDependents(
	servedKinds *cluster.ServedKinds, area Area, found *scanning, unlisted []cluster.Unlisted,
) {
	s.Owners.keepIndexes(servedKinds, area, found.indexes, unlisted)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts = found.counts
}

// rather returns which of two pictures of one object is shown. An aggregated API server may show under a name of its
// own what Kubernetes serves, with its uid, as OpenShift does with namespaces (projects.project.openshift.io).
func rather(known, object *Object) *Object {
	switch {
	case known == nil:
		return object
	case cluster.ServedByKubernetes(known.Resource.Group) != cluster.ServedByKubernetes(object.Resource.Group):
		if cluster.ServedByKubernetes(object.Resource.Group) {
			return object
		}
		return known
	case finding.Compare(object.Ref, known.Ref) < 0:
		return object
	}
	return known
}

// scanAll calls add with each object of some resources, and returns the ones that could not be listed. What can't be
// converted is read as it is stored, unless labels select: then it isn't looked at.
func (s *Session) scanAll(
	ctx context.Context, resources []cluster.Resource, namespace string, selector cluster.Selector, add func(*Object),
) []cluster.Unlisted {
	unlisted := cluster.ScanFor(ctx, s.Reader, resources, namespace, selector,
		func(resource cluster.Resource, meta *metav1.PartialObjectMetadata) { add(FromMetadata(resource, meta)) })
	return slices.DeleteFunc(unlisted, func(one cluster.Unlisted) bool {
		stored, err := s.listStored(ctx, one.Resource, namespace, one.Err)
		if err != nil || selector.Labels != "" {
			return false
		}
		for _, object := range stored {
			add(object)
		}
		return true
	})
}

// kindIn is the objects of one kind in a namespace.
type kindIn struct{ resource, namespace string }

// countOf is how many objects of a kind a scan has seen in a namespace: those Terminating or owned, as most pods are.
func (s *Session) countOf(resource cluster.Resource, namespace string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[kindIn{resource.String(), namespace}]
}

func scopeOf(resource cluster.Resource) scope {
	if resource.Namespaced {
		return Namespaced
	}
	return ClusterScoped
}
