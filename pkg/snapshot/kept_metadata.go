package snapshot

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
)

// metadataOf returns the metadata of a whole object, as it is. It fails for what isn't an object with a name.
func metadataOf(resource cluster.Resource, object *unstructured.Unstructured) (*metav1.PartialObjectMetadata, error) {
	meta := &metav1.PartialObjectMetadata{}
	meta.APIVersion, meta.Kind = resource.APIVersion(), resource.Kind
	fields, _ := object.Object["metadata"].(map[string]any)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &meta.ObjectMeta); err != nil {
		return nil, err
	}
	if meta.Name == "" {
		return nil, errNoObject
	}
	return meta, nil
}

// metadata returns what a recording holds of an object's metadata: the fields that are named here.
func (c *cleaner) metadata(meta *metav1.ObjectMeta) metav1.ObjectMeta {
	for _, name := range meta.Finalizers {
		c.meetFinalizer(name)
	}
	return metav1.ObjectMeta{
		Name: meta.Name, GenerateName: meta.GenerateName, Namespace: meta.Namespace, UID: meta.UID,
		ResourceVersion: meta.ResourceVersion, Generation: meta.Generation, CreationTimestamp: meta.CreationTimestamp,
		DeletionTimestamp: meta.DeletionTimestamp, DeletionGracePeriodSeconds: meta.DeletionGracePeriodSeconds,
		Labels: c.texts("labels", meta.Labels), Annotations: c.texts("annotations", meta.Annotations),
		OwnerReferences: meta.OwnerReferences, Finalizers: meta.Finalizers,
		ManagedFields: c.managedFields(meta.ManagedFields),
	}
}

func (c *cleaner) texts(parent string, texts map[string]string) map[string]string {
	kept := make(map[string]string, len(texts))
	for key, text := range texts {
		if text, keep := (walk{cleaner: c}).text(c.keepingOf(parent, key), key, text); keep {
			kept[key] = text
		}
	}
	return kept
}

// longestAnnotation is the longest value that is kept: longer ones are copies of specs and states.
const longestAnnotation = 256

// longestUID is the longest value that is taken for a uid.
const longestUID = 63

// annotation returns what is kept of an annotation: of those of Kubernetes and Helm, and of uids, their values, of others a
// switch that is on or off, or that it is there.
func (c *cleaner) annotation(key, value string) (string, bool) {
	if namesDriver(key) {
		c.meet(value)
	}
	domain, name, _ := strings.Cut(key, "/")
	known := slices.ContainsFunc([]string{"kubernetes.io", "k8s.io", "helm.sh"}, func(own string) bool {
		return domain == own || strings.HasSuffix(domain, "."+own) // Kubernetes reserves the first two
	})
	switch {
	case strings.Contains(key, "last-applied"):
		return "", false
	case value == "true" || value == "false", // what keeps a pod from being evicted, for instance
		strings.HasSuffix(cmp.Or(name, domain), "uid") && len(value) <= longestUID: // it binds the object to another one
		return value, true
	case !known || len(value) > longestAnnotation || secretName(key):
		return Removed, true
	}
	return withoutCredentials(value), true
}

// managedFields returns what is kept of field sets: which metadata a manager holds, annotations excepted, and otherwise
// only which parts it writes, with the conditions of a status and the fields that tell of errors: who wrote these says
// whose words they are. No diagnosis asks for more, and it is most of an object's size.
func (c *cleaner) managedFields(entries []metav1.ManagedFieldsEntry) []metav1.ManagedFieldsEntry {
	kept := make([]metav1.ManagedFieldsEntry, len(entries))
	for i, entry := range entries {
		if entry.FieldsV1 != nil {
			set := entry.FieldsV1.GetRawString()
			entry.FieldsV1 = c.managed.get(set, func() *metav1.FieldsV1 { return metav1.NewFieldsV1(partsOf(set)) })
		}
		kept[i] = entry
	}
	return kept
}

func partsOf(set string) string {
	fields := map[string]any{}
	_ = json.Unmarshal([]byte(set), &fields) // nothing is kept of what isn't one
	for field, value := range fields {
		parts, is := value.(map[string]any)
		switch {
		case is && field == "f:metadata":
			delete(parts, "f:annotations")
		case is && field == "f:status":
			fields[field] = told(parts)
		default:
			fields[field] = struct{}{}
		}
	}
	if data, err := json.Marshal(fields); err == nil {
		return string(data)
	}
	return "{}"
}

// told are the keys of a status's field set that stand for what its writer tells of trouble, without what is below.
func told(status map[string]any) map[string]any {
	kept := map[string]any{}
	for _, name := range controller.TellingFields() {
		if _, holds := status["f:"+name]; holds {
			kept["f:"+name] = struct{}{}
		}
	}
	conditions, _ := status["f:conditions"].(map[string]any)
	types := map[string]any{}
	for key := range conditions {
		if strings.HasPrefix(key, `k:{"type":`) {
			types[key] = struct{}{}
		}
	}
	if len(types) > 0 {
		kept["f:conditions"] = types
	}
	return kept
}
