package attribution

import "testing"

// TestJudgeProgress walks all movements: people are told to wait only for what was seen to move, or in a first minute
// in which there is no objection.
func TestJudgeProgress(t *testing.T) {
	for bits := range 1 << 7 {
		is := func(i int) bool { return bits>>i&1 == 1 }
		m := movement{
			gone: is(0), counts: is(1), changed: is(2), graced: is(3), first: is(4), doubt: is(5), writes: is(6),
		}
		seen := m.gone || m.counts || m.graced
		switch got := judgeProgress(m); {
		case seen != (got == isMoving) && !(m.changed && !m.doubt && got == isMoving):
			t.Errorf("%+v is said to be %s", m, got)
		case m.doubt && !seen && got.waits():
			t.Errorf("%+v is doubtful, and people are told to wait", m)
		case got == mayMove && (!m.first || m.changed):
			t.Errorf("%+v is said to be perhaps at work", m)
		case got.waits() && !seen && !m.changed && !m.first:
			t.Errorf("%+v is nothing but a write, and people are told to wait", m)
		case (got == onlyWrites) != (m.writes && !got.waits()):
			t.Errorf("%+v is said to be %s", m, got)
		}
		more := m
		more.writes = true
		if judgeProgress(more).waits() != judgeProgress(m).waits() {
			t.Errorf("%+v: a write more or less tells people to wait", m)
		}
	}
}
