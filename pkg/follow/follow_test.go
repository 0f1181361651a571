package follow

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func TestRunUntilGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		w := &world{answer: about(result.Stuck, node("a", "x/y"), node("b", "x/y"))}
		done := w.watch(t.Context(), Options{}, func() {
			time.Sleep(10 * time.Second)
			w.set(about(result.Progressing, node("b", "x/y")), nil)
			w.see(deleted("a"))
			time.Sleep(10 * time.Second)
			w.see(deleted("target"))
		})
		want := "0 Stuck: it waits\n" +
			"10 ConfigMap shop/a is gone; 1 of 2 left\n" +
			"10 Down is no longer a root cause: ConfigMap shop/b\n" +
			"10 Progressing: it waits\n" +
			"20 ConfigMap shop/target is gone"
		if got := done.text(begun); done.end != Gone || done.err != nil || got != want {
			t.Errorf("it ended with %d, %v:\n%s\nwant:\n%s", done.end, done.err, got, want)
		}
		if w.looks > 3 {
			t.Errorf("it looked %d times", w.looks)
		}
	})
}

func TestRunEnds(t *testing.T) {
	stuck, progressing := about(result.Stuck, node("a", "x/y")), about(result.Progressing, node("a", "x/y"))
	for _, c := range []struct {
		name    string
		first   *Answer
		options Options
		act     func(w *world, cancel func())
		end     End
		after   time.Duration
	}{
		{"gone at once", &Answer{Over: true}, Options{}, nil, Gone, 0},
		{"stuck, and nobody asked", stuck, Options{Timeout: time.Minute}, nil, TimedOut, time.Minute},
		{"stuck at once", stuck, Options{UntilStuck: true, Timeout: time.Minute}, nil, Stuck, 0},
		{"not stuck", progressing, Options{UntilStuck: true, Timeout: time.Minute}, nil, TimedOut, time.Minute},
		{"stuck later", progressing, Options{UntilStuck: true}, func(w *world, _ func()) {
			time.Sleep(5 * time.Second)
			w.see(seen("a", "1", "x/y"))
			time.Sleep(15 * time.Second)
			w.set(stuck, nil)
			w.see(seen("a", "2", "x/y"))
		}, Stuck, 20 * time.Second},
		{"interrupted", stuck, Options{}, func(_ *world, cancel func()) {
			time.Sleep(5 * time.Second)
			cancel()
		}, Interrupted, 5 * time.Second},
		{"gone, as a look shows", stuck, Options{}, func(w *world, _ func()) {
			time.Sleep(20 * time.Second)
			w.set(&Answer{Over: true}, nil)
		}, Gone, 30 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				w := &world{answer: c.first}
				done := w.watch(ctx, c.options, func() {
					if c.act != nil {
						c.act(w, cancel)
					}
				})
				if done.end != c.end || done.err != nil || (done.lasted-c.after).Abs() > 2*time.Second {
					t.Errorf("end %d (%v) after %s, want %d after %s", done.end, done.err, done.lasted, c.end, c.after)
				}
			})
		})
	}
}

// TestHourOfSomethingStuck counts what an hour costs: each look costs what asking once costs.
func TestHourOfSomethingStuck(t *testing.T) {
	for _, c := range []struct {
		name    string
		refuses bool
		noise   time.Duration // between two writes that make no difference
		most    int
	}{
		{"nothing happens", false, 0, 18},
		{"it is written all the time", false, time.Second, 40},
		{"nothing may be watched", true, 0, 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &world{answer: about(result.Stuck, node("a", "x/y")), refuses: c.refuses}
				over := time.Now().Add(time.Hour)
				w.watch(t.Context(), Options{Timeout: time.Hour}, func() {
					for version := 1; c.noise > 0 && time.Now().Add(2*c.noise).Before(over); version++ {
						time.Sleep(c.noise)
						w.see(seen("a", fmt.Sprint(version), "x/y"))
					}
				})
				if w.looks > c.most || w.looks < 10 {
					t.Errorf("%d looks in an hour, want at most %d, and some", w.looks, c.most)
				}
				if w.begun > 2 {
					t.Errorf("%d watches were begun for two objects", w.begun)
				}
			})
		})
	}
}

func TestRunSurvivesOutages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := about(result.Stuck, node("a", "x/y"))
		partial := about(result.Undetermined, node("a", "x/y"))
		partial.unread = make([]finding.Unreadable, 3)
		w := &world{answer: stuck}
		done := w.watch(t.Context(), Options{Timeout: 10 * time.Minute}, func() {
			time.Sleep(time.Minute)
			w.set(partial, nil) // the last thing that is heard before it is silent
			w.see(seen("a", "2", "x/y"))
			time.Sleep(time.Second)
			w.set(nil, errors.New("connection refused"))
			time.Sleep(time.Minute)
			w.set(stuck, nil)
		})
		if text := done.out.String(); strings.Contains(text, "Undetermined") || strings.Count(text, "\n") != 1 {
			t.Errorf("an outage of the server is told as a change:\n%s", text)
		}
		if want := "warning: the cluster can't be reached; trying again: connection refused\n" +
			"warning: the cluster can be reached again\n"; done.told.String() != want {
			t.Errorf("stderr: %q, want %q", done.told.String(), want)
		}
	})
}

func TestRunBelievesTheSecondTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		less := about(result.Undetermined, node("a", "x/y"))
		less.unread = make([]finding.Unreadable, 3)
		w := &world{answer: about(result.Stuck, node("a", "x/y"))}
		done := w.watch(t.Context(), Options{Timeout: 10 * time.Minute}, func() {
			time.Sleep(time.Minute)
			w.set(less, nil) // for good: rights were taken away
		})
		if !strings.Contains(done.out.String(), "Undetermined: it waits") {
			t.Errorf("what can't be read any more isn't told:\n%s", &done.out)
		}
	})
}

// TestRunBelievesNoEmptyListAtOnce looks again where everything has gone that no watch has seen to go.
func TestRunBelievesNoEmptyListAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{answer: listed("a", "b")}
		done := w.watch(t.Context(), Options{Timeout: time.Hour}, func() {
			time.Sleep(9 * time.Second) // and a second later there is a look
			w.set(listed(), nil)
			time.Sleep(2 * time.Second)
			w.set(listed("a", "b"), nil)
			time.Sleep(time.Minute)
			w.see(deleted("a"))
			w.see(deleted("b"))
			w.set(listed(), nil)
		})
		told := strings.Count(done.out.String(), "\n")
		if done.end != Gone || done.lasted < time.Minute || done.lasted > 80*time.Second || told != 3 {
			t.Errorf("it ended with %d after %s:\n%s", done.end, done.lasted, &done.out)
		}
	})
}
