package mechanism

import (
	"context"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// damagedRead answers for a read that failed because of what is in storage. at is what was read: an object, or one
// without a name for all objects of a kind, in its namespace or in all.
func damagedRead(
	ctx context.Context, reads *session.Session, checker *health.Checker, held, at *Object, failure error,
	said ...Evidence,
) (answer Answer, damaged bool) {
	if answer, damaged = storageAnswer(ctx, reads, checker, held, failure.Error(), true, said...); damaged {
		return answer, true
	}
	words := session.UnnamedDamage(failure)
	if words == "" {
		return Answer{}, false
	}
	return unnamedDamage(ctx, reads, checker, held, at, words, said), true
}

// unnamedDamage answers for an object that kube-apiserver can't make sense of, and that it doesn't name either, as none
// does before 1.37: the kind is known by the read that failed, and paging comes closer
// (docs/deletion.md#undecodable-objects).
func unnamedDamage(
	ctx context.Context, reads *session.Session, checker *health.Checker, held, at *Object, words string, said []Evidence,
) Answer {
	found := finding.Undecodable{Words: words, Resource: at.Resource.QualifiedName()}
	object, evidence := at, slices.Clone(said)
	if at.Ref.Name == "" {
		object, found.After, found.Narrowed = narrow(ctx, reads, at)
		if found.Narrowed {
			evidence = append(evidence, narrowed(object, found))
		}
	} else {
		found.StorageKey = storageKeys(at.Resource, at.Ref.Namespace) + at.Ref.Name
		evidence = append(evidence, finding.Observed("a read of "+at.Ref.String(), "%s", words).Of(at.Ref))
	}
	found.Object = object.Ref
	if found.StorageKey == "" {
		found.KeyPrefix = storageKeys(object.Resource, object.Ref.Namespace)
	}
	blamed, trusted, err := blameOf(ctx, reads, checker, object)
	if err != nil {
		return session.Unread(finding.UnreadObject(blamed.Ref), err, said...)
	}
	reread := append(reads.Kubectl.Prefix(object.Ref), "get", found.Resource)
	if object.Ref.Name != "" {
		reread = reads.Kubectl.Command(object, "get")
	} else if object.Ref.Namespace == "" && object.Resource.Namespaced {
		reread = append(reread, "-A")
	}
	remedies := []Remedy{{Step: "FindInStorage", Details: found, Command: reread}}
	if trusted && object.Ref.Name != "" && !keyOutOfReach(words) {
		remedies = append(remedies, deleteKey(found.StorageKey))
	}
	return pointAt(held, blamed, Finding{
		Reason: finding.UndecodableObject, Situation: "UndecodableUnnamed", Object: blamed.Ref,
		Certainty: finding.Likely,
		Details:   finding.UndecodableObjectDetails{Undecodable: found}, Evidence: evidence, Remedies: remedies,
		Key: finding.KeyOf("UndecodableUnnamed", found.Resource, object.Ref.Namespace, object.Ref.Name),
	})
}

// nothingSelected is a label selector that selects no object. With a selector, a list is answered
// from the watch cache, limit or not, just as the namespace controller's lists are (k8s v1.37
// apiserver/pkg/storage/cacher/delegator.go:shouldDelegateListOnNotReadyCache), and this one carries
// no object over the wire.
const nothingSelected = "kubectl-finalizers,!kubectl-finalizers"

// Unlistable returns the resources that can't be listed in a namespace, or in all, by the controllers that empty it:
// pages of a list may still be read where all of it can't.
func Unlistable(
	ctx context.Context, reads *session.Session, resources []cluster.Resource, namespace string,
) []cluster.Unlisted {
	return cluster.ScanFor(ctx, reads.Reader, resources, namespace, cluster.Selector{Labels: nothingSelected}, nil)
}

func narrowed(object *Object, found finding.Undecodable) Evidence {
	list := "a list of " + found.Resource + " in smaller and smaller pages"
	if object.Ref.Namespace != "" {
		list = "a list of " + found.Resource + " in " + object.Ref.Namespace + ", in smaller and smaller pages"
	}
	if found.After == nil {
		return finding.Observed(list, "not even the first one can be read")
	}
	return finding.Observed(list, "all can be read up to %s, but not the next one", found.After.Path())
}

// narrow finds the namespace that an object is in which keeps a kind from being listed, and the last object before it.
// It returns false where neither could be found out.
func narrow(ctx context.Context, reads *session.Session, at *Object) (object *Object, after *finding.Ref, found bool) {
	if last, failed := lastBefore(ctx, reads, at.Resource, at.Ref.Namespace); failed {
		if at.Ref.Namespace != "" || !at.Resource.Namespaced {
			return at, last, true
		}
	} else if at.Ref.Namespace == "" {
		return at, nil, false
	}
	everywhere := session.Named(at.Resource, "", "")
	last, failed := lastBefore(ctx, reads, at.Resource, "")
	if !failed {
		return everywhere, nil, false
	}
	for _, namespace := range namespacesFrom(ctx, reads, last) {
		if last, failed := lastBefore(ctx, reads, at.Resource, namespace); failed {
			return session.Named(at.Resource, namespace, ""), last, true
		}
	}
	return everywhere, nil, false
}

// lastBefore lists a kind as far as it can be read, and returns the last object, if that isn't all of them.
func lastBefore(
	ctx context.Context, reads *session.Session, resource cluster.Resource, namespace string,
) (last *finding.Ref, failed bool) {
	keep := func(meta *metav1.PartialObjectMetadata) {
		last = &finding.Ref{
			APIVersion: resource.APIVersion(), Kind: resource.Kind, Namespace: meta.Namespace, Name: meta.Name,
		}
	}
	err := reads.Reader.EachMetadata(ctx, resource, namespace, cluster.Selector{Narrow: true}, keep)
	return last, err != nil && session.UnnamedDamage(err) != ""
}

// namespacesLooked bounds how many namespaces are looked at for an object that can't be read.
const namespacesLooked = 8

// namespacesFrom returns the first namespaces in which what comes after an object can be, in the order of storage.
func namespacesFrom(ctx context.Context, reads *session.Session, last *finding.Ref) (names []string) {
	namespaces, err := reads.List(ctx, cluster.Namespaces(), "")
	if err != nil {
		return nil // the failed read is noted
	}
	for _, namespace := range namespaces {
		if last == nil || namespace.Ref.Name == last.Namespace || namespace.Ref.Name+"/" > last.Namespace+"/" {
			names = append(names, namespace.Ref.Name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(a+"/", b+"/") })
	return names[:min(len(names), namespacesLooked)]
}

// storageKeys is what the storage keys of a kind's objects begin with, in a namespace or in all, where kube-apiserver
// has the prefix that it has by default (k8s v1.37 apiserver/pkg/server/options/etcd.go:DefaultEtcdPathPrefix).
func storageKeys(resource cluster.Resource, namespace string) string {
	path := resource.Resource + "/"
	switch {
	case slices.Contains([]string{"apiextensions.k8s.io", "apiregistration.k8s.io"}, resource.Group),
		!cluster.ServedByKubernetes(resource.Group):
		path = resource.Group + "/" + path
	default:
		for odd, plain := range oddPrefixes() {
			if plain == resource.Resource {
				path = odd + "/"
			}
		}
	}
	if namespace != "" {
		path += namespace + "/"
	}
	return "/registry/" + path
}

// deleteKey is the last resort where kube-apiserver can't delete what it can't decode.
func deleteKey(key string) Remedy {
	return Remedy{Step: "DeleteKey", Details: finding.Undecodable{StorageKey: key}, Risk: finding.DataLoss}
}
