package paste

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	podName    = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*$`)
	terminates = regexp.MustCompile(`^Terminating(?: \(lasts (\S+)\))?`)
)

// deletion reads "Terminating (lasts 3d)".
func deletion(status string) (deleted bool, ago time.Duration) {
	match := terminates.FindStringSubmatch(status)
	if match == nil {
		return false, 0
	}
	return true, length(match[1])
}

func (r *reader) describedPod(fields map[string]any, at int) error {
	object := newObject("v1", "Pod", text(fields, "namespace"), text(fields, "name"))
	node, _, _ := strings.Cut(text(fields, "node"), "/")
	spec := map[string]any{}
	if node = value(node); node != "" {
		spec["nodeName"] = node
	}
	object["spec"] = spec
	status := text(fields, "status")
	deleted, ago := deletion(status)
	if slices.Contains([]string{"Pending", "Running", "Succeeded", "Failed"}, status) {
		object["status"] = map[string]any{"phase": status}
	}
	if deleted {
		grace, err := time.ParseDuration(text(fields, "terminationGracePeriod"))
		if err != nil {
			grace = time.Duration(usualGrace) * time.Second
		}
		object["metadata"].(map[string]any)["deletionGracePeriodSeconds"] = int64(grace / time.Second)
	}
	return r.sink.Object(Object{Fields: object, Line: at, Partial: Columns, Deleted: deleted, DeletedAgo: ago})
}

func (r *reader) describedClaim(fields map[string]any, at int) error {
	object := newObject("v1", "PersistentVolumeClaim", text(fields, "namespace"), text(fields, "name"))
	object["spec"] = map[string]any{"volumeName": value(text(fields, "volume"))}
	if status := text(fields, "status"); status != "" && !terminates.MatchString(status) {
		object["status"] = map[string]any{"phase": status}
	}
	if err := r.describedHeld(object, fields, at); err != nil {
		return err
	}
	return r.describedUsers(fields, at)
}

// describedUsers takes in the pods that kubectl describe lists as users of a claim: one of their volumes is the claim
// (k8s v1.37 kubectl/pkg/describe/describe.go:getPodsForPVC).
func (r *reader) describedUsers(fields map[string]any, at int) error {
	users, _ := fields["usedBy"].([]any)
	if users == nil {
		users, _ = fields["mountedBy"].([]any) // until Kubernetes 1.19
	}
	for _, user := range users {
		name, _ := user.(string)
		if !podName.MatchString(name) {
			continue
		}
		pod := newObject("v1", "Pod", text(fields, "namespace"), name)
		source := map[string]any{"claimName": text(fields, "name")}
		volume := map[string]any{"name": "described", "persistentVolumeClaim": source}
		pod["spec"] = map[string]any{"volumes": []any{volume}}
		if err := r.sink.Object(Object{Fields: pod, Line: at, Partial: Columns, Silent: true}); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) describedVolume(fields map[string]any, at int) error {
	object := newObject("v1", "PersistentVolume", "", text(fields, "name"))
	spec := map[string]any{"persistentVolumeReclaimPolicy": text(fields, "reclaimPolicy")}
	if namespace, name, is := strings.Cut(text(fields, "claim"), "/"); is {
		spec["claimRef"] = map[string]any{
			"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": namespace, "name": name,
		}
	}
	if source, _ := fields["source"].(map[string]any); strings.HasPrefix(text(source, "type"), "CSI ") {
		spec["csi"] = map[string]any{"driver": text(source, "driver"), "volumeHandle": text(source, "volumeHandle")}
	}
	object["spec"] = spec
	metadata := object["metadata"].(map[string]any)
	if annotations := annotationsOf(fields); annotations != nil {
		metadata["annotations"] = annotations
	}
	return r.describedHeld(object, fields, at)
}

// annotationsOf are the annotations that a description shows, one in each line.
func annotationsOf(fields map[string]any) map[string]any {
	shown, _ := fields["annotations"].([]string)
	annotations := map[string]any{}
	for _, line := range shown {
		if key, text, is := strings.Cut(strings.TrimSpace(line), ": "); is {
			annotations[key] = text
		}
	}
	if len(annotations) == 0 {
		return nil
	}
	return annotations
}

// describedHeld takes in an object whose description shows its finalizers: [kubernetes.io/pvc-protection].
func (r *reader) describedHeld(object, fields map[string]any, at int) error {
	var finalizers []any
	for finalizer := range strings.FieldsSeq(strings.Trim(text(fields, "finalizers"), "[]")) {
		finalizers = append(finalizers, finalizer)
	}
	object["metadata"].(map[string]any)["finalizers"] = finalizers
	deleted, ago := deletion(text(fields, "status"))
	return r.sink.Object(Object{Fields: object, Line: at, Partial: Columns, Deleted: deleted, DeletedAgo: ago})
}

func (r *reader) describedNode(fields map[string]any, at int) error {
	object := newObject("v1", "Node", "", text(fields, "name"))
	object["spec"] = map[string]any{"unschedulable": text(fields, "unschedulable") == "true"}
	object["status"] = map[string]any{"conditions": conditionTable(fields["conditions"])}
	return r.columns(object, false, at)
}

func (r *reader) describedNamespace(fields map[string]any, at int) error {
	object := newObject("v1", "Namespace", "", text(fields, "name"))
	object["spec"] = map[string]any{"finalizers": []any{"kubernetes"}}
	object["status"] = map[string]any{
		"phase": text(fields, "status"), "conditions": conditionTable(fields["conditions"]),
	}
	return r.columns(object, text(fields, "status") == "Terminating", at)
}
