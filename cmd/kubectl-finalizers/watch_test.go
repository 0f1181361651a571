package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// TestWatch watches on a real control plane, on a terminal and in a pipe, until there is an end.
func TestWatch(t *testing.T) {
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
	r.untilScreen(t, "more lines, printed at the end")
	r.size(50, 12)
	until(t, "a smaller answer", func() bool {
		screen := r.terminal.Screen()
		return len(screen) == 12 && strings.HasSuffix(screen[11], "Ctrl-C.")
	}, r.screen)
	r.size(100, 40)
	until(t, "a larger answer", func() bool { return len(r.terminal.Screen()) > 24 }, r.screen)
	_, _, before, _ := r.terminal.State()
	s.release(t, "one")
	r.untilScreen(t, "ConfigMap "+s.namespace+"/one is gone")
	if _, _, after, _ := r.terminal.State(); after == before || after > before+10 {
		t.Errorf("it drew %d times for one change", after-before)
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
		var list report.DiagnosisList
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
	r := s.inPipe(t, "why", "cm/one", "-w", "--timeout", "2s")
	r.closed(t, 4)
	if !strings.Contains(r.stderr.String(), "timed out after 2s") {
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
	r.untilLine(t, "3 objects are Terminating: 3 undetermined")
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
		return s.count(t, user, func(one controlplane.Request) bool {
			return one.Verb == "watch" && one.ResponseStatus.Code == 403
		}) > 0
	}, r.text)
	s.release(t, "one")
	if text := r.closed(t, 0); !strings.Contains(text, "/one is gone") {
		t.Errorf("what can't be watched isn't seen to go:\n%s", text)
	}
}

func (s *stage) count(t *testing.T, user string, is func(controlplane.Request) bool) (count int) {
	t.Helper()
	requests, err := s.plane.Requests(context.WithoutCancel(t.Context()), user, s.kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range requests {
		if is(one) {
			count++
		}
	}
	return count
}

// testWatchRequests counts what changes cost: a change of a hold as much as asking once, and a few watches at first.
// That there are few looks where nothing changes is shown for a whole hour by pkg/follow.TestHourOfSomethingStuck.
func testWatchRequests(t *testing.T, s *stage) {
	all := func(controlplane.Request) bool { return true }
	target := []string{"why", "cm/one", "cm/two", "cm/three"}
	s.inPipe(t, target...).closed(t, 0)
	before := s.count(t, s.namespace, all)
	s.inPipe(t, target...).closed(t, 0)
	single := s.count(t, s.namespace, all) - before

	before = s.count(t, s.namespace, all)
	r := s.inPipe(t, append(target, "-w")...)
	r.untilLine(t, "Undetermined: ")
	for _, name := range []string{"one", "two", "three"} {
		s.release(t, name)
		r.untilLine(t, s.namespace+"/"+name+" is gone")
	}
	r.closed(t, 0)
	requests := s.count(t, s.namespace, all) - before
	const watches = 6 // three, and what it takes to begin them
	if most := 3*single + watches; requests > most || requests < single {
		t.Errorf("%d requests for three changes, want at most %d: asking once takes %d", requests, most, single)
	}
	t.Logf("asking once takes %d requests, watching three changes %d", single, requests)

	full := &stage{plane: s.plane, namespace: s.namespace + "-full"}
	full.prepare(t)
	mustBreak(t, s.plane, fmt.Sprintf("- delete: {object: namespace/%s}\n", full.namespace))
	target = []string{"why", "ns/" + full.namespace}
	r = s.inPipe(t, append(target, "-w")...) // until kube-controller-manager has told what is in it
	r.untilLine(t, "Undetermined: ")
	if err := r.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	r.closed(t, 1)
	before = s.count(t, s.namespace, all)
	s.inPipe(t, target...).closed(t, 0)
	single = s.count(t, s.namespace, all) - before
	before = s.count(t, s.namespace, all)
	s.inPipe(t, append(target, "-w", "--timeout", "5s")...).closed(t, 4)
	if requests = s.count(t, s.namespace, all) - before; requests > 2*single+2*watches {
		t.Errorf("%d requests for a namespace in which nothing changes, asking once takes %d", requests, single)
	}
	t.Logf("asking about a namespace takes %d requests, watching it for some seconds %d", single, requests)
}

// testWatchCut cuts off the first watches in each way in which a watch may end, and lets the next one see what happens:
// no look is needed for that.
func testWatchCut(t *testing.T, s *stage) {
	var watches, looks atomic.Int32
	s.kubeconfig = answering(t, s.plane, func(w http.ResponseWriter, r *http.Request, pass func()) {
		isWatch := r.URL.Query().Get("watch") != ""
		if strings.HasSuffix(r.URL.Path, "/configmaps/one") && !isWatch {
			looks.Add(1)
		}
		if !isWatch {
			pass()
			return
		}
		switch watches.Add(1) {
		case 1: // in the middle of an answer
			w.WriteHeader(http.StatusOK)
			_, _ = io.WriteString(w, `{"type":"ADD`)
			panic(http.ErrAbortHandler)
		case 2: // before an answer
			panic(http.ErrAbortHandler)
		case 3: // what was missed isn't known any more
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusGone)
			_, _ = io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410}`)
		case 4: // the same, as an event
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},`+
				`"status":"Failure","reason":"Expired","code":410}}`)
		case 5: // there is no hurry
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			pass()
		}
	})
	r := s.inPipe(t, "why", "cm/one", "-w")
	r.untilLine(t, "Undetermined: ")
	before := looks.Load()
	until(t, "a watch that isn't cut off", func() bool { return watches.Load() > 5 }, r.text)
	asked := looks.Load()
	s.release(t, "one")
	if text := r.closed(t, 0); strings.Count(text, "\n") != 1 {
		t.Errorf("an answer and an end are two lines:\n%s", text)
	}
	if looks.Load() != asked {
		t.Errorf("it was seen to go by looking (%d reads at first, then %d, then %d)", before, asked, looks.Load())
	}
}

func testWatchRestart(t *testing.T, s *stage) {
	r := s.inPipe(t, "why", "cm/one", "cm/two", "-w")
	r.untilLine(t, "/two has been Terminating")
	s.release(t, "one")
	r.untilLine(t, "/one is gone")
	if err := s.plane.RestartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.release(t, "two")
	text := r.closed(t, 0)
	if !strings.Contains(text, "/two is gone") || strings.Count(text, "\n") > 4 {
		t.Errorf("a restart of the server is told as a change, or what comes after isn't:\n%s", text)
	}
}
