package session

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
)

// mostAsked is how many questions one command asks.
const mostAsked = 16

// AskNext returns one command of a shell that reads, with kubectl alone, what an answer from manifests lacks: its
// output can be read as manifests beside them. It is empty where nothing is lacking. targets are what was asked
// about. Secrets and ConfigMaps are never asked for, nor kinds that are only searched in case something is there.
func AskNext(
	ctx context.Context, reader *cluster.CachedReader, unreadable []finding.Unreadable, targets ...*Object,
) finding.Command {
	if !reader.Source().Manifests() {
		return nil
	}
	servedKinds, err := reader.ServedKinds(ctx)
	if err != nil {
		return nil
	}
	var asked []askedFor
	for _, target := range targets {
		if target.Whole != nil && target.Whole.Object[leftout.Mark] != nil {
			asked = append(asked, askedFor{
				resource: target.Resource, namespace: target.Ref.Namespace, name: target.Ref.Name, rank: -1,
			})
		}
	}
	for _, missing := range unreadable {
		resource, known := servedKinds.Find(schema.ParseGroupResource(missing.Resource))
		rank, wanted := askRank(resource)
		if missing.Why != whyNotRecorded || !known || !wanted {
			continue
		}
		if missing.Name != "" {
			rank = 0
		}
		if missing.Name == "" && missing.Namespace == "" && resource.Namespaced && !fewEverywhere(resource) {
			continue
		}
		asked = append(asked, askedFor{resource, missing.Namespace, missing.Name, rank})
		if !cluster.ServedByKubernetes(resource.Group) {
			asked = append(asked, askedFor{cluster.CustomResourceDefinitions(), "", resource.QualifiedName(), 3})
		}
	}
	return shellOf(asked)
}

// whyNotRecorded is why something could not be read that is not in a recording.
const whyNotRecorded = "not recorded"

// askedFor is an object, or a list of a resource in a namespace or in all.
type askedFor struct {
	resource        cluster.Resource
	namespace, name string
	rank            int // the lowest is asked for first
}

// askRank says how much it matters that objects of a resource were not read, the least first. It is false for what is
// not asked for.
func askRank(resource cluster.Resource) (rank int, wanted bool) {
	name := resource.QualifiedName()
	if resource.Resource == "*" || name == "secrets" || name == "configmaps" {
		return 0, false
	}
	if !cluster.ServedByKubernetes(resource.Group) {
		return 2, true
	}
	usual := []string{
		"pods", "nodes", "persistentvolumeclaims", "persistentvolumes", "volumeattachments.storage.k8s.io",
		"csidrivers.storage.k8s.io", "apiservices.apiregistration.k8s.io", "deployments.apps", "leases.coordination.k8s.io",
		"validatingwebhookconfigurations.admissionregistration.k8s.io",
		"mutatingwebhookconfigurations.admissionregistration.k8s.io",
		"validatingadmissionpolicies.admissionregistration.k8s.io",
		"mutatingadmissionpolicies.admissionregistration.k8s.io",
		"clusterrolebindings.rbac.authorization.k8s.io", "rolebindings.rbac.authorization.k8s.io",
		"clusterroles.rbac.authorization.k8s.io", "roles.rbac.authorization.k8s.io",
		"customresourcedefinitions.apiextensions.k8s.io",
	}
	at := slices.Index(usual, name)
	return at + 1, at >= 0
}

// fewEverywhere reports whether objects of a resource are asked for in all namespaces: they lead to a controller,
// wherever that runs.
func fewEverywhere(resource cluster.Resource) bool {
	return !cluster.ServedByKubernetes(resource.Group) ||
		slices.Contains([]string{"deployments", "leases", "roles", "rolebindings"}, resource.Resource)
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
	return words + " -o yaml"
}

// shellOf is a command of a shell that shows each question before its answer.
func shellOf(asked []askedFor) finding.Command {
	slices.SortStableFunc(asked, func(a, b askedFor) int { return cmp.Compare(a.rank, b.rank) })
	var questions []string
	for _, one := range asked {
		words := one.words()
		if words != "" && !slices.Contains(questions, words) && len(questions) < mostAsked {
			questions = append(questions, words)
		}
	}
	if len(questions) == 0 {
		return nil
	}
	const ask = `for q in "%s"; do echo "\$ kubectl get $q"; kubectl get $q 2>&1; done`
	return finding.Command{"sh", "-c", fmt.Sprintf(ask, strings.Join(questions, `" "`))}
}
