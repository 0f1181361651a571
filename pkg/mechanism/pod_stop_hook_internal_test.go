package mechanism

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestStopHook finds the hook that may remove a finalizer, and leaves alone the ones that sleep.
func TestStopHook(t *testing.T) {
	for _, c := range []struct {
		name       string
		first      []string // command of the hook of container first
		second     []string
		container  string
		finalizers bool
	}{
		{"none", nil, nil, "", false},
		{"a script", []string{"/stop.sh"}, nil, "first", false},
		{"a script beside one that names the finalizer", []string{"/stop.sh"},
			[]string{"/release", "shop.example.com/drained"}, "second", true},
		{"a patch", []string{"sh", "-c", `patch '{"metadata":{"finalizers":null}}'`}, nil, "first", true},
		{"a path of a patch", nil, []string{`[{"op":"remove","path":"/metadata/finalizers/0"}]`}, "second", true},
		{"a longer name", []string{"/release", "shop.example.com/drained-2"}, nil, "first", false},
		{"sleep", []string{"sleep", "5"}, []string{"sh", "-c", "sleep 5"}, "", false},
		{"sleep, then a patch", []string{"sh", "-c", "sleep 5; patch finalizers"}, nil, "first", true},
		{"what a recording has of it", []string{"(not recorded)", "(not recorded) finalizers"}, nil, "first", true},
	} {
		pod := &corev1.Pod{}
		for name, command := range map[string][]string{"first": c.first, "second": c.second} {
			container := corev1.Container{Name: name}
			if command != nil {
				runs := &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: command}}
				container.Lifecycle = &corev1.Lifecycle{PreStop: runs}
			}
			pod.Spec.Containers = append(pod.Spec.Containers, container)
		}
		hook, found := stopHook(pod, "shop.example.com/drained")
		if found != (c.container != "") || hook.Container != c.container || hook.Finalizers != c.finalizers {
			t.Errorf("%s: %t %+v", c.name, found, hook)
		}
	}
}
