package states

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestPrinters compares states with what kubectl get prints of the same objects (k8s v1.37
// pkg/printers/internalversion/printers.go and its tests).
func TestPrinters(t *testing.T) {
	both := func(ready, status string) map[string]string {
		return map[string]string{"READY": ready, "STATUS": status}
	}
	status := func(status string) map[string]string { return map[string]string{"STATUS": status} }
	ready := func(ready string) map[string]string { return map[string]string{"READY": ready} }
	const deleted = `"deletionTimestamp":"2026-01-01T10:00:00Z"`
	for _, c := range []struct {
		name, version, kind, meta, rest string
		want                            map[string]string
	}{
		{"running", "v1", "Pod", ``,
			`"spec":{"containers":[{"name":"a"},{"name":"b"}]},"status":{"phase":"Running","containerStatuses":[{"name":"a",` +
				`"ready":true,"state":{"running":{}}},{"name":"b"}]}`, both("1/2", "Running")},
		{"terminating", "v1", "Pod", deleted, `"spec":{"containers":[{"name":"a"}]},"status":{"phase":"Running"}`,
			both("0/1", "Terminating")},
		{"node lost", "v1", "Pod", deleted,
			`"spec":{"containers":[{"name":"a"}]},"status":{"phase":"Running","reason":"NodeLost"}`, both("0/1", "Unknown")},
		{"finished, and deleted", "v1", "Pod", deleted,
			`"spec":{"containers":[{"name":"a"}]},"status":{"phase":"Succeeded","containerStatuses":[{"name":"a",` +
				`"state":{"terminated":{"exitCode":0,"reason":"Completed"}}}]}`, both("0/1", "Completed")},
		{"crashing", "v1", "Pod", ``,
			`"spec":{"containers":[{"name":"a"}]},"status":{"phase":"Running","containerStatuses":[{"name":"a",` +
				`"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]}`, both("0/1", "CrashLoopBackOff")},
		{"one done, one failed", "v1", "Pod", ``,
			`"spec":{"containers":[{"name":"a"},{"name":"b"}]},"status":{"phase":"Running","containerStatuses":[{"name":"a",` +
				`"state":{"terminated":{"exitCode":0,"reason":"Completed"}}},{"name":"b","state":{"terminated":{"exitCode":1,` +
				`"signal":9}}}]}`, both("0/2", "Signal:9")},
		{"initializing", "v1", "Pod", ``,
			`"spec":{"initContainers":[{"name":"i"},{"name":"s","restartPolicy":"Always"}],"containers":[{"name":"a"}]},` +
				`"status":{"phase":"Pending","initContainerStatuses":[{"name":"i","state":{"running":{}}}]}`,
			both("0/2", "Init:0/2")},
		{"with a sidecar", "v1", "Pod", ``,
			`"spec":{"initContainers":[{"name":"s","restartPolicy":"Always"}],"containers":[{"name":"a"}]},` +
				`"status":{"phase":"Running","initContainerStatuses":[{"name":"s","started":true,"ready":true,` +
				`"state":{"running":{}}}],"containerStatuses":[{"name":"a","ready":true,"state":{"running":{}}}]}`,
			both("2/2", "Running")},
		{"gated", "v1", "Pod", ``,
			`"spec":{"containers":[{"name":"a"}]},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled",` +
				`"status":"False","reason":"SchedulingGated"}]}`, both("0/1", "SchedulingGated")},
		{"cordoned", "v1", "Node", ``,
			`"spec":{"unschedulable":true},"status":{"conditions":[{"type":"Ready","status":"Unknown"}]}`,
			status("NotReady,SchedulingDisabled")},
		{"silent", "v1", "Node", ``, `"status":{}`, status("Unknown")},
		{"namespace", "v1", "Namespace", deleted, `"status":{"phase":"Terminating"}`, status("Terminating")},
		{"claim", "v1", "PersistentVolumeClaim", deleted, `"status":{"phase":"Bound"}`, status("Terminating")},
		{"volume", "v1", "PersistentVolume", ``, `"status":{"phase":"Released"}`, status("Released")},
		{"deployment", "apps/v1", "Deployment", ``, `"spec":{"replicas":3},"status":{"readyReplicas":2}`, ready("2/3")},
		{"stateful set", "apps/v1", "StatefulSet", ``, `"spec":{},"status":{}`, ready("0/1")},
		{"replica set", "apps/v1", "ReplicaSet", ``, `"spec":{"replicas":3},"status":{"readyReplicas":2}`, ready("2")},
		{"daemon set", "apps/v1", "DaemonSet", ``, `"status":{"numberReady":4}`, ready("4")},
		{"job", "batch/v1", "Job", deleted, `"status":{"conditions":[{"type":"Failed","status":"True"}]}`, status("Failed")},
		{"custom", "shop.example.com/v1", "Deployment", ``, `"status":{"readyReplicas":2}`, nil},
		{"of wrong types", "v1", "Pod", ``, `"status":"Running"`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			object := &unstructured.Unstructured{}
			text := `{"apiVersion":"` + c.version + `","kind":"` + c.kind + `","metadata":{` + c.meta + `},` + c.rest + `}`
			if err := json.Unmarshal([]byte(text), &object.Object); err != nil {
				t.Fatal(err)
			}
			var got map[string]string
			if printer := ownPrinter(object.GroupVersionKind()); printer != nil {
				got = printer(object)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
