package files

import (
	"cmp"
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// resource returns where objects of a kind are served: by their definition, their folder's name or the rule of English.
func (a *assembly) resource(kind schema.GroupVersionKind) cluster.Resource {
	if known, is := a.kinds[kind]; is {
		return known
	}
	resource := guess(kind)
	for key := range a.objects[kind] {
		resource.Namespaced = resource.Namespaced || key.namespace != ""
	}
	for _, list := range a.listed {
		resource.Namespaced = resource.Namespaced || list.kind == kind && list.namespace != ""
	}
	resource.Resource = cmp.Or(a.plural(kind, resource.Resource), resource.Resource)
	for other, known := range a.kinds { // in another version
		if other.GroupKind() == kind.GroupKind() {
			resource = known
			resource.Version = kind.Version
		}
	}
	a.kinds[kind] = resource
	return resource
}

const mostPlurals = 20_000 // more than any cluster serves

// plural finds the name of a folder that is a kind's: gateways of Gateway, where the rule would make gatewaies.
func (a *assembly) plural(kind schema.GroupVersionKind, guessed string) string {
	stem := strings.ToLower(kind.Kind)
	for _, plural := range []string{guessed, stem + "s", stem + "es", stem, strings.TrimSuffix(stem, "y") + "ies"} {
		if a.plurals[location{group: kind.Group, resource: plural}] {
			return plural
		}
	}
	return ""
}

// define learns from a definition what its objects are called.
func (a *assembly) define(definition *unstructured.Unstructured) {
	var spec struct {
		Group, Scope string
		Names        struct {
			Plural, Singular, Kind string
			ShortNames             []string
		}
		Versions []struct {
			Name   string
			Served bool
		}
	}
	data, err := json.Marshal(definition.Object["spec"])
	if err != nil || json.Unmarshal(data, &spec) != nil {
		return
	}
	for _, version := range spec.Versions {
		names, kind := spec.Names, schema.GroupVersionKind{
			Group: spec.Group, Version: version.Name, Kind: spec.Names.Kind,
		}
		// Nothing redefines a kind of Kubernetes itself.
		if !version.Served || names.Plural == "" || kind.Kind == "" || kind.Version == "" ||
			a.kinds[kind].Resource != "" {
			continue
		}
		a.kinds[kind] = cluster.Resource{
			GroupVersionResource: kind.GroupVersion().WithResource(names.Plural), Kind: kind.Kind,
			Namespaced: spec.Scope == "Namespaced", Singular: names.Singular, ShortNames: names.ShortNames,
			Verbs: allVerbs(),
		}
	}
}

func allVerbs() []string { return []string{"get", "list", "watch", "delete"} }

// guess returns what objects of a kind are called as a rule.
func guess(kind schema.GroupVersionKind) cluster.Resource {
	plural, singular := cluster.GuessPlural(kind)
	return cluster.Resource{
		GroupVersionResource: plural, Kind: kind.Kind, Singular: singular.Resource, Verbs: allVerbs(),
	}
}

// BuiltIn returns kinds of Kubernetes itself, as kubectl knows them.
func BuiltIn() []cluster.Resource { return Kinds(builtIn) }

// Kinds reads a table of kinds: lines of GROUP/VERSION, and for each kind Kind[=plural][/short name], with a star for
// the ones that are in no namespace.
func Kinds(table string) (all []cluster.Resource) {
	for line := range strings.Lines(table) {
		group, kinds, _ := strings.Cut(strings.TrimSpace(line), " ")
		version, _ := schema.ParseGroupVersion(group)
		for word := range strings.FieldsSeq(kinds) {
			word, inNone := strings.CutPrefix(word, "*")
			word, short, _ := strings.Cut(word, "/")
			kind, plural, _ := strings.Cut(word, "=")
			resource := guess(version.WithKind(kind))
			resource.Resource = cmp.Or(plural, resource.Resource)
			resource.Namespaced, resource.ShortNames = !inNone, strings.Fields(short)
			all = append(all, resource)
		}
	}
	return all
}

const builtIn = `v1 Pod/po Service/svc Endpoints=endpoints/ep ConfigMap/cm Secret ServiceAccount/sa
v1 PersistentVolumeClaim/pvc *PersistentVolume/pv *Namespace/ns *Node/no
v1 ReplicationController/rc ResourceQuota/quota LimitRange/limits Event/ev PodTemplate
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

// showStored turns an object that an aggregated API server shows of another one into that: an OpenShift project is its
// Namespace, with the same uid, spec and status (openshift/openshift-apiserver pkg/project/apiserver/registry/project).
func showStored(object *unstructured.Unstructured) {
	if kind := object.GroupVersionKind(); kind.Group == "project.openshift.io" && kind.Kind == "Project" {
		object.SetGroupVersionKind(namespaceKind())
	}
}
