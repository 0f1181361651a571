package cluster

import "k8s.io/apimachinery/pkg/runtime/schema"

// Resources of Kubernetes itself that mechanisms read by name. Their group, version and scope are
// part of the API and need no discovery.

// Pods returns the resource of Pods.
func Pods() Resource { return namespaced("", "pods", "Pod") }

// Nodes returns the resource of Nodes.
func Nodes() Resource { return clusterScoped("", "nodes", "Node") }

// Namespaces returns the resource of Namespaces.
func Namespaces() Resource { return clusterScoped("", "namespaces", "Namespace") }

// Events returns the resource of Events.
func Events() Resource { return namespaced("", "events", "Event") }

// PersistentVolumeClaims returns the resource of PersistentVolumeClaims.
func PersistentVolumeClaims() Resource {
	return namespaced("", "persistentvolumeclaims", "PersistentVolumeClaim")
}

// PersistentVolumes returns the resource of PersistentVolumes.
func PersistentVolumes() Resource { return clusterScoped("", "persistentvolumes", "PersistentVolume") }

// Services returns the resource of Services.
func Services() Resource { return namespaced("", "services", "Service") }

// EndpointSlices returns the resource of what answers behind Services.
func EndpointSlices() Resource {
	return namespaced("discovery.k8s.io", "endpointslices", "EndpointSlice")
}

// Deployments returns the resource of Deployments.
func Deployments() Resource { return namespaced("apps", "deployments", "Deployment") }

// StatefulSets returns the resource of StatefulSets.
func StatefulSets() Resource { return namespaced("apps", "statefulsets", "StatefulSet") }

// DaemonSets returns the resource of DaemonSets.
func DaemonSets() Resource { return namespaced("apps", "daemonsets", "DaemonSet") }

// Leases returns the resource of Leases.
func Leases() Resource { return namespaced("coordination.k8s.io", "leases", "Lease") }

// APIServices returns the resource of APIServices.
func APIServices() Resource {
	return clusterScoped("apiregistration.k8s.io", "apiservices", "APIService")
}

// CustomResourceDefinitions returns the resource of CustomResourceDefinitions.
func CustomResourceDefinitions() Resource {
	return clusterScoped("apiextensions.k8s.io", "customresourcedefinitions", "CustomResourceDefinition")
}

// ServiceAccounts returns the resource of ServiceAccounts.
func ServiceAccounts() Resource { return namespaced("", "serviceaccounts", "ServiceAccount") }

const rbac = "rbac.authorization.k8s.io"

// Roles returns the resource of Roles.
func Roles() Resource { return namespaced(rbac, "roles", "Role") }

// ClusterRoles returns the resource of ClusterRoles.
func ClusterRoles() Resource { return clusterScoped(rbac, "clusterroles", "ClusterRole") }

// RoleBindings returns the resource of RoleBindings.
func RoleBindings() Resource { return namespaced(rbac, "rolebindings", "RoleBinding") }

// ClusterRoleBindings returns the resource of ClusterRoleBindings.
func ClusterRoleBindings() Resource {
	return clusterScoped(rbac, "clusterrolebindings", "ClusterRoleBinding")
}

func clusterScoped(group, resource, kind string) Resource {
	return Resource{
		GroupVersionResource: schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}, Kind: kind,
	}
}

func namespaced(group, resource, kind string) Resource {
	of := clusterScoped(group, resource, kind)
	of.Namespaced = true
	return of
}
