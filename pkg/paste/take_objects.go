package paste

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// take takes in an object, the objects of a list, or what kubectl get --output-watch-events says of one. complete is
// false for what may have been cut off behind a line.
func (r *reader) take(fields map[string]any, at int, complete bool) error {
	if isPiece(r, fields) {
		return takePiece(r, fields, at)
	}
	items, isList := fields["items"].([]any)
	if changed, is := fields["object"].(map[string]any); is && fields["kind"] == nil {
		if fields["type"] != "ADDED" && fields["type"] != "MODIFIED" {
			return nil
		}
		return r.object(changed, at, complete)
	}
	if !isList {
		return r.object(fields, at, complete)
	}
	for _, item := range items {
		item, is := item.(map[string]any)
		if !is {
			continue
		}
		if err := r.takeItem(fields, item, at, true); err != nil {
			return err
		}
	}
	r.listed(fields)
	return nil
}

// metadataList is the kind of a list whose objects have their metadata alone.
const metadataList = "PartialObjectMetadataList"

// takeItem takes in an item, which may leave it to its list what it is.
func (r *reader) takeItem(list, item map[string]any, at int, complete bool) error {
	kind, _ := list["kind"].(string)
	if kind == metadataList {
		if name, _, _ := unstructured.NestedString(item, "metadata", "name"); name == "" || item["kind"] == nil {
			return nil
		}
		r.taken++
		return r.sink.Object(Object{Fields: item, Line: at, Partial: MetadataOnly})
	}
	version, _ := list["apiVersion"].(string)
	if kind = strings.TrimSuffix(kind, "List"); item["kind"] == nil && kind != "" && version != "" {
		item["apiVersion"], item["kind"] = version, kind
	}
	return r.object(item, at, complete)
}

// listed tells that a list which a command has asked for is complete.
func (r *reader) listed(list map[string]any) {
	next, _, _ := unstructured.NestedString(list, "metadata", "continue")
	if next == "" && !r.elided {
		done := r.asked.done && list["kind"] != nil // it comes after the items
		r.asked.MetadataOnly = list["kind"] == metadataList
		r.answered(done || r.taken > 0 && r.asked.only() != "")
	}
}

// object takes in one object.
func (r *reader) object(fields map[string]any, at int, complete bool) error {
	guessed := fields["kind"] == nil || fields["apiVersion"] == nil
	if guessed && !Identify(fields) {
		r.problem(at, "it does not say of which kind it is, and its fields don't show that")
		return nil
	}
	if path, value := Misread(fields); path != "" {
		r.problem(at, "a %v whose %s is %v, which is no text: put it in quotes", fields["kind"], path, value)
		return nil
	}
	if name, _, _ := unstructured.NestedString(fields, "metadata", "name"); name == "" {
		r.problem(at, "a %v without metadata.name", fields["kind"])
		return nil
	}
	r.taken++
	partial := Whole
	if r.elided {
		partial = Columns
	}
	if EndsEarly(fields) || !complete && lacksLast(fields) {
		r.problem(at, "a %v is cut off; only its metadata is used", fields["kind"])
		partial = MetadataOnly
	}
	return r.sink.Object(Object{Fields: fields, Line: at, Partial: partial, Guessed: guessed})
}

// takeCut takes in what is there of an object that is cut off within a key of it, or somewhere.
func (r *reader) takeCut(fields map[string]any, within string, at, ends int) error {
	if items, isList := fields["items"].([]any); isList {
		r.problem(ends, "the list that begins in line %d is cut off; the objects before that are used", at)
		for i, item := range items {
			item, is := item.(map[string]any)
			if !is || i == len(items)-1 && within == "items" {
				continue
			}
			if err := r.takeItem(fields, item, at, true); err != nil {
				return err
			}
		}
		return nil
	}
	guessed := fields["kind"] == nil || fields["apiVersion"] == nil
	name, _, _ := unstructured.NestedString(fields, "metadata", "name")
	_, hasSpec := fields["spec"]
	_, hasStatus := fields["status"]
	metadata := within != "" && within != "metadata" || within == "" && (hasSpec || hasStatus)
	if name == "" || !metadata || guessed && !Identify(fields) {
		r.problem(ends, "the object that begins in line %d is cut off before it says enough", at)
		return nil
	}
	found := Object{Fields: fields, Line: at, Partial: MetadataOnly, Guessed: guessed}
	if reports(fields) {
		found.Partial = Whole
	}
	r.problem(ends, "the %v that begins in line %d is cut off; what is before that is used", fields["kind"], at)
	return r.sink.Object(found)
}

// lastFields are the fields that the API server always writes, behind most of the others. Without them, an object was
// cut off.
func lastFields() map[string][]string {
	return map[string][]string{
		"v1 Namespace": {"status", "phase"}, "v1 Pod": {"status", "phase"}, "v1 Node": {"status", "nodeInfo"},
		"project.openshift.io/v1 Project": {"status", "phase"},
		"v1 PersistentVolumeClaim":        {"status", "phase"}, "v1 PersistentVolume": {"status", "phase"},
		"apps/v1 Deployment": {"spec", "template"}, "apps/v1 StatefulSet": {"spec", "template"},
		"apps/v1 DaemonSet": {"spec", "template"}, "apps/v1 ReplicaSet": {"spec", "template"},
		"apiextensions.k8s.io/v1 CustomResourceDefinition": {"spec", "versions"},
		"storage.k8s.io/v1 VolumeAttachment":               {"spec", "source"},
	}
}

// EndsEarly reports whether a Namespace or a Pod that is being deleted lacks what is never missing of it, so that it
// was cut off: what holds it depends on that. Without a deletion it may be a manifest, which says what people want.
func EndsEarly(fields map[string]any) bool {
	return (isNamespace(fields) || fields["kind"] == "Pod") && isDeleted(fields) && lacksLast(fields)
}

// isNamespace reports whether something is a Namespace, or the project that OpenShift shows in place of one.
func isNamespace(fields map[string]any) bool {
	return fields["kind"] == "Namespace" || fields["kind"] == "Project"
}

func lacksLast(fields map[string]any) bool {
	version, _ := fields["apiVersion"].(string)
	kind, _ := fields["kind"].(string)
	path, known := lastFields()[version+" "+kind]
	if !known || reports(fields) {
		return false
	}
	_, found, _ := unstructured.NestedFieldNoCopy(fields, path...)
	return !found
}

func isDeleted(fields map[string]any) bool {
	at, _, _ := unstructured.NestedString(fields, "metadata", "deletionTimestamp")
	return at != ""
}

// reports reports whether a Namespace has a condition that says what keeps it: that is true whatever else is missing.
func reports(fields map[string]any) bool {
	conditions, _, _ := unstructured.NestedFieldNoCopy(fields, "status", "conditions")
	list, _ := conditions.([]any)
	return isNamespace(fields) && slices.ContainsFunc(list, func(condition any) bool {
		is, _ := condition.(map[string]any)
		return is["status"] == "True" && is["type"] != nil && is["message"] != nil
	})
}
