package session

import (
	"cmp"
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
)

// AskNext returns one command of a shell that reads, with kubectl alone, what an answer from manifests lacks: its
// output can be read as manifests beside them. For a live cluster, it reads what the user may not, and is for someone
// who may. It is empty where nothing is lacking. targets are what was asked about. Secrets and what ConfigMaps hold are
// never asked for, nor kinds that are only searched in case something is there.
func AskNext(ctx context.Context, reader *cluster.CachedReader, targets ...*Object) finding.Command {
	if source := reader.Source(); source == cluster.FromServer {
		return askAllowed(ctx, reader, targets)
	} else if !source.Manifests() {
		return nil
	}
	servedKinds, err := reader.ServedKinds(ctx)
	if err != nil {
		return nil
	}
	asked, swept := askAbout(servedKinds, reader.Failures(), cluster.NotRecorded, targets)
	for _, target := range targets {
		cut := target.Whole != nil && target.Whole.Object[leftout.Mark] != nil
		if cut || len(asked) > 0 && target.Meta != nil && len(target.Meta.ManagedFields) == 0 {
			asked = append(asked, askedFor{
				resource: target.Resource, namespace: target.Ref.Namespace, name: target.Ref.Name, writers: true,
			})
		}
	}
	return shellOf(withCompanions(servedKinds, asked, targets), toSweep(ctx, reader, swept, len(asked) > 0, targets))
}

// toSweep are the namespaces whose content is asked for, of whatever kind: where more kinds were searched than a
// person would ask for one by one, and namespaces that are being emptied. One whose ConfigMaps are known was swept.
func toSweep(
	ctx context.Context, reader *cluster.CachedReader, swept []string, lacks bool, targets []*Object,
) (namespaces []string) {
	for _, target := range targets {
		if lacks && target.Is("", "Namespace") && target.Terminating() {
			swept = append(swept, target.Ref.Name)
		}
	}
	slices.Sort(swept)
	for _, namespace := range slices.Compact(swept) {
		known := reader.Fresh().EachMetadata(ctx, cluster.ConfigMaps(), namespace, cluster.Selector{},
			func(*metav1.PartialObjectMetadata) {})
		if known != nil {
			namespaces = append(namespaces, namespace)
		}
	}
	return namespaces
}

// mostSearched is how many kinds are asked for that may hold something. Of more, all kinds were searched: that is no
// question that a person would ask.
const mostSearched = 8

// askAbout returns what to ask for after reads that failed, and the namespaces in which too many kinds were searched.
func askAbout(
	servedKinds *cluster.ServedKinds, failures []cluster.Failure, lacks func(error) bool, targets []*Object,
) (asked []askedFor, swept []string) {
	searched := map[string]bool{}
	for _, failure := range failures {
		question := askedFor{
			resource: resourceOf(servedKinds, failure), namespace: failure.Namespace, name: failure.Name,
		}
		if !lacks(failure.Err) || !question.wanted() {
			continue
		}
		if asked = append(asked, question); question.searches() {
			searched[failure.Resource] = true
		}
		if definition := cluster.CustomResourceDefinitions(); !cluster.ServedByKubernetes(question.resource.Group) {
			asked = append(asked, askedFor{resource: definition, name: question.resource.QualifiedName()})
		}
	}
	related := func(a askedFor) bool {
		return slices.ContainsFunc(targets, func(target *Object) bool {
			return target.Resource.Group == a.resource.Group || target.Resource.Group == groupOf(a.name)
		})
	}
	if len(searched) > mostSearched {
		asked = slices.DeleteFunc(asked, func(a askedFor) bool {
			left := (a.searches() || searched[a.name]) && !related(a)
			if left && a.namespace != "" {
				swept = append(swept, a.namespace)
			}
			return left
		})
	}
	return asked, swept
}

// groupOf is the API group in the name of a resource.
func groupOf(resource string) string { return schema.ParseGroupResource(resource).Group }

// resourceOf is what a failed read was about. What is not known to be served may be in a namespace.
func resourceOf(servedKinds *cluster.ServedKinds, failure cluster.Failure) cluster.Resource {
	name := schema.ParseGroupResource(failure.Resource)
	if resource, known := servedKinds.Find(name); known {
		return resource
	}
	return cluster.Resource{GroupVersionResource: name.WithVersion(""), Namespaced: true}
}

// wanted reports whether something is asked for: an object, or a list that isn't long. What Secrets hold is not, nor
// which ConfigMaps there are.
func (a askedFor) wanted() bool {
	name := a.resource.QualifiedName()
	switch {
	case a.resource.Resource == "*" || name == "secrets":
		return false
	case a.name != "":
		return true
	case name == "configmaps":
		return false
	}
	everywhere := a.namespace == "" && a.resource.Namespaced
	return !everywhere || !cluster.ServedByKubernetes(a.resource.Group) ||
		slices.Contains(controllers(), usualKind(name))
}

// searches reports whether a list may have been read only in case something is in it.
func (a askedFor) searches() bool { return a.name == "" && !slices.Contains(usual(), a.kind()) }

func (a askedFor) kind() usualKind { return usualKind(a.resource.QualifiedName()) }

// rank says how much it matters that something was not read: the least is asked for first.
func (a askedFor) rank() int {
	at := slices.Index(usual(), a.kind())
	switch {
	case a.writers:
		return -1
	case a.name != "" && a.kind() != "customresourcedefinitions.apiextensions.k8s.io":
		return 0
	case at < 0:
		return 2 // behind pods
	}
	return at + 1
}

// withCompanions adds what will be asked for next: who looks for a controller reads what could be one in the whole
// cluster, and events; who reads a policy reads its bindings; and a namespace waits for all APIs. The answer is then
// complete sooner.
func withCompanions(servedKinds *cluster.ServedKinds, asked []askedFor, targets []*Object) []askedFor {
	for _, together := range [][]usualKind{controllers(), refusals()} {
		if !slices.ContainsFunc(asked, func(a askedFor) bool { return a.isOneOf(together) }) {
			continue
		}
		for _, kind := range together {
			if resource, known := servedKinds.Find(schema.ParseGroupResource(string(kind))); known {
				asked = append(asked, askedFor{resource: resource})
			}
		}
	}
	looksForController := slices.ContainsFunc(asked, func(a askedFor) bool { return a.isOneOf(controllers()) })
	events, _ := servedKinds.Find(schema.GroupResource{Resource: "events"})
	services, _ := servedKinds.Find(schema.GroupResource{Group: "apiregistration.k8s.io", Resource: "apiservices"})
	for _, target := range targets {
		switch {
		case len(asked) > 0 && target.Is("", "Namespace"): // it is emptied of all kinds that are served
			asked = append(asked, askedFor{resource: services})
		case looksForController:
			namespace := cmp.Or(target.Ref.Namespace, metav1.NamespaceDefault)
			asked = append(asked, askedFor{resource: events, namespace: namespace})
		}
	}
	return asked
}

// isOneOf reports whether all objects of some kinds are asked for.
func (a askedFor) isOneOf(kinds []usualKind) bool {
	return a.name == "" && a.namespace == "" && slices.Contains(kinds, a.kind())
}

// askedFor is an object, or a list of a resource in a namespace or in all.
type askedFor struct {
	resource        cluster.Resource
	namespace, name string
	writers         bool // who wrote it is asked for, too
}

// usualKind is a kind that Kubernetes serves, as kubectl reads it.
type usualKind string

// controllers are the kinds that show which program may remove a finalizer, and whether it is there.
func controllers() []usualKind {
	return []usualKind{
		"deployments.apps", "statefulsets.apps", "daemonsets.apps", "leases.coordination.k8s.io",
		"clusterrolebindings.rbac.authorization.k8s.io", "rolebindings.rbac.authorization.k8s.io",
		"clusterroles.rbac.authorization.k8s.io", "roles.rbac.authorization.k8s.io",
	}
}

// refusals are the kinds that show what may refuse a write.
func refusals() []usualKind {
	return []usualKind{
		"validatingwebhookconfigurations.admissionregistration.k8s.io",
		"mutatingwebhookconfigurations.admissionregistration.k8s.io",
		"validatingadmissionpolicies.admissionregistration.k8s.io",
		"validatingadmissionpolicybindings.admissionregistration.k8s.io",
		"mutatingadmissionpolicies.admissionregistration.k8s.io",
		"mutatingadmissionpolicybindings.admissionregistration.k8s.io",
	}
}

// usual are the kinds that most answers rest on, the most important first.
func usual() []usualKind {
	return slices.Concat([]usualKind{
		"pods", "nodes", "persistentvolumeclaims", "persistentvolumes", "volumeattachments.storage.k8s.io",
		"csidrivers.storage.k8s.io", "apiservices.apiregistration.k8s.io", "events",
	}, controllers(), refusals(), []usualKind{"customresourcedefinitions.apiextensions.k8s.io"})
}
