package snapshot

import (
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
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
func (c *cleaner) metadata(resource cluster.Resource, meta *metav1.ObjectMeta) metav1.ObjectMeta {
	if resource.Kind == "CSIDriver" {
		c.meet(meta.Name)
	}
	for _, name := range meta.Finalizers {
		c.meetFinalizer(name)
	}
	asks := c.questions.of(resource).field("metadata")
	return metav1.ObjectMeta{
		Name: meta.Name, Namespace: meta.Namespace, UID: meta.UID,
		ResourceVersion: meta.ResourceVersion, Generation: meta.Generation, CreationTimestamp: meta.CreationTimestamp,
		DeletionTimestamp: meta.DeletionTimestamp, DeletionGracePeriodSeconds: meta.DeletionGracePeriodSeconds,
		Labels: c.labelled(meta.Labels), Annotations: c.annotations(meta.Annotations, asks.field("annotations")),
		OwnerReferences: meta.OwnerReferences, Finalizers: meta.Finalizers,
		ManagedFields: c.managedFields(meta.ManagedFields),
	}
}

// labelled returns labels, which are short: those whose names say that they are secret by name alone.
func (c *cleaner) labelled(labels map[string]string) map[string]string {
	kept := make(map[string]string, len(labels))
	for key, text := range labels {
		kept[key] = c.text(c.keepingOf("labels", key), text)
	}
	return kept
}

// annotations returns the ones that are read, and the ones that bind the object to another one by its uid. Where others
// were left out, that is beside them, with the ones that were asked for and aren't there.
func (c *cleaner) annotations(all map[string]string, asks *asked) map[string]string {
	kept, left := make(map[string]string, len(all)), false
	for key, value := range all {
		read := asks.field(key) != nil || slices.Contains(strings.Fields(readAnnotations), key) ||
			switches.Asks(key) || naming.NamesOperatorNamespace(key) || naming.NamesShare(key) || naming.NamesTrait(key) ||
			statuses.TellsError(key) || statuses.NamesSecret(key) || naming.NamesHook(key)
		switch {
		case read:
			kept[key] = c.text(c.keepingOf("annotations", key), value)
		case statuses.BearsUID(key) && len(value) <= longestUID && !credential.Random(value):
			kept[key] = c.withoutCredentials(value)
		default:
			left = true
		}
	}
	if left {
		var missing []string
		if asks != nil {
			for key := range asks.below {
				_, there := all[key]
				if before, cleaned := all[leftout.Mark]; !there &&
					(!cleaned || slices.Contains(strings.Fields(before), key)) {
					missing = append(missing, key)
				}
			}
		}
		slices.Sort(missing)
		kept[leftout.Mark] = strings.Join(missing, " ")
	}
	return kept
}

// template returns what is read of the metadata of a template: names, labels and finalizers.
func (w walk) template(all map[string]any) map[string]any {
	kept, left := map[string]any{}, false
	for field, value := range all {
		switch value := value.(type) {
		case string:
			if field == "name" || field == "namespace" {
				kept[field] = w.withoutCredentials(value)
			}
		case map[string]any:
			if field == "labels" {
				kept[field] = w.labels(value)
			}
			if told, is := value[targetNamespaces]; is && field == "annotations" {
				kept[field] = map[string]any{targetNamespaces: told}
			}
		case []any:
			if field == "finalizers" {
				kept[field] = w.finalizers(value)
			}
		}
		_, keeps := kept[field]
		left = left || !keeps
	}
	if left {
		kept[leftout.Mark] = absent(all, spot{asks: templateFields()})
	}
	return kept
}

func (w walk) finalizers(all []any) []any {
	kept := make([]any, 0, len(all))
	for _, one := range all {
		if name, is := one.(string); is {
			kept = append(kept, w.text(keepFinalizer, name))
		}
	}
	return kept
}

// labels returns texts by their names, as labels and selectors are.
func (w walk) labels(all map[string]any) map[string]any {
	kept := make(map[string]any, len(all))
	for key, value := range all {
		if text, is := value.(string); is {
			kept[key] = w.text(w.keepingOf("labels", key), text)
		}
	}
	return kept
}

// managedFields returns what is kept of field sets: which metadata a manager holds, without most annotations, and
// otherwise only which parts it writes, with the switches of a spec, with the conditions of a status and the fields for
// errors: their manager shows whose words they are. No diagnosis asks for more, and it is most of an object's size.
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
			annotations, _ := parts["f:annotations"].(map[string]any)
			delete(parts, "f:annotations")
			asked := switched("annotations", annotations, 1)
			for key := range annotations {
				if statuses.TellsError(strings.TrimPrefix(key, "f:")) {
					asked[key] = struct{}{}
				}
			}
			if len(asked) > 0 {
				parts["f:annotations"] = asked
			}
		case is && field == "f:spec":
			fields[field] = switched("spec", parts, 3)
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

// switched are the keys of a field set below a field that may be switches, down to a depth: their manager shows who has
// set them.
func switched(parent string, set map[string]any, depth int) map[string]any {
	kept := map[string]any{}
	for field, below := range set {
		name := strings.TrimPrefix(field, "f:")
		if fields, _ := below.(map[string]any); depth > 1 && len(switched(name, fields, depth-1)) > 0 {
			kept[field] = switched(name, fields, depth-1)
		} else if switches.AsksBelow(parent, name) {
			kept[field] = struct{}{}
		}
	}
	return kept
}

// told are the keys of a status's field set for what its writer reports about errors, without what is below.
func told(status map[string]any) map[string]any {
	kept := map[string]any{}
	for _, name := range statuses.TellingFields() {
		if _, holds := status["f:"+name]; holds {
			kept["f:"+name] = struct{}{}
		}
	}
	conditions, whole := status["f:conditions"].(map[string]any)
	types := map[string]any{}
	for key := range conditions {
		if strings.HasPrefix(key, `k:{"type":`) || strings.HasPrefix(key, "f:") { // of a list, or of a map
			types[key] = struct{}{}
		}
	}
	if whole { // without types, its writer has the list as a whole
		kept["f:conditions"] = types
	}
	return kept
}
