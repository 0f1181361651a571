package clustertest

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// kinds are those that things wait for, or that run what they wait for: GROUP/VERSION, and for each kind
// RESOURCE=KIND, with a star for those that stand in no namespace.
const kinds = `
v1 pods=Pod nodes=*Node namespaces=*Namespace persistentvolumeclaims=PersistentVolumeClaim persistentvolumes=*PersistentVolume
v1 configmaps=ConfigMap services=Service events=Event secrets=Secret
coordination.k8s.io/v1 leases=Lease
apiextensions.k8s.io/v1 customresourcedefinitions=*CustomResourceDefinition
apiregistration.k8s.io/v1 apiservices=*APIService
batch/v1 jobs=Job cronjobs=CronJob
apps/v1 statefulsets=StatefulSet replicasets=ReplicaSet deployments=Deployment daemonsets=DaemonSet
discovery.k8s.io/v1 endpointslices=EndpointSlice
admissionregistration.k8s.io/v1 validatingwebhookconfigurations=*ValidatingWebhookConfiguration
admissionregistration.k8s.io/v1 mutatingwebhookconfigurations=*MutatingWebhookConfiguration
admissionregistration.k8s.io/v1 validatingadmissionpolicies=*ValidatingAdmissionPolicy
admissionregistration.k8s.io/v1 validatingadmissionpolicybindings=*ValidatingAdmissionPolicyBinding
admissionregistration.k8s.io/v1 mutatingadmissionpolicies=*MutatingAdmissionPolicy
admissionregistration.k8s.io/v1 mutatingadmissionpolicybindings=*MutatingAdmissionPolicyBinding
storage.k8s.io/v1 csidrivers=*CSIDriver volumeattachments=*VolumeAttachment volumeattributesclasses=*VolumeAttributesClass
resource.k8s.io/v1 resourceclaims=ResourceClaim
networking.k8s.io/v1 servicecidrs=*ServiceCIDR ipaddresses=*IPAddress
scheduling.k8s.io/v1beta1 podgroups=PodGroup
shop.example.com/v1 databases=Database
ceph.rook.io/v1 cephobjectstores=CephObjectStore cephobjectstoreusers=CephObjectStoreUser
sql.crossplane.example/v1 providerconfigs=*ProviderConfig providerconfigusages=*ProviderConfigUsage
snapshot.storage.k8s.io/v1 volumesnapshots=VolumeSnapshot volumesnapshotcontents=*VolumeSnapshotContent
cluster.x-k8s.io/v1beta2 machinesets=MachineSet machines=Machine
argoproj.io/v1alpha1 appprojects=AppProject`

// served returns the kinds as a server of them does.
func served() (resources []cluster.Resource) {
	for line := range strings.Lines(kinds) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		version, _ := schema.ParseGroupVersion(words[0])
		for _, word := range words[1:] {
			resource, kind, _ := strings.Cut(word, "=")
			resources = append(resources, cluster.Resource{
				GroupVersionResource: version.WithResource(resource), Kind: strings.TrimPrefix(kind, "*"), Namespaced: kind[0] != '*',
				Verbs: []string{"get", "list", "watch", "delete"},
			})
		}
	}
	return resources
}
