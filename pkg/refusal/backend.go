package refusal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
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
	Evidence []graph.Evidence
	Remedies []graph.Remedy // how to bring it back, safest first
	workload *facts.Object  // the Deployment, StatefulSet, DaemonSet or Pod behind it, if one was found
	// namespaceTerminating says that its namespace is being deleted, so that nothing new can start
	// there (deletion-mechanics M17-N).
	namespaceTerminating bool
}

// Backend looks for what answers behind a Service: the Service, its EndpointSlices, and only when no
// address of those is ready, the pods and what runs them (deletion-mechanics M17-3, M21).
func (w *World) Backend(ctx context.Context, of Service) Backend {
	found := w.serviceOf(ctx, of)
	if found.State == BackendBroken {
		w.addNamespace(ctx, of, &found)
	}
	return found
}

func (w *World) serviceOf(ctx context.Context, of Service) Backend {
	object := facts.Named(cluster.Services(), of.Namespace, of.Name)
	whole, err := w.Reader.Get(ctx, object.Resource, of.Namespace, of.Name)
	if apierrors.IsNotFound(err) {
		return Backend{
			State: BackendBroken, Words: "does not exist: " + object.Ref.String() + " is missing",
			Evidence: []graph.Evidence{{Source: object.Ref.String(), Observed: "not found"}},
			Remedies: []graph.Remedy{{
				Action:  fmt.Sprintf("Install again what %s belonged to, if it is still wanted. See what is left of it.", object.Ref),
				Command: append(w.Kubectl.Prefix(object.Ref), "get", "deployments,statefulsets,daemonsets,services"),
				Risk:    graph.NoRisk,
			}},
		}
	}
	if err != nil {
		return unknownBackend(object.Ref.String(), err)
	}
	current, err := facts.As[corev1.Service](whole)
	if err != nil {
		return unknownBackend(object.Ref.String(), err)
	}
	object.Ref.UID, object.Whole = string(current.UID), whole
	if current.Spec.Type == corev1.ServiceTypeExternalName {
		said := fmt.Sprintf("%s is the name of something outside the cluster: %s", object.Ref, current.Spec.ExternalName)
		return Backend{State: BackendUnknown, Words: "can't be judged: " + said, Evidence: []graph.Evidence{{Source: object.Ref.String(), Observed: "type ExternalName: " + current.Spec.ExternalName, Object: &object.Ref}}}
	}
	port := portOf(current, of.Number())
	if port == nil {
		return w.portMissing(object, current, of.Number())
	}
	return w.endpointsOf(ctx, object, current, port)
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

func (w *World) portMissing(object *facts.Object, current *corev1.Service, number int32) Backend {
	var has []string
	for _, port := range current.Spec.Ports {
		has = append(has, fmt.Sprint(port.Port))
	}
	observed := fmt.Sprintf("ports %s, and no %d", strings.Join(has, ", "), number)
	return Backend{
		State: BackendBroken, Words: fmt.Sprintf("can't be reached: %s has no port %d (it has %s)", object.Ref, number, strings.Join(has, ", ")),
		Evidence: []graph.Evidence{{Source: object.Ref.String(), Observed: observed, Object: &object.Ref}},
		Remedies: []graph.Remedy{{
			Action:  fmt.Sprintf("Give %s the port %d, or correct the port where the Service is referred to.", object.Ref, number),
			Command: w.Kubectl.Command(object, "edit"),
			Risk:    graph.NoRisk,
		}},
	}
}

// endpointsOf judges a Service by its EndpointSlices, whoever writes them.
func (w *World) endpointsOf(ctx context.Context, object *facts.Object, current *corev1.Service, port *corev1.ServicePort) Backend {
	lists, err := w.Reader.List(ctx, cluster.EndpointSlices(), object.Ref.Namespace, cluster.Selector{Labels: discoveryv1.LabelServiceName + "=" + object.Ref.Name})
	what := "the EndpointSlices of " + object.Ref.String()
	if err != nil {
		return unknownBackend(what, err)
	}
	ready := 0
	for i := range lists {
		endpoints, err := facts.As[discoveryv1.EndpointSlice](&lists[i])
		if err != nil {
			return unknownBackend(what, err)
		}
		ready += readyAddresses(endpoints, port.Name)
	}
	evidence := graph.Evidence{Source: what, Observed: fmt.Sprintf("%d ready for port %d", ready, port.Port), Object: &object.Ref}
	if ready > 0 {
		return Backend{State: BackendUp, Words: fmt.Sprintf("is up: %s has ready endpoints", object.Ref), Evidence: []graph.Evidence{evidence}}
	}
	if len(current.Spec.Selector) == 0 {
		return Backend{
			State: BackendBroken, Words: fmt.Sprintf("has no ready endpoints: those of %s are written by hand, and none of them is ready for port %d", object.Ref, port.Port),
			Evidence: []graph.Evidence{evidence},
			Remedies: []graph.Remedy{{
				Action:  fmt.Sprintf("%s selects no pods: write a ready address into an EndpointSlice of its own.", object.Ref),
				Command: append(w.Kubectl.Prefix(object.Ref), "get", "endpointslices.discovery.k8s.io", "-l", discoveryv1.LabelServiceName+"="+object.Ref.Name, "-o", "yaml"),
				Risk:    graph.NoRisk,
			}},
		}
	}
	found := w.behind(ctx, object, current)
	found.Evidence = append([]graph.Evidence{evidence}, found.Evidence...)
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
func (w *World) addNamespace(ctx context.Context, of Service, found *Backend) {
	namespace, err := w.Read(ctx, cluster.Namespaces(), "", of.Namespace)
	switch {
	case apierrors.IsNotFound(err):
		found.Evidence = append(found.Evidence, graph.Evidence{Source: "Namespace " + of.Namespace, Observed: "not found"})
		found.Words += ", and so is its namespace"
		found.Remedies = []graph.Remedy{{Action: fmt.Sprintf("Install again what Service %s belonged to, if it is still wanted. Its whole namespace is gone.", of.Path()), Risk: graph.NoRisk}}
	case err == nil && namespace.Terminating():
		found.namespaceTerminating = true
		at := namespace.RequestedAt()
		found.Evidence = append(found.Evidence, graph.Evidence{Source: namespace.Ref.String(), Observed: fmt.Sprintf("deleted %s ago", w.Ago(at)), Object: &namespace.Ref, At: &at})
		found.Words += fmt.Sprintf("; nothing can start there any more, because %s is being deleted", namespace.Ref)
		found.Remedies = []graph.Remedy{{
			Action: fmt.Sprintf("Install it in another namespace, if it is still wanted, and refer to that. In %s it can't come back: pods can't be created in a namespace that is being deleted.", of.Namespace),
			Risk:   graph.NoRisk,
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
