package rescue

import "github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"

// isRecord reports whether an object is a record that a controller of Kubernetes keeps for itself: no loss.
func isRecord(object *session.Object) bool {
	return object.Is("apps", "ControllerRevision") || object.Is("discovery.k8s.io", "EndpointSlice") ||
		object.Ref.Kind == "Event"
}
