package health

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

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
	return cmp.Or(s.Port, 443)
}

// HookService returns the Service that a webhook is called through.
func HookService(client admissionregistrationv1.WebhookClientConfig) (Service, bool) {
	if client.Service == nil {
		return Service{}, false
	}
	service := Service{Namespace: client.Service.Namespace, Name: client.Service.Name}
	if client.Service.Port != nil {
		service.Port = *client.Service.Port
	}
	return service, true
}

// Unread reports whether nothing is known of it because something could not be read.
func (b Backend) Unread() bool {
	return b.State == BackendUnknown && finding.Is(b.Words.Situation, finding.NotRead)
}

type backendState string

const (
	BackendBroken  backendState = "broken"
	BackendUp      backendState = "up"
	BackendUnknown backendState = "unknown"
)

// Backend is what is known about the programs behind a Service.
type Backend struct {
	State    backendState
	Words    finding.Phrase // completes "its backend …"
	Evidence []finding.Evidence
	Remedies []finding.Remedy // how to bring it back, safest first
}

// Backend looks for what answers behind a Service: the Service, its EndpointSlices, and only when no address of those
// is ready, the pods and what runs them (docs/deletion.md#discovery-failures).
func (c *Checker) Backend(ctx context.Context, service Service) Backend {
	found, _ := c.backends.Get(service, func() (Backend, error) {
		found := c.serviceOf(ctx, service)
		if found.State == BackendBroken {
			addNamespace(ctx, c.Session, service, &found)
		}
		return found, nil
	})
	found.Evidence, found.Remedies = slices.Clone(found.Evidence), slices.Clone(found.Remedies)
	return found
}

func (c *Checker) serviceOf(ctx context.Context, service Service) Backend {
	object := session.Named(cluster.Services(), service.Namespace, service.Name)
	details := finding.BackendDetails{Service: object.Ref, Port: service.Number()}
	current, err := session.ReadAs[corev1.Service](ctx, c.Session, object)
	if apierrors.IsNotFound(err) {
		details.Already = c.Session.Already(ctx, cluster.Services(), service.Namespace, service.Name)
		return Backend{
			State: BackendBroken, Words: finding.Phrase{Situation: "ServiceMissing", Details: details},
			Evidence: []finding.Evidence{object.Ref.NotFound().Ranked(finding.Told)},
			Remedies: []finding.Remedy{{
				Step: "ReinstallService", Details: details,
				Command: c.Session.Kubectl.Prefix(object.Ref, "get", "deployments,statefulsets,daemonsets,services"),
			}},
		}
	}
	if err != nil {
		return unknownBackend(object.Ref.String(), err)
	}
	if current.Spec.Type == corev1.ServiceTypeExternalName {
		details.Outside = current.Spec.ExternalName
		return Backend{
			State: BackendUnknown, Words: finding.Phrase{Situation: "ServiceNamesOutside", Details: details},
			Evidence: []finding.Evidence{object.Ref.Observed("type ExternalName: %s", details.Outside)},
		}
	}
	port := slices.IndexFunc(current.Spec.Ports, func(port corev1.ServicePort) bool {
		return port.Port == service.Number() && (port.Protocol == corev1.ProtocolTCP || port.Protocol == "")
	})
	if port < 0 {
		return portMissing(c.Session, object, current, service.Number())
	}
	return c.endpointsOf(ctx, object, current, &current.Spec.Ports[port])
}

func portMissing(reads *session.Session, object *session.Object, current *corev1.Service, number int32) Backend {
	details := finding.BackendDetails{Service: object.Ref, Port: number}
	for _, port := range current.Spec.Ports {
		details.Ports = append(details.Ports, fmt.Sprint(port.Port))
	}
	edit := reads.Kubectl.Command(object, "edit")
	ports := object.Ref.Observed("has the ports %s, but no %d", strings.Join(details.Ports, ", "), number)
	return Backend{
		State: BackendBroken, Words: finding.Phrase{Situation: "ServicePortMissing", Details: details},
		Evidence: []finding.Evidence{ports.Ranked(finding.Told)},
		Remedies: []finding.Remedy{{Step: "AddServicePort", Details: details, Command: edit}},
	}
}

// endpointsOf judges a Service by its EndpointSlices, whoever writes them.
func (c *Checker) endpointsOf(
	ctx context.Context, object *session.Object, current *corev1.Service, port *corev1.ServicePort,
) Backend {
	label := labels.Set{discoveryv1.LabelServiceName: object.Ref.Name}.String()
	what, selector := "the EndpointSlices of "+object.Ref.String(), cluster.Selector{Labels: label}
	listed, err := c.Session.Reader.List(ctx, cluster.EndpointSlices(), object.Ref.Namespace, selector)
	if err != nil {
		return unknownBackend(what, err)
	}
	ready := 0
	for i := range listed {
		endpoints, err := session.As[discoveryv1.EndpointSlice](&listed[i])
		if err != nil {
			return unknownBackend(what, err)
		}
		ready += readyAddresses(endpoints, port.Name)
	}
	details := finding.BackendDetails{Service: object.Ref, Port: port.Port}
	counted := finding.Observed(what, "%d ready for port %d", ready, port.Port).Of(object.Ref)
	found := Backend{
		State: BackendUp, Words: finding.Phrase{Situation: "ServiceReady", Details: details},
		Evidence: []finding.Evidence{counted},
	}
	switch {
	case ready > 0:
	case len(current.Spec.Selector) == 0:
		command := c.Session.Kubectl.Prefix(object.Ref, "get", "endpointslices.discovery.k8s.io", "-l", label, "-o",
			"yaml")
		found.State, found.Words.Situation = BackendBroken, "EndpointsNotReady"
		found.Remedies = []finding.Remedy{{Step: "WriteEndpoints", Details: details, Command: command}}
	default:
		behind := c.behind(ctx, object, current)
		behind.Evidence = append(found.Evidence, behind.Evidence...)
		return behind
	}
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

// addNamespace looks at the namespace of a broken backend: in one that is being deleted nothing can start.
func addNamespace(ctx context.Context, reads *session.Session, of Service, found *Backend) {
	namespace, err := reads.Read(ctx, cluster.Namespaces(), "", of.Namespace)
	phrase := found.Words
	switch {
	case apierrors.IsNotFound(err):
		gone := finding.Observed("Namespace "+of.Namespace, "not found").Ranked(finding.Told)
		found.Evidence = append(found.Evidence, gone)
		service := session.Named(cluster.Services(), of.Namespace, of.Name).Ref
		home := session.Named(cluster.Namespaces(), "", of.Namespace).Ref
		details := finding.BackendDetails{Backend: &phrase, Service: service, Namespace: &home}
		details.Already = reads.Already(ctx, cluster.Namespaces(), "", of.Namespace)
		found.Words = finding.Phrase{Situation: "NamespaceGone", Details: details}
		found.Remedies = []finding.Remedy{{
			Step: "ReinstallNamespace", Details: finding.StepDetails{Object: &service},
			Command: append(reads.Kubectl.Prefix(finding.Ref{}), "create", "namespace", of.Namespace),
		}}
	case err == nil && namespace.Terminating():
		at := namespace.RequestedAt()
		going := namespace.Ref.Observed("%s", reads.Deleted(at)).When(at).Ranked(finding.Told)
		found.Evidence = append(found.Evidence, going)
		details := finding.BackendDetails{
			Backend: &phrase, Namespace: &namespace.Ref, Already: reads.Foresees && !reads.DeletedThen(at),
		}
		found.Words = finding.Phrase{Situation: "NamespaceGoing", Details: details}
		found.Remedies = []finding.Remedy{{Step: "ReinstallElsewhere", Details: finding.StepDetails{Name: of.Namespace}}}
	}
}

func unknownBackend(what string, err error) Backend {
	details := finding.BackendDetails{Unread: what, Forbidden: apierrors.IsForbidden(err)}
	return Backend{State: BackendUnknown, Words: finding.Phrase{Situation: "ServiceUnread", Details: details}}
}

// APIService is what of an APIService reports whether and by whom its version is served.
type APIService struct {
	Spec struct {
		Service *struct {
			Namespace string `json:"namespace"`
			Name      string `json:"name"`
			Port      int32  `json:"port"`
		} `json:"service"`
	} `json:"spec"`
	Status struct {
		Conditions []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

func (a *APIService) Backend() Service {
	return Service{Namespace: a.Spec.Service.Namespace, Name: a.Spec.Service.Name, Port: a.Spec.Service.Port}
}

// Available returns the condition Available; an empty one if kube-apiserver has not written it yet.
func (a *APIService) Available() metav1.Condition {
	if condition := meta.FindStatusCondition(a.Status.Conditions, "Available"); condition != nil {
		return *condition
	}
	return metav1.Condition{}
}
