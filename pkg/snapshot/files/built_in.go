package files

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

func allVerbs() []string { return []string{"get", "list", "watch", "delete"} }

// guess returns what objects of a kind are called as a rule.
func guess(kind schema.GroupVersionKind) schema.GroupVersionResource {
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	return plural
}

// BuiltIn returns kinds of Kubernetes itself, as kubectl knows them.
func BuiltIn() []cluster.Resource { return Kinds(builtIn) }

// Kinds reads a table of kinds: lines of GROUP/VERSION, and for each kind Kind[=plural][/short name], with a star for those
// that stand in no namespace.
func Kinds(table string) (all []cluster.Resource) {
	for line := range strings.Lines(table) {
		group, kinds, _ := strings.Cut(strings.TrimSpace(line), " ")
		version, _ := schema.ParseGroupVersion(group)
		for word := range strings.FieldsSeq(kinds) {
			word, inNone := strings.CutPrefix(word, "*")
			word, short, _ := strings.Cut(word, "/")
			kind, plural, _ := strings.Cut(word, "=")
			resource := cluster.Resource{
				GroupVersionResource: guess(version.WithKind(kind)), Kind: kind, Namespaced: !inNone,
				Singular: strings.ToLower(kind), ShortNames: strings.Fields(short), Verbs: allVerbs(),
			}
			if plural != "" {
				resource.Resource = plural
			}
			all = append(all, resource)
		}
	}
	return all
}

const builtIn = `v1 Pod/po Service/svc Endpoints=endpoints/ep ConfigMap/cm Secret ServiceAccount/sa PersistentVolumeClaim/pvc
v1 ReplicationController/rc ResourceQuota/quota LimitRange/limits Event/ev PodTemplate *Namespace/ns *Node/no
v1 *PersistentVolume/pv
apps/v1 Deployment/deploy StatefulSet/sts DaemonSet/ds ReplicaSet/rs ControllerRevision
batch/v1 Job CronJob/cj
autoscaling/v2 HorizontalPodAutoscaler/hpa
policy/v1 PodDisruptionBudget/pdb
coordination.k8s.io/v1 Lease
discovery.k8s.io/v1 EndpointSlice
networking.k8s.io/v1 Ingress/ing NetworkPolicy/netpol *IngressClass *ServiceCIDR *IPAddress/ip
rbac.authorization.k8s.io/v1 Role RoleBinding *ClusterRole *ClusterRoleBinding
storage.k8s.io/v1 *StorageClass/sc *VolumeAttachment *CSIDriver *CSINode *VolumeAttributesClass/vac CSIStorageCapacity
apiextensions.k8s.io/v1 *CustomResourceDefinition/crd
apiregistration.k8s.io/v1 *APIService
admissionregistration.k8s.io/v1 *ValidatingWebhookConfiguration *MutatingWebhookConfiguration
admissionregistration.k8s.io/v1 *ValidatingAdmissionPolicy *ValidatingAdmissionPolicyBinding
admissionregistration.k8s.io/v1 *MutatingAdmissionPolicy *MutatingAdmissionPolicyBinding
resource.k8s.io/v1 ResourceClaim ResourceClaimTemplate *ResourceSlice *DeviceClass
scheduling.k8s.io/v1 *PriorityClass/pc
certificates.k8s.io/v1 *CertificateSigningRequest/csr
node.k8s.io/v1 *RuntimeClass`
