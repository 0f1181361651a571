// Package heartbeat_test runs a controller that writes to its objects every second, whether or not anything moves, and
// asks for as long as it runs.
package heartbeat_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Variables of whoever wants more than a few questions: for how long the test asks, and how often. The names begin as
// those do that the tests' environment keeps.
const (
	askFor   = "CONTROLPLANE_HEARTBEAT_FOR"
	askEvery = "CONTROLPLANE_HEARTBEAT_EVERY"
	fewest   = 2 // rounds of questions
)

// kept is a lantern that its controller writes a heartbeat to, and nothing else.
type kept struct {
	field   string // of its spec, which keeps it
	reason  finding.Reason
	verdict result.Verdict
}

func keptLanterns() map[string]kept {
	return map[string]kept{
		"paused":    {"paused", finding.ReconciliationPaused, result.Stuck},
		"protected": {"deletionProtection", finding.DeletionProtected, result.Stuck},
		"jammed":    {"jammed", finding.ControllerFailing, result.Stuck},
		"forgotten": {"forgotten", finding.ControllerUnknown, result.Undetermined},
	}
}

// moving is the lantern whose number of lamps falls: the twin of the others.
const moving = "large"

// TestHeartbeatIsNoProgress asks about objects to which a running controller writes every second: why, list, and a
// watch of each. Only the one whose number falls is Progressing. Once nothing keeps them, the same controller lets go
// of all.
func TestHeartbeatIsNoProgress(t *testing.T) {
	l := newLab(t)
	names := slices.Sorted(maps.Keys(keptLanterns()))
	for _, name := range names { // the status has the trouble after the controller has met the deletion
		l.nextBeat(t, name, l.nextBeat(t, name, ""))
	}
	watches := map[string]*watch{"": l.watch(t, "list", "-n", namespace)}
	for _, name := range names {
		watches[name] = l.watch(t, "why", lantern(name), "-n", namespace)
	}
	begun, moved, beats := time.Now(), 0, map[string]string{}
	for round := 0; round < fewest || time.Since(begun) < length(t, askFor) || moved == 0; round++ {
		if round >= fewest && time.Since(begun) > length(t, askFor)+patience {
			t.Fatal("the lantern with fewer lamps each second was never called Progressing")
		}
		for _, name := range names {
			beats[name] = l.nextBeat(t, name, beats[name])
			l.check(t, name)
		}
		l.checkList(t)
		if l.why(t, moving).Verdict == result.Progressing {
			moved++
		}
		t.Logf("%s: round %d, Progressing for the one that moves: %d", time.Since(begun).Round(time.Second), round+1, moved)
		time.Sleep(length(t, askEvery))
	}
	for name, one := range watches {
		one.checkVerdicts(t, name)
	}
	l.letGo(t, append(names, moving))
	for name, one := range watches {
		if name != "" {
			one.ended(t, name)
		}
	}
}

// length is a length of time that a variable says, or nothing.
func length(t *testing.T, variable string) time.Duration {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return 0
	}
	of, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return of
}

// nextBeat waits until a lantern has another heartbeat than before: else nothing is tested.
func (l *lab) nextBeat(t *testing.T, name, before string) (now string) {
	t.Helper()
	l.within(t, func() error {
		object, err := l.lanterns.Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		now, _, _ = unstructured.NestedString(object.Object, "status", "lastReconcileTime")
		if now == "" || now == before {
			return fmt.Errorf("%s has no heartbeat after %q", name, before)
		}
		return nil
	})
	return now
}

// check asks why a lantern is still there.
func (l *lab) check(t *testing.T, name string) {
	t.Helper()
	one, want := l.why(t, name), keptLanterns()[name]
	var reasons []finding.Reason
	for _, cause := range one.RootCauses {
		reasons = append(reasons, cause.Reason)
	}
	if one.Verdict != want.verdict || !slices.Equal(reasons, []finding.Reason{want.reason}) {
		t.Errorf("why %s: %s by %v, want %s by %s: %s", name, one.Verdict, reasons, want.verdict, want.reason, one.Summary)
	}
	if strings.Contains(one.Summary, "working on") {
		t.Errorf("why %s: %s", name, one.Summary)
	}
}

// checkList asks about all lanterns at once.
func (l *lab) checkList(t *testing.T) {
	t.Helper()
	var list result.List
	l.ask(t, &list, "list", "-n", namespace)
	seen := 0
	for _, item := range list.Items {
		if want, is := keptLanterns()[item.Target.Name]; is {
			seen++
			if item.Verdict != want.verdict {
				t.Errorf("list: %s is %s, want %s: %s", item.Target.Name, item.Verdict, want.verdict, item.Summary)
			}
		}
	}
	if seen != len(keptLanterns()) {
		t.Errorf("the list has %d lanterns, want %d", seen, len(keptLanterns()))
	}
}

// checkVerdicts holds what a watch has said so far.
func (w *watch) checkVerdicts(t *testing.T, name string) {
	t.Helper()
	looks := 0
	for decoder := json.NewDecoder(strings.NewReader(w.out.String())); ; looks++ {
		var look struct {
			Target  finding.Ref       `json:"target"`
			Verdict result.Verdict    `json:"verdict"`
			Summary string            `json:"summary"`
			Items   []result.ListItem `json:"items"`
		}
		if decoder.Decode(&look) != nil { // the last one may not be written to its end yet
			break
		}
		if name != "" {
			look.Items = append(look.Items, result.ListItem{
				Target: finding.Ref{Name: name}, Verdict: look.Verdict, Summary: look.Summary,
			})
		}
		for _, item := range look.Items {
			if want, is := keptLanterns()[item.Target.Name]; is && item.Verdict != want.verdict {
				t.Errorf("watched, %s is %s, want %s: %s", item.Target.Name, item.Verdict, want.verdict, item.Summary)
			}
		}
	}
	t.Logf("the watch of %q has said %d answers", name, looks)
	if looks == 0 {
		t.Errorf("the watch of %q has said nothing: %s", name, w.errOut.String())
	}
}

// letGo takes away what keeps lanterns, and waits until their controller has let go of them.
func (l *lab) letGo(t *testing.T, names []string) {
	t.Helper()
	for _, name := range names {
		_, err := l.lanterns.Patch(t.Context(), name, types.MergePatchType, []byte(`{"spec":null}`), metav1.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		l.within(t, func() error {
			if _, err := l.lanterns.Get(t.Context(), name, metav1.GetOptions{}); err == nil {
				return fmt.Errorf("%s is still there", name)
			}
			return nil
		})
	}
}
