package clustertest

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// usedKinds are the kinds of Kubernetes that things wait for, or that run what they wait for.
func usedKinds() []cluster.Resource {
	return []cluster.Resource{
		kind("", "v1", "services", "Service", true),
		kind("", "v1", "events", "Event", true),
		kind("", "v1", "secrets", "Secret", true),
		kind("apps", "v1", "deployments", "Deployment", true),
		kind("apps", "v1", "daemonsets", "DaemonSet", true),
		kind("storage.k8s.io", "v1", "csidrivers", "CSIDriver", false),
		kind("storage.k8s.io", "v1", "volumeattachments", "VolumeAttachment", false),
		kind("storage.k8s.io", "v1", "volumeattributesclasses", "VolumeAttributesClass", false),
		kind("resource.k8s.io", "v1", "resourceclaims", "ResourceClaim", true),
		kind("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR", false),
		kind("networking.k8s.io", "v1", "ipaddresses", "IPAddress", false),
		kind("scheduling.k8s.io", "v1beta1", "podgroups", "PodGroup", true),
		kind("ceph.rook.io", "v1", "cephobjectstores", "CephObjectStore", true),
		kind("ceph.rook.io", "v1", "cephobjectstoreusers", "CephObjectStoreUser", true),
		kind("sql.crossplane.example", "v1", "providerconfigs", "ProviderConfig", false),
		kind("sql.crossplane.example", "v1", "providerconfigusages", "ProviderConfigUsage", false),
		kind("snapshot.storage.k8s.io", "v1", "volumesnapshots", "VolumeSnapshot", true),
		kind("snapshot.storage.k8s.io", "v1", "volumesnapshotcontents", "VolumeSnapshotContent", false),
		kind("cluster.x-k8s.io", "v1beta2", "machinesets", "MachineSet", true),
		kind("cluster.x-k8s.io", "v1beta2", "machines", "Machine", true),
		kind("argoproj.io", "v1alpha1", "appprojects", "AppProject", true),
	}
}

func kind(group, version, resource, name string, namespaced bool) cluster.Resource {
	return cluster.Resource{
		GroupVersionResource: schema.GroupVersionResource{Group: group, Version: version, Resource: resource},
		Kind:                 name, Namespaced: namespaced,
	}
}
