package follow

import (
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func TestSchedule(t *testing.T) {
	const took = 500 * time.Millisecond
	after := func(looks int, differs bool, act func(*schedule)) time.Duration {
		s, now := newSchedule(), noon
		for range looks {
			if act != nil {
				act(s)
			}
			s.begin()
			s.done(now, took, differs, time.Time{})
		}
		if act != nil {
			act(s)
		}
		return s.next().Sub(now)
	}
	touched := func(s *schedule) { s.changed(noon, "Node n", written) }
	for _, c := range []struct {
		name string
		got  time.Duration
		want time.Duration
	}{
		{"nothing happens", after(1, false, nil), firstIdle},
		{"nothing has happened for long", after(9, false, nil), lastIdle},
		{"the answer has just changed", after(9, true, nil), firstIdle},
		{"a hold has changed", after(5, false, func(s *schedule) { s.changed(noon, "Pod p", decides) }), share * took},
		{"something was written", after(1, true, touched), share * took},
		{"something is written all the time, and matters", after(9, true, touched), share * took},
		{"something is written all the time, and makes no difference", after(9, false, touched), calmest},
		{"many go, and nothing else is said of those that are left", after(9, false, func(s *schedule) {
			s.changed(noon, "holds of Pod", holds)
		}), calm},
		{"nobody else is patient with what matters", after(9, false, func(s *schedule) {
			touched(s)
			if s.fruitless["Node n"] == 9 {
				s.changed(noon, "Deployment d", written)
			}
		}), share * took},
	} {
		if c.got != c.want {
			t.Errorf("%s: the next look comes after %s, want %s", c.name, c.got, c.want)
		}
	}
}

func TestScheduleKeepsAppointments(t *testing.T) {
	s := newSchedule()
	s.done(noon, 0, true, noon.Add(7*time.Second))
	if got := s.next().Sub(noon); got != 8*time.Second {
		t.Errorf("what should be over after 7s is looked at after %s", got)
	}
	s.done(noon.Add(time.Second), 0, false, noon.Add(7*time.Second))
	if got := s.next().Sub(noon); got != 8*time.Second {
		t.Errorf("what should be over after 7s still is looked at after %s", got)
	}
	s.done(noon, 0, false, noon.Add(10*time.Second))
	if got := s.next().Sub(noon); got < firstIdle {
		t.Errorf("what is put off with each look is looked at after %s", got)
	}
	s.done(noon, 0, true, noon.Add(-time.Second))
	if got := s.next().Sub(noon); got < firstIdle {
		t.Errorf("what should have been over is looked at again after %s", got)
	}
}

// TestAppointments holds what answers name as the next end: the first that isn't overdue.
func TestAppointments(t *testing.T) {
	late, soon, later := noon.Add(-time.Second), noon.Add(9*time.Second), noon.Add(time.Minute)
	list := &result.List{GeneratedAt: noon, Items: []result.ListItem{{Until: later}, {}, {Until: late}, {Until: soon}}}
	diagnosis := result.Diagnosis{GeneratedAt: noon}
	for _, until := range []*time.Time{&late, &later, nil, &soon} {
		diagnosis.Observations = append(diagnosis.Observations, result.Observation{Until: until})
	}
	for name, answer := range map[string]*Answer{
		"a list": OfList(list, ""), "a diagnosis": OfDiagnoses(nil, []result.Diagnosis{diagnosis}),
	} {
		if !answer.until.Equal(soon) {
			t.Errorf("%s is looked at again for %s, want %s", name, answer.until, soon)
		}
	}
}

func TestScheduleAfterFailures(t *testing.T) {
	s := newSchedule()
	s.done(noon, 0, false, time.Time{})
	for _, want := range []time.Duration{2, 4, 8, 16, 30, 30} {
		s.failure(noon)
		if got := s.next().Sub(noon); got != want*time.Second {
			t.Errorf("after %d failures it waits %s, want %ds", s.failed, got, want)
		}
	}
	s.done(noon, 0, true, time.Time{})
	if s.failed != 0 {
		t.Error("an answer doesn't end a row of failures")
	}
}

func TestScheduleGathers(t *testing.T) {
	s := newSchedule()
	s.done(noon, 0, false, time.Time{})
	late := noon.Add(5 * time.Second)
	s.changed(late, "a", decides)
	s.changed(late.Add(100*time.Millisecond), "b", decides)
	if got := s.next().Sub(late); got != settle {
		t.Errorf("two changes are looked at after %s, want once after %s", got, settle)
	}
}

// TestScheduleForgetsNothing looks again for what changes while it looks: the answer may be older.
func TestScheduleForgetsNothing(t *testing.T) {
	s := newSchedule()
	s.begin()
	s.changed(noon, "a", decides)
	s.done(noon.Add(10*time.Second), time.Second, true, time.Time{})
	if got := s.next().Sub(noon); got != 14*time.Second {
		t.Errorf("what changed during a look is looked at after %s, want as soon as the next look may be", got)
	}
	s.begin()
	s.done(noon.Add(20*time.Second), time.Second, true, time.Time{})
	if got := s.next().Sub(noon); got != 30*time.Second {
		t.Errorf("it is looked at twice: after %s", got)
	}
}
