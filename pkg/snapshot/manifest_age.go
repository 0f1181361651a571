package snapshot

import (
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// age learns from an object's times when it was read: not before the newest of them.
func (a *assembly) age(object *unstructured.Unstructured) {
	fields := object.Object
	a.at(fields, "metadata", "creationTimestamp")
	for _, entry := range listIn(fields, "metadata", "managedFields") {
		a.at(entry, "time")
	}
	for _, condition := range listIn(fields, "status", "conditions") {
		a.at(condition, "lastTransitionTime")
		// The kubelet repeats it every five minutes at the latest.
		a.beats = a.at(condition, "lastHeartbeatTime") && object.GetKind() == "Node" || a.beats
	}
	switch object.GetKind() {
	case "Lease":
		a.beats = a.at(fields, "spec", "renewTime") || a.beats
	case "Event":
		a.at(fields, "lastTimestamp")
		a.at(fields, "eventTime")
	}
}

// at takes in a time, if there is one.
func (a *assembly) at(fields map[string]any, path ...string) bool {
	value, found, err := unstructured.NestedFieldNoCopy(fields, path...)
	text, isText := value.(string)
	if !found || err != nil || !isText {
		return false
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || at.Year() > 9000 {
		return false
	}
	if at.After(a.newest) {
		a.newest = at
	}
	return true
}

func listIn(fields map[string]any, path ...string) []map[string]any {
	value, _, _ := unstructured.NestedFieldNoCopy(fields, path...)
	items, _ := value.([]any)
	var maps []map[string]any
	for _, item := range items {
		if fields, is := item.(map[string]any); is {
			maps = append(maps, fields)
		}
	}
	return maps
}
