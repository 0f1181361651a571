package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestUnserved asks an API server that doesn't serve a kind whose definition is there, as one that has just started,
// and one of several that is behind the others. Its objects can't be read then; nothing says that they are gone.
func TestUnserved(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	for _, one := range []struct {
		name string
		run  func(*testing.T, *starting)
	}{
		{"once", testUnservedOnce}, {"list", testUnservedInList}, {"namespace", testUnservedInNamespace},
		{"target", testUnservedTarget}, {"metrics", testUnservedInMetrics}, {"remove", testUnservedWhileRemoving},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			one.run(t, newStarting(t, plane, one.name))
		})
	}
}

func testUnservedOnce(t *testing.T, s *starting) {
	unreadable := "databases." + s.group
	s.behind.Store(true)
	for _, args := range [][]string{{"list"}, {"list", "-o", "json"}, {"check"}, {"preview", "ns/" + s.namespace}} {
		cmd, stdout, stderr := program(t, s.args(args...)...)
		if err := cmd.Run(); err != nil {
			t.Errorf("%s: %v\n%s", args, err, stderr)
		}
		if text := stdout.String() + stderr.String(); !strings.Contains(text, unreadable) {
			t.Errorf("%s doesn't say that %s can't be read:\n%s", args, unreadable, text)
		}
	}
	cmd, stdout, stderr := program(t, s.args("why", "databases."+s.group+"/a")...)
	_ = cmd.Run()
	code := cmd.ProcessState.ExitCode()
	if said := stderr.String(); code != 1 || stdout.Len() > 0 || !strings.Contains(said, "it is defined") {
		t.Errorf("it doesn't say that the kind is defined: %d\n%s%s", code, stdout, said)
	}
}

const (
	unread = "3 × Database (%[1]s/a, %[1]s/b, %[1]s/c) can't be read at present"
	back   = "3 × Database (%[1]s/a, %[1]s/b, %[1]s/c) are back"
)

// behindAndBack has the server be behind until a watch has told so, and then no longer. release has it look again.
func (s *starting) behindAndBack(t *testing.T, r *running) {
	t.Helper()
	s.behind.Store(true)
	s.release(t, "one")
	r.untilLine(t, fmt.Sprintf(unread, s.namespace))
	saysNoLies(t, r.text())
	s.behind.Store(false)
	s.release(t, "two")
	r.untilLine(t, fmt.Sprintf(back, s.namespace))
	saysNoLies(t, r.text())
}

func testUnservedInList(t *testing.T, s *starting) {
	r := s.inPipe(t, "list", "-w")
	r.untilLine(t, "6 objects are Terminating")
	s.behindAndBack(t, r)
	s.behind.Store(true) // and nothing else is left
	s.release(t, "three")
	r.untilLine(t, "In what could be read, nothing is Terminating")
	s.behind.Store(false)
	s.free(t, "a", "b", "c")
	mustBreak(t, s.plane, "- delete: {object: crd/databases."+s.group+"}\n")
	if text := r.closed(t, 0); strings.Count(text, "gone") < 4 ||
		!strings.HasSuffix(text, `Nothing is Terminating in namespace "`+s.namespace+`".`) {
		t.Errorf("that they have gone isn't told:\n%s", text)
	}
}

func testUnservedInNamespace(t *testing.T, s *starting) {
	s.deleteNamespace(t)
	r := s.inPipe(t, "why", "ns/"+s.namespace, "-w")
	r.untilLine(t, "has been Terminating")
	s.behindAndBack(t, r)
	s.release(t, "three")
	s.free(t, "a", "b", "c")
	if text := r.closed(t, 0); !strings.Contains(text, "Namespace "+s.namespace+" is gone") {
		t.Errorf("that it is gone isn't told:\n%s", text)
	}
}

func testUnservedTarget(t *testing.T, s *starting) {
	r := s.inPipe(t, "why", "databases."+s.group+"/a", "databases."+s.group+"/b", "cm/one", "cm/two", "-w")
	r.untilLine(t, "/two has been Terminating")
	s.behind.Store(true)
	s.release(t, "one") // to have it look
	missed := s.missed.Load()
	const looks = 7 // more than were believed
	until(t, "some looks", func() bool { return s.missed.Load() > missed+looks }, r.text)
	saysNoLies(t, r.text())
	s.behind.Store(false)
	s.free(t, "a", "b")
	s.release(t, "two")
	if text := r.closed(t, 0); strings.Count(text, " is gone") != 4 {
		t.Errorf("that they have gone isn't told:\n%s", text)
	}
}

func testUnservedInMetrics(t *testing.T, s *starting) {
	cmd, e := exporting(t, "--kubeconfig", s.kubeconfig, "-n", s.namespace)
	three := fmt.Sprintf(`finalizers_terminating_objects{group="%s",kind="Database",namespace="%s",`+
		`reason="ControllerMissing",verdict="Stuck"} 3`, s.group, s.namespace)
	e.has(t, "three Databases", three, "finalizers_last_look_carried_objects 0")
	s.behind.Store(true)
	e.has(t, "what can't be read", three, "finalizers_last_look_carried_objects 3")
	asked := s.asked.Load()
	until(t, "two more looks", func() bool { return s.asked.Load() > asked+1 }, e.String)
	e.has(t, "the same still", three, "finalizers_last_look_carried_objects 3")
	s.free(t, "a", "b", "c")
	mustBreak(t, s.plane, "- delete: {object: crd/databases."+s.group+"}\n")
	// The definition was deleted while the server was behind: then they are gone.
	e.has(t, "ConfigMaps only", `finalizers_verdicts{verdict="Undetermined"} 3`, "finalizers_last_look_carried_objects 0")
	_ = cmd.Process.Kill()
}

// testUnservedWhileRemoving has the server be behind after the plan, and after the write: nothing is written on an
// answer that lacks the object's kind, and what can't be read isn't gone.
func testUnservedWhileRemoving(t *testing.T, s *starting) {
	l := &lab{plane: s.plane, kubeconfig: s.kubeconfig, backups: t.TempDir()}
	target := []string{
		"databases." + s.group + "/a", "-n", s.namespace, "--finalizer", "example.com/hold", "--timeout", "5s",
	}
	token := l.token(t, target...)
	database := func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/databases/a") }
	s.after = func(r *http.Request) { s.behind.Store(s.behind.Load() || database(r)) } // the first read of it
	done := l.remove(t, append(target, "--force", "--confirm", token)...)
	if held := s.finalizers(t, "a"); done.code == 0 || len(held) != 2 {
		t.Errorf("it was written: %d, %v\n%s%s", done.code, held, done.stdout, done.stderr)
	}
	s.behind.Store(false)
	s.after = func(r *http.Request) {
		s.behind.Store(s.behind.Load() || database(r) && r.Method == http.MethodPatch && r.URL.Query().Get("dryRun") == "")
	}
	done = l.confirmed(t, target...)
	if held := s.finalizers(t, "a"); len(held) != 1 {
		t.Errorf("it was not written: %v", held)
	}
	if done.code != 5 || done.report.Outcome == result.Gone || s.missed.Load() == 0 {
		t.Errorf("what can't be read is gone: %d, %s\n%s%s", done.code, done.report.Outcome, done.stdout, done.stderr)
	}
}
