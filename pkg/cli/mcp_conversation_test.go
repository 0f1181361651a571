package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// TestAssistantAsksARecording has the conversation that a person would have about a cluster that is broken.
func TestAssistantAsksARecording(t *testing.T) {
	t.Parallel()
	a := newAssistant(t, "--snapshot", "../../hack/demo/demo.snapshot")
	for _, turn := range []struct {
		tool, arguments, kind string
		says                  []string
	}{
		{"list", `{"allNamespaces": true}`, "DiagnosisList", []string{"9 objects are Terminating", "NodeNotReady"}},
		{"why", `{"targets": ["pvc/data"], "namespace": "shop"}`, "Diagnosis", []string{"StillInUse"}},
		{"why", `{"targets": ["pvc"], "allNamespaces": true}`, "DiagnosisList", []string{"StillInUse"}},
		{"why", `{"targets": ["ns/payments", "pvc/data"], "namespace": "shop"}`, "DiagnosisList",
			[]string{"NodeNotReady", "StillInUse"}},
		{"tree", `{"target": "ns/payments"}`, "BlockingGraph", []string{"Pod/ledger"}},
		{"tree", `{"allNamespaces": true, "limit": 2}`, "BlockingGraph", []string{"nodes: 2 of"}},
		{"explain", `{"finalizer": "kubernetes.io/pvc-protection"}`, "Explanation",
			[]string{"kube-controller-manager removes"}},
		{"explain", `{"kind": "pvc"}`, "Explanation", []string{"pvc-protection"}},
		{"explain", `{}`, "ProjectList", []string{"are known"}},
		{"preview", `{"targets": ["ns/shop"], "cascade": "foreground"}`, "DeletionPreview", []string{"shop"}},
		{"check", `{"namespace": "shop"}`, "CheckReport", []string{"with finalizers"}},
		{"list", `{"namespace": "default"}`, "DiagnosisList", []string{`in namespace "default"`,
			"To see more, use -n or -A"}},
	} {
		got := a.ask(t, turn.tool, turn.arguments)
		if got.isError || got.kind != turn.kind {
			t.Errorf("%s %v: got the kind %q\n%s", turn.tool, turn.arguments, got.kind, got.text)
		}
		for _, want := range turn.says {
			if !strings.Contains(got.text, want) {
				t.Errorf("%s %v doesn't say %q:\n%s", turn.tool, turn.arguments, want, got.text)
			}
		}
	}
	for _, turn := range []struct {
		tool, arguments, says string
	}{
		{"why", `{"targets": ["pvc/dtaa"], "namespace": "shop"}`, "did you mean persistentvolumeclaims/data"},
		{"why", `{"targets": ["wigdets/a"]}`, "doesn't have a resource type"},
		{"why", `{"targets": ["--force"]}`, "resource type"},
		{"why", `{"targets": ["ns"], "selector": "a=b,,"}`, "selector"},
		{"explain", `{"finalizer": "kubernetes.io/pvc-protecton"}`, "Did you mean"},
		{"list", `{"olderThan": "soon"}`, "is not a duration"},
		{"list", `{"namespace": "shpo"}`, "did you mean shop?"},
		{"preview", `{"targets": ["ns/none"]}`, "not found"},
	} {
		if got := a.ask(t, turn.tool, turn.arguments); !got.isError || !strings.Contains(got.text, turn.says) {
			t.Errorf("%s %v: got %v\n%s", turn.tool, turn.arguments, got.isError, got.text)
		}
	}
}

// TestAssistantSaysWhatTheCommandSays has a tool give the very answer that the command prints as JSON.
func TestAssistantSaysWhatTheCommandSays(t *testing.T) {
	t.Parallel()
	a := newAssistant(t, "--snapshot", "../../hack/demo/demo.snapshot")
	var out bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: io.Discard}
	args := []string{"why", "ns/payments", "--snapshot", "../../hack/demo/demo.snapshot", "-o", "json"}
	if code := Execute(t.Context(), streams, args); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	var want, got result.Diagnosis
	if err := json.Unmarshal(out.Bytes(), &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(a.ask(t, "why", `{"targets": ["ns/payments"]}`).result, &got); err != nil {
		t.Fatal(err)
	}
	one, _ := json.Marshal(want)
	other, _ := json.Marshal(got)
	if !bytes.Equal(one, other) {
		t.Errorf("the command says\n%s\nand the tool\n%s", one, other)
	}
}
