package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

func (s *stage) count(t *testing.T, user string, is func(controlplane.Request) bool) (count int) {
	t.Helper()
	requests, err := s.plane.Requests(context.WithoutCancel(t.Context()), user, s.kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range requests {
		if is(request) {
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
	s.inPipe(t, append(target, "-w", "--timeout", "20s")...).closed(t, 4)
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
