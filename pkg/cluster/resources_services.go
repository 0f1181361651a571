package cluster

import "k8s.io/apimachinery/pkg/runtime/schema"

// Services returns the resource of Services.
func Services() Resource { return core("services", "Service", true) }

// EndpointSlices returns the resource of what answers behind Services.
func EndpointSlices() Resource {
	return grouped("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true)
}

// Deployments returns the resource of Deployments.
func Deployments() Resource { return grouped("apps", "v1", "deployments", "Deployment", true) }

// StatefulSets returns the resource of StatefulSets.
func StatefulSets() Resource { return grouped("apps", "v1", "statefulsets", "StatefulSet", true) }

// DaemonSets returns the resource of DaemonSets.
func DaemonSets() Resource { return grouped("apps", "v1", "daemonsets", "DaemonSet", true) }

// APIServices returns the resource of APIServices.
func APIServices() Resource {
	return grouped("apiregistration.k8s.io", "v1", "apiservices", "APIService", false)
}

// CustomResourceDefinitions returns the resource of CustomResourceDefinitions.
func CustomResourceDefinitions() Resource {
	return grouped("apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", false)
}

func grouped(group, version, resource, kind string, namespaced bool) Resource {
	return Resource{
		GroupVersionResource: schema.GroupVersionResource{Group: group, Version: version, Resource: resource},
		Kind:                 kind, Namespaced: namespaced,
	}
}
