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

// BuiltIn are kinds of Kubernetes itself, GROUP/VERSION: Kind[=plural][/short name]. Those that stand in
// no namespace are marked with a star.
func BuiltIn() []cluster.Resource {
	var all []cluster.Resource
	for group, kinds := range map[string]string{
		"/v1":                             "Pod/po Service/svc Endpoints=endpoints/ep ConfigMap/cm Secret ServiceAccount/sa PersistentVolumeClaim/pvc ReplicationController/rc ResourceQuota/quota LimitRange/limits Event/ev PodTemplate *Namespace/ns *Node/no *PersistentVolume/pv",
		"apps/v1":                         "Deployment/deploy StatefulSet/sts DaemonSet/ds ReplicaSet/rs ControllerRevision",
		"batch/v1":                        "Job CronJob/cj",
		"autoscaling/v2":                  "HorizontalPodAutoscaler/hpa",
		"policy/v1":                       "PodDisruptionBudget/pdb",
		"coordination.k8s.io/v1":          "Lease",
		"discovery.k8s.io/v1":             "EndpointSlice",
		"networking.k8s.io/v1":            "Ingress/ing NetworkPolicy/netpol *IngressClass *ServiceCIDR *IPAddress/ip",
		"rbac.authorization.k8s.io/v1":    "Role RoleBinding *ClusterRole *ClusterRoleBinding",
		"storage.k8s.io/v1":               "*StorageClass/sc *VolumeAttachment *CSIDriver *CSINode *VolumeAttributesClass/vac CSIStorageCapacity",
		"apiextensions.k8s.io/v1":         "*CustomResourceDefinition/crd",
		"apiregistration.k8s.io/v1":       "*APIService",
		"admissionregistration.k8s.io/v1": "*ValidatingWebhookConfiguration *MutatingWebhookConfiguration *ValidatingAdmissionPolicy *ValidatingAdmissionPolicyBinding *MutatingAdmissionPolicy *MutatingAdmissionPolicyBinding",
		"resource.k8s.io/v1":              "ResourceClaim ResourceClaimTemplate *ResourceSlice *DeviceClass",
		"scheduling.k8s.io/v1":            "*PriorityClass/pc",
		"certificates.k8s.io/v1":          "*CertificateSigningRequest/csr",
		"node.k8s.io/v1":                  "*RuntimeClass",
	} {
		version, _ := schema.ParseGroupVersion(strings.TrimPrefix(group, "/"))
		for _, word := range strings.Fields(kinds) {
			word, inNone := strings.CutPrefix(word, "*")
			word, short, _ := strings.Cut(word, "/")
			kind, plural, _ := strings.Cut(word, "=")
			resource := cluster.Resource{GroupVersionResource: guess(version.WithKind(kind)), Kind: kind, Singular: strings.ToLower(kind), Namespaced: !inNone, Verbs: allVerbs()}
			if plural != "" {
				resource.Resource = plural
			}
			if short != "" {
				resource.ShortNames = []string{short}
			}
			all = append(all, resource)
		}
	}
	return all
}
