package mechanism

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

func TestRemainingResources(t *testing.T) {
	cases := map[string][]remaining{
		"Some resources are remaining: configmaps. has 3 resource instances": {
			{Name: schema.GroupResource{Resource: "configmaps"}, Count: 3},
		},
		"Some resources are remaining: databases.shop.example.com has 12 resource instances, " +
			"secrets. has 1 resource instances": {
			{Name: schema.GroupResource{Group: "shop.example.com", Resource: "databases"}, Count: 12},
			{Name: schema.GroupResource{Resource: "secrets"}, Count: 1},
		},
		"All content successfully removed": {},
		"":                                 {},
	}
	for message, want := range cases {
		if diff := cmp.Diff(want, remainingResources(message)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", message, diff)
		}
	}
}

func TestOnlyPodsRemain(t *testing.T) {
	cases := map[string]bool{
		"Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: x for gvr: " +
			"/v1, Resource=pods": true,
		"Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: x for gvr: " +
			"/v1, Resource=configmaps": false,
		"Failed to delete all resource types, 1 remaining: admission webhook \"w\" denied the request": false,
		"Failed to delete all resource types, 2 remaining: denied, unexpected items still remain in namespace: x " +
			"for gvr: /v1, Resource=pods": false,
		"Failed to delete all resource types, 2 remaining: unexpected items still remain in namespace: x for gvr: " +
			"/v1, Resource=pods, unexpected items odd": false,
		"": false,
	}
	for message, want := range cases {
		if got := onlyPodsRemain(message); got != want {
			t.Errorf("%q: %t, want %t", message, got, want)
		}
	}
}

// TestCommandsSurviveAShell has a shell take commands apart again.
func TestCommandsSurviveAShell(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("needs a POSIX shell")
	}
	for _, context := range []string{"prod", "a b", "it's", `"$HOME"`, "a;b", "`ls`"} {
		kubectl := session.Kubectl{Flags: []string{"--kubeconfig", "/tmp/with space", "--context", context}}
		object := session.Named(cluster.Pods(), "shop", "web")
		command := kubectl.Command(object, "delete", "--grace-period=0")
		output, err := exec.Command(shell, "-c", "kubectl() { printf '%s\\n' \"$@\"; }; "+command.String()).Output()
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		want := []string{
			"--kubeconfig", "/tmp/with space", "--context", context, "-n", "shop", "delete", "pods/web", "--grace-period=0",
		}
		if diff := cmp.Diff(want, strings.Split(strings.TrimSuffix(string(output), "\n"), "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", command, diff)
		}
	}
}

func TestRemovalPatchTakesOneFinalizerOnly(t *testing.T) {
	meta := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		UID: "1", Finalizers: []string{"a/<x>", "b", "a/<x>", "c"},
	}}
	object := &session.Object{Ref: finding.Ref{UID: "1"}, Meta: meta}
	var operations []map[string]string
	if err := json.Unmarshal([]byte(session.RemovalPatch(object, "a/<x>")), &operations); err != nil {
		t.Fatal(err)
	}
	want := []map[string]string{
		{"op": "test", "path": "/metadata/uid", "value": "1"},
		{"op": "test", "path": "/metadata/finalizers/2", "value": "a/<x>"},
		{"op": "remove", "path": "/metadata/finalizers/2"},
		{"op": "test", "path": "/metadata/finalizers/0", "value": "a/<x>"},
		{"op": "remove", "path": "/metadata/finalizers/0"},
	}
	if diff := cmp.Diff(want, operations); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
}
