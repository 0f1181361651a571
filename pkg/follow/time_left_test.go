package follow

import (
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
)

func TestPace(t *testing.T) {
	type at struct {
		seconds, left int
	}
	falling := func(from, each, times int) (all []at) {
		for i := range times {
			all = append(all, at{i, from - i*each})
		}
		return all
	}
	for _, c := range []struct {
		name  string
		notes []at
		now   int
		want  string
	}{
		{"nothing was counted", nil, 0, ""},
		{"nothing has gone", []at{{0, 5}, {60, 5}}, 60, ""},
		{"too little to tell how long", []at{{0, 5}, {1, 4}}, 1, "4 of 5 left"},
		{"it falls", falling(1500, 10, 61), 60, "900 of 1,500 left, about 2 min"},
		{"seconds", falling(10, 2, 4), 3, "4 of 10 left, about 2 s"},
		{"hours", []at{{0, 2000}, {600, 1999}, {1200, 1998}, {1800, 1997}}, 1800, "1,997 of 2,000 left, about 333 h"},
		{"it has come to a halt", falling(10, 1, 4), 60, "7 of 10 left"},
		{"more have come", []at{{0, 5}, {1, 4}, {2, 3}, {3, 9}}, 3, ""},
		{"more have come, and some have gone", []at{{0, 5}, {1, 9}, {2, 8}}, 2, "8 of 9 left"},
		{"all have gone", falling(3, 1, 4), 3, ""},
	} {
		p := pace{}
		for _, note := range c.notes {
			p.note(noon.Add(time.Duration(note.seconds)*time.Second), note.left)
		}
		if got := print.Progress(p.progress(noon.Add(time.Duration(c.now) * time.Second))); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
