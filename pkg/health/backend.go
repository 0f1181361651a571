package health

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Service is a reference to a Service as webhooks and APIServices have it.
type Service struct {
	Namespace, Name string
	Port            int32 // 0 means 443
}

// Path is the Service as NAMESPACE/NAME.
func (s Service) Path() string { return s.Namespace + "/" + s.Name }

// Number is the port; 443 where none is given.
func (s Service) Number() int32 {
	if s.Port == 0 {
		return 443
	}
	return s.Port
}

// HookService returns the Service that a webhook is called through.
func HookService(client admissionregistrationv1.WebhookClientConfig) (Service, bool) {
	if client.Service == nil {
		return Service{}, false
	}
	of := Service{Namespace: client.Service.Namespace, Name: client.Service.Name}
	if client.Service.Port != nil {
		of.Port = *client.Service.Port
	}
	return of, true
}

type backendState string

const (
	BackendBroken  backendState = "broken"
	BackendUp      backendState = "up"
	BackendUnknown backendState = "unknown"
)

// Backend is what can be told of what answers behind a Service.
type Backend struct {
	State    backendState
	Words    string // completes "its backend …"
	Evidence []finding.Evidence
	Remedies []finding.Remedy // how to bring it back, safest first
	workload *session.Object  // the Deployment, StatefulSet, DaemonSet or Pod behind it, if one was found
	// namespaceTerminating says that its namespace is being deleted, so that nothing new can start
	// there (deletion-mechanics M17-N).
	namespaceTerminating bool
}

// Backend looks for what answers behind a Service: the Service, its EndpointSlices, and only when no
// address of those is ready, the pods and what runs them (deletion-mechanics M17-3, M21).
func (c *Checker) Backend(ctx context.Context, of Service) Backend {
	found := c.serviceOf(ctx, of)
	if found.State == BackendBroken {
		c.addNamespace(ctx, of, &found)
	}
	return found
}

func (c *Checker) serviceOf(ctx context.Context, of Service) Backend {
	object := session.Named(cluster.Services(), of.Namespace, of.Name)
	whole, err := c.Session.Reader.Get(ctx, object.Resource, of.Namespace, of.Name)
	if apierrors.IsNotFound(err) {
		return Backend{
			State: BackendBroken, Words: "does not exist: " + object.Ref.String() + " is missing",
			Evidence: []finding.Evidence{{Source: object.Ref.String(), Observed: "not found"}},
			Remedies: []finding.Remedy{{
				Action:  fmt.Sprintf("Install again what %s belonged to, if it is still wanted. See what is left of it.", object.Ref),
				Command: append(c.Session.Kubectl.Prefix(object.Ref), "get", "deployments,statefulsets,daemonsets,services"),
				Risk:    finding.NoRisk,
			}},
		}
	}
	if err != nil {
		return unknownBackend(object.Ref.String(), err)
	}
	current, err := session.As[corev1.Service](whole)
	if err != nil {
		return unknownBackend(object.Ref.String(), err)
	}
	object.Ref.UID, object.Whole = string(current.UID), whole
	if current.Spec.Type == corev1.ServiceTypeExternalName {
		said := fmt.Sprintf("%s is the name of something outside the cluster: %s", object.Ref, current.Spec.ExternalName)
		return Backend{State: BackendUnknown, Words: "can't be judged: " + said, Evidence: []finding.Evidence{{Source: object.Ref.String(), Observed: "type ExternalName: " + current.Spec.ExternalName, Object: &object.Ref}}}
	}
	port := portOf(current, of.Number())
	if port == nil {
		return c.portMissing(object, current, of.Number())
	}
	return c.endpointsOf(ctx, object, current, port)
}

func portOf(current *corev1.Service, number int32) *corev1.ServicePort {
	for i := range current.Spec.Ports {
		port := &current.Spec.Ports[i]
		if port.Port == number && (port.Protocol == corev1.ProtocolTCP || port.Protocol == "") {
			return port
		}
	}
	return nil
}

func (c *Checker) portMissing(object *session.Object, current *corev1.Service, number int32) Backend {
	var has []string
	for _, port := range current.Spec.Ports {
		has = append(has, fmt.Sprint(port.Port))
	}
	observed := fmt.Sprintf("ports %s, and no %d", strings.Join(has, ", "), number)
	return Backend{
		State: BackendBroken, Words: fmt.Sprintf("can't be reached: %s has no port %d (it has %s)", object.Ref, number, strings.Join(has, ", ")),
		Evidence: []finding.Evidence{{Source: object.Ref.String(), Observed: observed, Object: &object.Ref}},
		Remedies: []finding.Remedy{{
			Action:  fmt.Sprintf("Give %s the port %d, or correct the port where the Service is referred to.", object.Ref, number),
			Command: c.Session.Kubectl.Command(object, "edit"),
			Risk:    finding.NoRisk,
		}},
	}
}

// endpointsOf judges a Service by its EndpointSlices, whoever writes them.
func (c *Checker) endpointsOf(ctx context.Context, object *session.Object, current *corev1.Service, port *corev1.ServicePort) Backend {
	lists, err := c.Session.Reader.List(ctx, cluster.EndpointSlices(), object.Ref.Namespace, cluster.Selector{Labels: discoveryv1.LabelServiceName + "=" + object.Ref.Name})
	what := "the EndpointSlices of " + object.Ref.String()
	if err != nil {
		return unknownBackend(what, err)
	}
	ready := 0
	for i := range lists {
		endpoints, err := session.As[discoveryv1.EndpointSlice](&lists[i])
		if err != nil {
			return unknownBackend(what, err)
		}
		ready += readyAddresses(endpoints, port.Name)
	}
	evidence := finding.Evidence{Source: what, Observed: fmt.Sprintf("%d ready for port %d", ready, port.Port), Object: &object.Ref}
	if ready > 0 {
		return Backend{State: BackendUp, Words: fmt.Sprintf("is up: %s has ready endpoints", object.Ref), Evidence: []finding.Evidence{evidence}}
	}
	if len(current.Spec.Selector) == 0 {
		return Backend{
			State: BackendBroken, Words: fmt.Sprintf("has no ready endpoints: those of %s are written by hand, and none of them is ready for port %d", object.Ref, port.Port),
			Evidence: []finding.Evidence{evidence},
			Remedies: []finding.Remedy{{
				Action:  fmt.Sprintf("%s selects no pods: write a ready address into an EndpointSlice of its own.", object.Ref),
				Command: append(c.Session.Kubectl.Prefix(object.Ref), "get", "endpointslices.discovery.k8s.io", "-l", discoveryv1.LabelServiceName+"="+object.Ref.Name, "-o", "yaml"),
				Risk:    finding.NoRisk,
			}},
		}
	}
	found := c.behind(ctx, object, current)
	found.Evidence = append([]finding.Evidence{evidence}, found.Evidence...)
	return found
}

// readyAddresses counts the addresses that the API server would send a request to. A condition that
// isn't set counts as ready (k8s.io/api discovery/v1 EndpointConditions).
func readyAddresses(endpoints *discoveryv1.EndpointSlice, port string) (ready int) {
	offered := slices.ContainsFunc(endpoints.Ports, func(p discoveryv1.EndpointPort) bool {
		return p.Port != nil && (p.Name == nil && port == "" || p.Name != nil && *p.Name == port)
	})
	if !offered {
		return 0
	}
	for _, endpoint := range endpoints.Endpoints {
		if endpoint.Conditions.Ready == nil || *endpoint.Conditions.Ready {
			ready += len(endpoint.Addresses)
		}
	}
	return ready
}

// addNamespace tells of the namespace of a broken backend: in one that is being deleted nothing can
// start, and in one that is gone there is nothing.
func (c *Checker) addNamespace(ctx context.Context, of Service, found *Backend) {
	namespace, err := c.Session.Read(ctx, cluster.Namespaces(), "", of.Namespace)
	switch {
	case apierrors.IsNotFound(err):
		found.Evidence = append(found.Evidence, finding.Evidence{Source: "Namespace " + of.Namespace, Observed: "not found"})
		found.Words += ", and so is its namespace"
		found.Remedies = []finding.Remedy{{Action: fmt.Sprintf("Install again what Service %s belonged to, if it is still wanted. Its whole namespace is gone.", of.Path()), Risk: finding.NoRisk}}
	case err == nil && namespace.Terminating():
		found.namespaceTerminating = true
		at := namespace.RequestedAt()
		found.Evidence = append(found.Evidence, finding.Evidence{Source: namespace.Ref.String(), Observed: fmt.Sprintf("deleted %s ago", c.Session.Ago(at)), Object: &namespace.Ref, At: &at})
		found.Words += fmt.Sprintf("; nothing can start there any more, because %s is being deleted", namespace.Ref)
		found.Remedies = []finding.Remedy{{
			Action: fmt.Sprintf("Install it in another namespace, if it is still wanted, and refer to that. In %s it can't come back: pods can't be created in a namespace that is being deleted.", of.Namespace),
			Risk:   finding.NoRisk,
		}}
	}
}

func unknownBackend(what string, err error) Backend {
	why := "that failed"
	if apierrors.IsForbidden(err) {
		why = "you may not do that"
	}
	return Backend{State: BackendUnknown, Words: fmt.Sprintf("can't be judged without reading %s, and %s", what, why)}
}
