package clustertest

// kinds are those that things wait for, or that run what they wait for, as a table of files.Kinds.
const kinds = `v1 Pod *Node *Namespace PersistentVolumeClaim *PersistentVolume ConfigMap Service Event Secret
coordination.k8s.io/v1 Lease
apiextensions.k8s.io/v1 *CustomResourceDefinition
apiregistration.k8s.io/v1 *APIService
batch/v1 Job CronJob
apps/v1 StatefulSet ReplicaSet Deployment DaemonSet
discovery.k8s.io/v1 EndpointSlice
admissionregistration.k8s.io/v1 *ValidatingWebhookConfiguration *MutatingWebhookConfiguration
admissionregistration.k8s.io/v1 *ValidatingAdmissionPolicy *ValidatingAdmissionPolicyBinding
admissionregistration.k8s.io/v1 *MutatingAdmissionPolicy *MutatingAdmissionPolicyBinding
storage.k8s.io/v1 *CSIDriver *VolumeAttachment *VolumeAttributesClass
resource.k8s.io/v1 ResourceClaim
networking.k8s.io/v1 *ServiceCIDR *IPAddress
scheduling.k8s.io/v1beta1 PodGroup
shop.example.com/v1 Database
ceph.rook.io/v1 CephObjectStore CephObjectStoreUser
sql.crossplane.example/v1 *ProviderConfig *ProviderConfigUsage
snapshot.storage.k8s.io/v1 VolumeSnapshot *VolumeSnapshotContent
cluster.x-k8s.io/v1beta2 MachineSet Machine
argoproj.io/v1alpha1 AppProject`
