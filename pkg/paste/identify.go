package paste

import (
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// lastApplied is where kubectl apply keeps the object as it was given, with its kind.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// Identify finds the kind of an object that doesn't name it, as Go's typed clients write them, and sets it. It reports
// whether its fields show it.
func Identify(fields map[string]any) bool {
	metadata, is := fields["metadata"].(map[string]any)
	if !is {
		return false
	}
	if applied, _, _ := unstructured.NestedString(metadata, "annotations", lastApplied); applied != "" {
		var as struct{ APIVersion, Kind string }
		if json.Unmarshal([]byte(applied), &as) == nil && as.APIVersion != "" && as.Kind != "" {
			fields["apiVersion"], fields["kind"] = as.APIVersion, as.Kind
			return true
		}
	}
	for _, kind := range signatures() {
		if kind.fits(fields, metadata["namespace"] != nil) {
			fields["apiVersion"], fields["kind"] = kind.version, kind.kind
			return true
		}
	}
	return false
}

// signature are fields that only objects of one kind have together. A field that must not be there begins with "!",
// and one that has a certain value ends in "=" and that.
type signature struct {
	version, kind string
	namespaced    bool
	fields        string
}

// signatures are tried in this order: each kind is told from those below it.
func signatures() []signature {
	return []signature{
		{"v1", "Namespace", false, "spec.finalizers"},
		{"v1", "Namespace", false, "status.phase=Terminating !spec.persistentVolumeReclaimPolicy"},
		{"v1", "PersistentVolume", false, "spec.persistentVolumeReclaimPolicy"},
		{"v1", "Node", false, "status.nodeInfo"},
		{"v1", "Pod", true, "spec.containers"},
		{"v1", "PersistentVolumeClaim", true, "spec.accessModes spec.resources"},
		{"batch/v1", "CronJob", true, "spec.jobTemplate"},
		{"batch/v1", "Job", true, "spec.template spec.backoffLimit"},
		{"apps/v1", "StatefulSet", true, "spec.template spec.serviceName"},
		{"apps/v1", "Deployment", true, "spec.template spec.strategy"},
		{"apps/v1", "DaemonSet", true, "spec.template spec.updateStrategy"},
		{"apps/v1", "ReplicaSet", true, "spec.template spec.replicas spec.selector"},
		{"v1", "Service", true, "spec.clusterIP"},
		{"v1", "Event", true, "involvedObject reason"},
		{"coordination.k8s.io/v1", "Lease", true, "spec.renewTime"},
		{"apiextensions.k8s.io/v1", "CustomResourceDefinition", false, "spec.names.plural spec.group"},
		{"apiregistration.k8s.io/v1", "APIService", false, "spec.groupPriorityMinimum"},
		{"storage.k8s.io/v1", "VolumeAttachment", false, "spec.attacher spec.nodeName"},
		{"storage.k8s.io/v1", "StorageClass", false, "provisioner"},
	}
}

func (s signature) fits(fields map[string]any, inNamespace bool) bool {
	if s.namespaced != inNamespace {
		return false
	}
	for path := range strings.FieldsSeq(s.fields) {
		path, absent := strings.CutPrefix(path, "!")
		path, wanted, exactly := strings.Cut(path, "=")
		value, found, _ := unstructured.NestedFieldNoCopy(fields, strings.Split(path, ".")...)
		if found == absent || exactly && value != any(wanted) {
			return false
		}
	}
	return true
}

// Misread is the first field of an object's metadata that says what the object is or what holds it, and is no text:
// YAML takes y, no, on and numbers without quotes for something else. Value is what was read in its place. The path is
// empty where all are texts.
func Misread(fields map[string]any) (path string, value any) {
	metadata, _ := fields["metadata"].(map[string]any)
	for _, field := range []string{"name", "namespace", "uid", "deletionTimestamp"} {
		if value, has := metadata[field]; has && value != nil && !isText(value) {
			return "metadata." + field, value
		}
	}
	finalizers, _ := metadata["finalizers"].([]any)
	for _, finalizer := range finalizers {
		if !isText(finalizer) {
			return "metadata.finalizers", finalizer
		}
	}
	return "", nil
}

func isText(value any) bool {
	_, is := value.(string)
	return is
}
