package mechanism

import (
	"context"
	"errors"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// manyServed bounds how many kinds of other API servers are listed to find the one that fails.
const manyServed = 32

// failing are the kinds of one APIService about which its program fails, or which it doesn't delete.
type failing struct {
	service   *Object
	resources []string
	words     string // what the program answers, both to the namespace controller and to us; "" if it deletes nothing
	keeps     bool
}

// addFailingServers looks for the API server of others that fails the namespace controller
// (docs/deletion.md#discovery-failures): the condition has its words, and often neither a kind nor a server. Only where
// an APIService names a Service can one kind fail alone. It reports whether there is one.
func (c *content) addFailingServers(ctx context.Context, condition corev1.NamespaceCondition, said Evidence) bool {
	servers := map[schema.GroupVersion]*failing{}
	var versions []schema.GroupVersion
	of := func(resource cluster.Resource) *failing {
		version := resource.GroupVersion()
		if servers[version].resources == nil {
			versions = append(versions, version)
		}
		servers[version].resources = append(servers[version].resources, resource.QualifiedName())
		return servers[version]
	}
	var asked []cluster.Resource
	for _, resource := range c.servedByOthers(ctx, servers) {
		left := "for gvr: " + resource.GroupVersion().String() + ", Resource=" + resource.Resource
		if hasEnded(condition.Message, left) {
			of(resource).keeps = true
		} else {
			asked = append(asked, resource)
		}
	}
	for _, unlisted := range Unlistable(ctx, c.tools.Session, asked, c.namespace.Ref.Name) {
		var status apierrors.APIStatus
		if !errors.As(unlisted.Err, &status) {
			continue
		}
		if words := status.Status().Message; words != "" && strings.Contains(condition.Message, words) {
			of(unlisted.Resource).words = words
		}
	}
	for _, version := range versions {
		c.answer.Add(session.AwaitAnswer(servers[version].service, c.serverFails(ctx, version, servers[version], said)))
	}
	return len(versions) > 0
}

// hasEnded reports whether a text has another one as a whole: the name of a resource can begin with that of another.
func hasEnded(text, part string) bool {
	_, rest, found := strings.Cut(text, part)
	return found && (rest == "" || strings.HasPrefix(rest, ","))
}

// servedByOthers returns the kinds in namespaces that other API servers than kube-apiserver serve, and puts the
// APIService of each version into servers.
func (c *content) servedByOthers(
	ctx context.Context, servers map[schema.GroupVersion]*failing,
) (resources []cluster.Resource) {
	services, err := c.tools.Session.Reader.List(ctx, cluster.APIServices(), "", cluster.Selector{})
	if err != nil {
		return nil
	}
	for i := range services {
		object, err := session.FromWhole(cluster.APIServices(), &services[i])
		if err != nil {
			continue
		}
		registered, err := session.As[health.APIService](object.Whole)
		if err != nil || registered.Spec.Service == nil {
			continue
		}
		version, group, _ := strings.Cut(object.Ref.Name, ".")
		servers[schema.GroupVersion{Group: group, Version: version}] = &failing{service: object}
	}
	resources = slices.DeleteFunc(c.tools.Session.ServedKinds(ctx).OwnedInNamespaces(), func(one cluster.Resource) bool {
		return servers[one.GroupVersion()] == nil
	})
	return resources[:min(len(resources), manyServed)]
}

func (c *content) serverFails(
	ctx context.Context, version schema.GroupVersion, server *failing, said Evidence,
) Finding {
	slices.Sort(server.resources)
	about := finding.GroupVersionDetails{
		Version: version.String(), Words: server.words, Resources: slices.Compact(server.resources),
	}
	cause, evidence := Finding{Situation: "APIServiceKeeps"}, []Evidence{said}
	if !server.keeps {
		cause = Finding{Situation: "APIServiceFails"}
		list := "a list of " + finding.And(about.Resources) + " in " + c.namespace.Ref.Name
		evidence = append(evidence, finding.Observed(list, "%s", server.words))
	}
	var remedies []Remedy
	if registered, err := session.As[health.APIService](server.service.Whole); err == nil {
		found := c.tools.Health.Backend(ctx, registered.Backend())
		evidence, remedies = append(evidence, found.Evidence...), slices.Clone(found.Remedies)
	}
	kubectl := c.tools.Session.Kubectl
	if len(remedies) == 0 {
		remedies = []Remedy{{Step: "SeeFailingServer", Command: kubectl.Command(server.service, "describe")}}
	}
	remove := kubectl.Prefix(server.service.Ref, "delete", server.service.Resource.QualifiedName())
	cause.Reason, cause.Object, cause.Details = finding.APIServiceUnavailable, server.service.Ref, about
	cause.Certainty, cause.Evidence = finding.Likely, evidence
	cause.Key = finding.KeyOf(cause.Situation, server.service.Ref)
	cause.Remedies = append(remedies, Remedy{
		Step: "DeleteAPIServices", Details: about, Command: append(remove, server.service.Ref.Name), Risk: finding.Orphans,
	})
	return cause
}
