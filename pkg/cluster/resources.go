package cluster

import (
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Resources of Kubernetes itself that mechanisms read by name: their group, version and scope need no discovery.

// Pods returns the resource of Pods.
func Pods() Resource { return namespaced("", "Pod") }

// Nodes returns the resource of Nodes.
func Nodes() Resource { return clusterScoped("", "Node") }

// Namespaces returns the resource of Namespaces.
func Namespaces() Resource { return clusterScoped("", "Namespace") }

// Events returns the resource of Events.
func Events() Resource { return namespaced("", "Event") }

// ConfigMaps is the resource of ConfigMaps.
func ConfigMaps() Resource { return namespaced("", "ConfigMap") }

// Endpoints is the resource of Endpoints.
func Endpoints() Resource {
	endpoints := namespaced("", "Endpoints")
	endpoints.Resource = "endpoints"
	return endpoints
}

// PersistentVolumeClaims returns the resource of PersistentVolumeClaims.
func PersistentVolumeClaims() Resource { return namespaced("", "PersistentVolumeClaim") }

// PersistentVolumes returns the resource of PersistentVolumes.
func PersistentVolumes() Resource { return clusterScoped("", "PersistentVolume") }

// Services returns the resource of Services.
func Services() Resource { return namespaced("", "Service") }

// EndpointSlices returns the resource of what answers behind Services.
func EndpointSlices() Resource { return namespaced("discovery.k8s.io", "EndpointSlice") }

// Deployments returns the resource of Deployments.
func Deployments() Resource { return namespaced("apps", "Deployment") }

// StatefulSets returns the resource of StatefulSets.
func StatefulSets() Resource { return namespaced("apps", "StatefulSet") }

// DaemonSets returns the resource of DaemonSets.
func DaemonSets() Resource { return namespaced("apps", "DaemonSet") }

// WorkloadKinds returns the kinds that controllers usually run as.
func WorkloadKinds() []Resource { return []Resource{Deployments(), StatefulSets(), DaemonSets()} }

// ReplicaSets returns the resource of ReplicaSets.
func ReplicaSets() Resource { return namespaced("apps", "ReplicaSet") }

// ReplicationControllers returns the resource of ReplicationControllers.
func ReplicationControllers() Resource { return namespaced("", "ReplicationController") }

// Jobs returns the resource of Jobs.
func Jobs() Resource { return namespaced("batch", "Job") }

// CronJobs returns the resource of CronJobs.
func CronJobs() Resource { return namespaced("batch", "CronJob") }

// Leases returns the resource of Leases.
func Leases() Resource { return namespaced("coordination.k8s.io", "Lease") }

// PodDisruptionBudgets returns the resource of PodDisruptionBudgets.
func PodDisruptionBudgets() Resource { return namespaced("policy", "PodDisruptionBudget") }

// ResourceQuotas returns the resource of ResourceQuotas.
func ResourceQuotas() Resource { return namespaced("", "ResourceQuota") }

// LimitRanges returns the resource of LimitRanges.
func LimitRanges() Resource { return namespaced("", "LimitRange") }

// HorizontalPodAutoscalers returns the resource of HorizontalPodAutoscalers.
func HorizontalPodAutoscalers() Resource { return namespaced("autoscaling", "HorizontalPodAutoscaler") }

// APIServices returns the resource of APIServices.
func APIServices() Resource { return clusterScoped("apiregistration.k8s.io", "APIService") }

// CustomResourceDefinitions returns the resource of CustomResourceDefinitions.
func CustomResourceDefinitions() Resource {
	return clusterScoped("apiextensions.k8s.io", "CustomResourceDefinition")
}

// ServiceAccounts returns the resource of ServiceAccounts.
func ServiceAccounts() Resource { return namespaced("", "ServiceAccount") }

// Roles returns the resource of Roles.
func Roles() Resource { return namespaced(rbacv1.GroupName, "Role") }

// ClusterRoles returns the resource of ClusterRoles.
func ClusterRoles() Resource { return clusterScoped(rbacv1.GroupName, "ClusterRole") }

// RoleBindings returns the resource of RoleBindings.
func RoleBindings() Resource { return namespaced(rbacv1.GroupName, "RoleBinding") }

// ClusterRoleBindings returns the resource of ClusterRoleBindings.
func ClusterRoleBindings() Resource { return clusterScoped(rbacv1.GroupName, "ClusterRoleBinding") }

// PriorityClasses returns the resource of PriorityClasses.
func PriorityClasses() Resource { return clusterScoped("scheduling.k8s.io", "PriorityClass") }

// RuntimeClasses returns the resource of RuntimeClasses.
func RuntimeClasses() Resource { return clusterScoped("node.k8s.io", "RuntimeClass") }

func clusterScoped(group, kind string) Resource {
	resource, _ := GuessPlural(schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind})
	return Resource{GroupVersionResource: resource, Kind: kind}
}

func namespaced(group, kind string) Resource {
	resource := clusterScoped(group, kind)
	resource.Namespaced = true
	return resource
}
