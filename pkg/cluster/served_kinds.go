package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
)

// ServedKinds are what a cluster serves: each resource once, in its preferred version.
type ServedKinds struct {
	Resources []Resource
	Kinds     map[schema.GroupVersionKind]bool // all kinds in all versions that are served
	// Failed holds the group versions that could not be discovered, and why. Nothing is known of what they serve.
	Failed map[schema.GroupVersion]error
	// Undiscovered holds the resources that discovery doesn't name, although they are defined or were served before, and
	// why. They are among Resources: to read them may fail, which says nothing about their objects.
	Undiscovered map[schema.GroupResource]error
	// Unchecked is what could not be read to find those.
	Unchecked []Failure
	// Partial says that what the cluster serves was not asked, and is known only as far as objects of it were seen.
	Partial error
	asked   sync.Map // groups whose resources were requested; all of them under allGroups
}

const allGroups = "*"

// Missed returns the group versions that could not be discovered and whose resources were requested, sorted. What of
// the others fails makes no difference.
func (c *ServedKinds) Missed() []schema.GroupVersion {
	_, all := c.asked.Load(allGroups)
	return slices.DeleteFunc(c.FailedVersions(), func(version schema.GroupVersion) bool {
		_, asked := c.asked.Load(version.Group)
		return !all && !asked
	})
}

// Ask notes that it matters what a group serves.
func (c *ServedKinds) Ask(group string) { c.asked.Store(group, true) }

// AskAll notes that it matters what every group serves.
func (c *ServedKinds) AskAll() { c.Ask(allGroups) }

// FailedVersions returns the group versions that could not be discovered, sorted.
func (c *ServedKinds) FailedVersions() []schema.GroupVersion {
	order := func(a, b schema.GroupVersion) int { return cmp.Compare(a.String(), b.String()) }
	return slices.SortedFunc(maps.Keys(c.Failed), order)
}

// Find returns the resource with a name (plural) in a group.
func (c *ServedKinds) Find(resource schema.GroupResource) (Resource, bool) {
	guess := Resource{GroupVersionResource: resource.WithVersion(unknownVersion), Kind: resource.Resource}
	return c.first(guess, func(r Resource) bool { return r.GroupResource() == resource })
}

// OfKind returns the resource whose objects are of a kind.
func (c *ServedKinds) OfKind(kind schema.GroupKind) (Resource, bool) {
	plural, _ := GuessPlural(kind.WithVersion(unknownVersion))
	guess := Resource{GroupVersionResource: plural, Kind: kind.Kind}
	return c.first(guess, func(r Resource) bool { return r.GroupKind() == kind })
}

// first returns the first resource that matches, or a guess where what the cluster serves was not asked.
func (c *ServedKinds) first(guess Resource, matches func(Resource) bool) (Resource, bool) {
	c.Ask(guess.Group)
	if i := slices.IndexFunc(c.Resources, matches); i >= 0 {
		return c.Resources[i], true
	}
	if c.Partial != nil {
		return guess, true
	}
	return Resource{}, false
}

// unknownVersion is in resources that may be served for all that is known: to read them fails.
const unknownVersion = "unknown"

// others stand for the kinds that may be served, so that code which reads every kind learns that some could not be
// read.
func (c *ServedKinds) others() []Resource {
	if c.Partial == nil {
		return nil
	}
	all := schema.GroupVersionResource{Version: unknownVersion, Resource: "*"}
	resource := Resource{GroupVersionResource: all, Kind: "*", Verbs: []string{"get", "list", "watch", "delete"}}
	namespaced := resource
	namespaced.Namespaced = true
	return []Resource{resource, namespaced}
}

// Unserved reports whether a kind in a version is certainly not served: the garbage collector can't resolve an owner of
// this kind. Nothing is certain about a group version that can't be discovered.
func (c *ServedKinds) Unserved(kind schema.GroupVersionKind) bool {
	_, failed := c.Failed[kind.GroupVersion()]
	return !failed && !c.Kinds[kind] && c.Partial == nil
}

// newServedKinds turns discovery's answer into ServedKinds: of each resource the preferred version, or, where that one
// lacks it, the first that has it. Partial answers are kept; the error is one that left nothing.
func newServedKinds(groups []*metav1.APIGroup, lists []*metav1.APIResourceList, err error) (*ServedKinds, error) {
	servedKinds := &ServedKinds{
		Kinds: map[schema.GroupVersionKind]bool{}, Failed: map[schema.GroupVersion]error{},
		Undiscovered: map[schema.GroupResource]error{},
	}
	var partial *discovery.ErrGroupDiscoveryFailed
	if errors.As(err, &partial) {
		maps.Copy(servedKinds.Failed, partial.Groups)
	} else if err != nil {
		return nil, fmt.Errorf("ask the server what it serves: %w", err)
	}
	byVersion := map[string]*metav1.APIResourceList{}
	for _, list := range lists {
		byVersion[list.GroupVersion] = list
	}
	for _, group := range groups {
		known := map[string]bool{}
		for _, version := range append([]metav1.GroupVersionForDiscovery{group.PreferredVersion}, group.Versions...) {
			if list := byVersion[version.GroupVersion]; list != nil {
				servedKinds.add(schema.GroupVersion{Group: group.Name, Version: version.Version}, list.APIResources, known)
			}
		}
	}
	servedKinds.sort()
	return servedKinds, nil
}

func (c *ServedKinds) add(version schema.GroupVersion, resources []metav1.APIResource, known map[string]bool) {
	for _, served := range resources {
		if strings.Contains(served.Name, "/") {
			continue // a subresource
		}
		c.Kinds[version.WithKind(served.Kind)] = true
		if known[served.Name] {
			continue
		}
		known[served.Name] = true
		c.Resources = append(c.Resources, Resource{
			GroupVersionResource: version.WithResource(served.Name), Kind: served.Kind, Namespaced: served.Namespaced,
			Singular: served.SingularName, ShortNames: served.ShortNames, Categories: served.Categories,
			Verbs: served.Verbs, Scales: slices.ContainsFunc(resources, func(sub metav1.APIResource) bool {
				return sub.Name == served.Name+"/scale"
			}),
		})
	}
}

// Versions returns in how many versions each kind is served.
func (c *ServedKinds) Versions() map[schema.GroupKind]int {
	versions := map[schema.GroupKind]int{}
	for kind := range c.Kinds {
		versions[kind.GroupKind()]++
	}
	return versions
}

// hasCore reports whether the core group is served, or may be: there is no cluster without it.
func (c *ServedKinds) hasCore() bool {
	core := func(version schema.GroupVersion) bool { return version.Group == "" }
	return slices.ContainsFunc(c.Resources, func(r Resource) bool { return r.Group == "" }) ||
		slices.ContainsFunc(c.FailedVersions(), core)
}

// MayServe reports whether a group might be served for all that is known: its discovery failed.
func (c *ServedKinds) MayServe(group string) bool {
	c.Ask(group)
	failed := slices.ContainsFunc(c.FailedVersions(), func(v schema.GroupVersion) bool { return v.Group == group })
	return failed || c.Partial != nil
}
