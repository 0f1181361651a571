package session

import (
	"cmp"
	"context"
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
)

// mostAsked is how many questions one command asks.
const mostAsked = 28

// AskNext returns one command of a shell that reads, with kubectl alone, what an answer from manifests lacks: its
// output can be read as manifests beside them. It is empty where nothing is lacking. targets are what was asked
// about. Secrets and what ConfigMaps hold are never asked for, nor kinds that are only searched in case something is there.
func AskNext(ctx context.Context, reader *cluster.CachedReader, targets ...*Object) finding.Command {
	if !reader.Source().Manifests() {
		return nil
	}
	servedKinds, err := reader.ServedKinds(ctx)
	if err != nil {
		return nil
	}
	var asked []askedFor
	for _, failure := range reader.Failures() {
		resource, known := servedKinds.Find(schema.ParseGroupResource(failure.Resource))
		if known && cluster.NotRecorded(failure.Err) {
			asked = append(asked, askAbout(resource, failure)...)
		}
	}
	for _, target := range targets {
		cut := target.Whole != nil && target.Whole.Object[leftout.Mark] != nil
		if cut || len(asked) > 0 && target.Meta != nil && len(target.Meta.ManagedFields) == 0 {
			asked = append(asked, askedFor{
				resource: target.Resource, namespace: target.Ref.Namespace, name: target.Ref.Name, rank: -1, writers: true,
			})
		}
	}
	return shellOf(withCompanions(servedKinds, asked))
}

// askAbout returns what to ask for after a read that failed.
func askAbout(resource cluster.Resource, failure cluster.Failure) []askedFor {
	rank, wanted := askRank(resource)
	if failure.Name != "" && resource.QualifiedName() != "secrets" {
		rank, wanted = 0, true
	}
	everywhere := failure.Name == "" && failure.Namespace == "" && resource.Namespaced
	if !wanted || everywhere && !fewEverywhere(resource) {
		return nil
	}
	asked := []askedFor{{resource: resource, namespace: failure.Namespace, name: failure.Name, rank: rank}}
	if !cluster.ServedByKubernetes(resource.Group) {
		definition := cluster.CustomResourceDefinitions()
		asked = append(asked, askedFor{resource: definition, name: resource.QualifiedName(), rank: 3})
	}
	return asked
}

// withCompanions adds what will be asked for next: who looks for a controller reads what could be one in the whole
// cluster, and who reads a policy reads its bindings. The answer is then complete sooner.
func withCompanions(servedKinds *cluster.ServedKinds, asked []askedFor) []askedFor {
	for _, together := range [][]usualKind{controllers(), refusals()} {
		if !slices.ContainsFunc(asked, func(a askedFor) bool { return a.isOneOf(together) }) {
			continue
		}
		for _, kind := range together {
			if resource, known := servedKinds.Find(schema.ParseGroupResource(string(kind))); known {
				rank, _ := askRank(resource)
				asked = append(asked, askedFor{resource: resource, rank: rank})
			}
		}
	}
	return asked
}

// isOneOf reports whether all objects of some kinds are asked for.
func (a askedFor) isOneOf(kinds []usualKind) bool {
	return a.name == "" && a.namespace == "" && slices.Contains(kinds, usualKind(a.resource.QualifiedName()))
}

// askedFor is an object, or a list of a resource in a namespace or in all.
type askedFor struct {
	resource        cluster.Resource
	namespace, name string
	rank            int  // the lowest is asked for first
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

// askRank says how much it matters that objects of a resource were not read, the least first. It is false for what is
// not asked for.
func askRank(resource cluster.Resource) (rank int, wanted bool) {
	name := usualKind(resource.QualifiedName())
	if resource.Resource == "*" || name == "secrets" || name == "configmaps" {
		return 0, false
	}
	if !cluster.ServedByKubernetes(resource.Group) {
		return 2, true
	}
	usual := slices.Concat([]usualKind{
		"pods", "nodes", "persistentvolumeclaims", "persistentvolumes", "volumeattachments.storage.k8s.io",
		"csidrivers.storage.k8s.io", "apiservices.apiregistration.k8s.io", "events",
	}, controllers(), refusals(), []usualKind{"customresourcedefinitions.apiextensions.k8s.io"})
	at := slices.Index(usual, name)
	return at + 1, at >= 0
}

// fewEverywhere reports whether objects of a resource are asked for in all namespaces: they lead to a controller,
// wherever that runs.
func fewEverywhere(resource cluster.Resource) bool {
	return !cluster.ServedByKubernetes(resource.Group) ||
		slices.Contains(controllers(), usualKind(resource.QualifiedName()))
}

// words are the arguments of kubectl get. They are empty where a name has something in it that a shell or kubectl would
// read otherwise: a quote, a blank, a dash at its beginning, or, of a resource, a dot at its end (secrets.v1. is the
// resource secrets in version v1).
func (a askedFor) words() string {
	words := a.resource.QualifiedName()
	if !regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`).MatchString(words) {
		return ""
	}
	names := regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9.:_-]*)?$`)
	if !names.MatchString(a.name) || !names.MatchString(a.namespace) {
		return ""
	}
	if a.name != "" {
		words += " " + a.name
	}
	switch {
	case a.namespace != "":
		words += " -n " + a.namespace
	case a.resource.Namespaced && a.name == "":
		words += " -A"
	}
	if a.writers || a.resource.QualifiedName() == "leases.coordination.k8s.io" { // with it, its clock can be compared
		words += " --show-managed-fields"
	}
	if a.resource.QualifiedName() == "configmaps" && !a.writers {
		words += " -o name" // whether it exists; what it has may be confidential
	}
	return words
}

// shellOf is a command of a shell that shows each question before its answer.
func shellOf(asked []askedFor) finding.Command {
	slices.SortStableFunc(asked, func(a, b askedFor) int { return cmp.Compare(a.rank, b.rank) })
	var questions []string
	for _, question := range asked {
		words := question.words()
		if words != "" && !slices.Contains(questions, words) && len(questions) < mostAsked {
			questions = append(questions, words)
		}
	}
	if len(questions) == 0 {
		return nil
	}
	const ask = `echo "$ date -u"; date -u +%FT%TZ; for q; do echo "$ kubectl get -o yaml $q"; kubectl get -o yaml $q 2>&1; done; echo "$"`
	return append(finding.Command{"sh", "-c", ask, "ask"}, questions...)
}
