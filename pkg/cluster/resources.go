package cluster

import "k8s.io/apimachinery/pkg/runtime/schema"

// Resources of Kubernetes itself that mechanisms read by name. Their group, version and scope are
// part of the API and need no discovery.

// Pods are the resource of Pod.
func Pods() Resource { return core("pods", "Pod", true) }

// Nodes are the resource of Node.
func Nodes() Resource { return core("nodes", "Node", false) }

// Namespaces are the resource of Namespace.
func Namespaces() Resource { return core("namespaces", "Namespace", false) }

// PersistentVolumeClaims are the resource of PersistentVolumeClaim.
func PersistentVolumeClaims() Resource {
	return core("persistentvolumeclaims", "PersistentVolumeClaim", true)
}

// PersistentVolumes are the resource of PersistentVolume.
func PersistentVolumes() Resource { return core("persistentvolumes", "PersistentVolume", false) }

// Leases are the resource of Lease.
func Leases() Resource {
	return Resource{
		GroupVersionResource: schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"},
		Kind:                 "Lease", Namespaced: true,
	}
}

func core(resource, kind string, namespaced bool) Resource {
	return Resource{
		GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: resource},
		Kind:                 kind, Namespaced: namespaced,
	}
}

// Events are the resource of Event.
func Events() Resource { return core("events", "Event", true) }
