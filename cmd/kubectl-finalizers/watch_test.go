package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestWatch watches on a real control plane, on a terminal and in a pipe, until there is an end.
func TestWatch(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	for _, one := range []struct {
		name string
		run  func(*testing.T, *stage)
	}{
		{"terminal", testWatchOnTerminal}, {"interrupted", testWatchInterrupted}, {"lines", testWatchInLines},
		{"documents", testWatchDocuments}, {"timeout", testWatchTimeout}, {"stuck", testWatchUntilStuck},
		{"recreated", testWatchRecreated}, {"list", testWatchList}, {"forbidden", testWatchForbidden},
		{"cut", testWatchCut}, {"requests", testWatchRequests},
		{"restart", testWatchRestart}, // last: it disturbs the others
	} {
		t.Run(one.name, func(t *testing.T) {
			s := &stage{plane: plane, namespace: "watch-" + one.name}
			var err error
			s.kubeconfig, err = plane.UserKubeconfig(t.Context(), "lab", s.namespace, controlplane.ClusterAdmins)
			if err != nil {
				t.Fatal(err)
			}
			s.prepare(t)
			one.run(t, s)
		})
	}
}

func testWatchOnTerminal(t *testing.T, s *stage) {
	r := s.onTerminal(t, "why", "cm/one", "cm/two", "cm/three", "--watch")
	r.untilScreen(t, "Watching 3 objects since")
	r.untilScreen(t, "lines, printed at the end")
	r.size(50, 12)
	until(t, "a smaller answer", func() bool {
		screen := r.terminal.Screen()
		return len(screen) == 12 && strings.HasSuffix(screen[11], "Ctrl-C.")
	}, r.screen)
	r.size(100, 200)
	until(t, "a larger answer", func() bool { return len(r.terminal.Screen()) > 24 }, r.screen)
	_, _, before, _ := r.terminal.State()
	s.release(t, "one")
	r.untilScreen(t, "ConfigMap "+s.namespace+"/one is gone")
	drawn := func() int { // a frame counts at its end, which may be on its way yet
		_, _, after, _ := r.terminal.State()
		return after - before
	}
	until(t, "a whole frame", func() bool { return drawn() > 0 }, r.screen)
	if drawn() > 10 {
		t.Errorf("it drew %d times for one change", drawn())
	}
	s.release(t, "two", "three")
	text := r.ended(t, 0)
	for _, want := range []string{"DONE", "✓", s.namespace + "/three is gone, "} {
		if !strings.Contains(text, want) {
			t.Errorf("what is left on the terminal doesn't say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "press Ctrl-C") {
		t.Errorf("what was drawn stands there still:\n%s", text)
	}
}

func testWatchInterrupted(t *testing.T, s *stage) {
	r := s.onTerminal(t, "why", "cm/one", "-w")
	r.untilScreen(t, "Ctrl-C.")
	if _, err := io.WriteString(r.keyboard, "\x03"); err != nil {
		t.Fatal(err)
	}
	text := r.ended(t, 1)
	for _, want := range []string{"example.com/hold", "WHAT TO DO", "interrupted"} {
		if !strings.Contains(text, want) {
			t.Errorf("the answer isn't left on the terminal: no %q in\n%s", want, text)
		}
	}
}

func testWatchInLines(t *testing.T, s *stage) {
	r := s.inPipe(t, "why", "cm/one", "-w")
	r.untilLine(t, "Z  Undetermined: ConfigMap "+s.namespace+"/one has been Terminating")
	client, err := s.plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	// What happens to others, and what holds nothing, is no change.
	_, err = client.CoreV1().ConfigMaps(s.namespace).Patch(t.Context(), "two", types.MergePatchType,
		[]byte(`{"metadata":{"annotations":{"a":"b"}}}`), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s.release(t, "one")
	text := r.closed(t, 0)
	if lines := strings.Split(text, "\n"); len(lines) != 2 || !strings.Contains(lines[1], "/one is gone, ") {
		t.Errorf("one answer and one change are two lines:\n%s", text)
	}
}

func testWatchDocuments(t *testing.T, s *stage) {
	r := s.inPipe(t, "why", "cm/one", "cm/two", "-w", "-o", "json")
	r.untilLine(t, `"kind": "DiagnosisList"`)
	r.untilLine(t, `"unreadable"`)
	s.release(t, "one")
	until(t, "a second document", func() bool { return strings.Count(r.text(), "DiagnosisList") == 2 }, r.text)
	s.release(t, "two")
	decoder := json.NewDecoder(strings.NewReader(r.closed(t, 0)))
	for want := 2; ; want-- {
		var list result.DiagnosisList
		if err := decoder.Decode(&list); errors.Is(err, io.EOF) {
			if want > 0 {
				t.Errorf("%d documents are missing", want)
			}
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if len(list.Items) != max(0, want) {
			t.Errorf("%d objects in a document, want %d", len(list.Items), want)
		}
	}
	if !strings.Contains(r.stderr.String(), "ConfigMap "+s.namespace+"/two is gone") {
		t.Errorf("stderr doesn't say that it is gone: %s", r.stderr)
	}
}

func testWatchTimeout(t *testing.T, s *stage) {
	r := s.inPipe(t, "why", "cm/one", "-w", "--timeout", "20s") // time for a first answer
	r.closed(t, 4)
	if !strings.Contains(r.stderr.String(), "timed out after 20s") {
		t.Errorf("stderr: %s", r.stderr)
	}
	live := s.inPipe(t, "why", "ns/"+s.namespace, "-w", "--timeout", "1s")
	live.closed(t, 1)
}

// testWatchUntilStuck refuses writes to the object by a webhook that isn't there.
func testWatchUntilStuck(t *testing.T, s *stage) {
	r := s.inPipe(t, "why", "cm/one", "-w", "--until", "stuck")
	r.untilLine(t, "Undetermined: ")
	mustBreak(t, s.plane, `
- apply: |
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingWebhookConfiguration
    metadata: {name: watch-stuck}
    webhooks:
    - name: gone.example.com
      failurePolicy: Fail
      sideEffects: None
      admissionReviewVersions: [v1]
      clientConfig: {service: {namespace: watch-stuck, name: gone, path: /}}
      namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: watch-stuck}}
      rules: [{operations: [UPDATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
`)
	if text := r.closed(t, 2); !strings.Contains(text, "Stuck: ") {
		t.Errorf("it ended without a word of why:\n%s", text)
	}
}

func testWatchRecreated(t *testing.T, s *stage) {
	r := s.inPipe(t, "why", "cm/one", "-w")
	r.untilLine(t, "Undetermined: ")
	s.release(t, "one")
	mustBreak(t, s.plane, fmt.Sprintf("- apply: |\n    apiVersion: v1\n    kind: ConfigMap\n"+
		"    metadata: {name: one, namespace: %s, finalizers: [example.com/other]}\n", s.namespace))
	if text := r.closed(t, 0); strings.Contains(text, "example.com/other") {
		t.Errorf("another object of that name is taken for the one that was asked about:\n%s", text)
	}
}

func testWatchList(t *testing.T, s *stage) {
	r := s.inPipe(t, "list", "-w")
	r.untilLine(t, "3 objects are Terminating; it is not clear what blocks them")
	s.release(t, "one")
	r.untilLine(t, "ConfigMap "+s.namespace+"/one is gone; 2 of 3 left")
	r.untilLine(t, "2 objects are Terminating")
	s.release(t, "two", "three")
	if text := r.closed(t, 0); !strings.HasSuffix(text, `Nothing is Terminating in namespace "`+s.namespace+`".`) {
		t.Errorf("it ends without a word:\n%s", text)
	}
	nothing := s.onTerminal(t, "list", "--watch")
	if text := nothing.ended(t, 0); !strings.Contains(text, "Nothing is Terminating") {
		t.Errorf("nothing from the beginning:\n%s", text)
	}
}

// testWatchForbidden reads what may not be watched.
func testWatchForbidden(t *testing.T, s *stage) {
	const user = "watch-reader"
	var err error
	if s.kubeconfig, err = s.plane.UserKubeconfig(t.Context(), "lab", user); err != nil {
		t.Fatal(err)
	}
	rule := rbacv1.PolicyRule{
		APIGroups: []string{""}, Resources: []string{"configmaps", "namespaces"}, Verbs: []string{"get", "list"},
	}
	if err := s.plane.Grant(t.Context(), user, "", rule); err != nil {
		t.Fatal(err)
	}
	r := s.inPipe(t, "why", "cm/one", "-w")
	r.untilLine(t, "Undetermined: ")
	until(t, "a watch that is refused", func() bool {
		return s.count(t, user, func(request controlplane.Request) bool {
			return request.Verb == "watch" && request.ResponseStatus.Code == 403
		}) > 0
	}, r.text)
	s.release(t, "one")
	if text := r.closed(t, 0); !strings.Contains(text, "/one is gone") {
		t.Errorf("what can't be watched isn't seen to go:\n%s", text)
	}
}
