package attribution

import "testing"

// TestJudge holds the decision table against what the contract says of each verdict.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name string
		standing
		want outcome
	}{
		{"runs, and acts", standing{found: Running, moves: true}, isAtWork},
		{"runs, and is silent", standing{found: Running}, isUnknown},
		{"runs, and complains while it acts", standing{found: Running, moves: true, reports: true}, isFailing},
		{"runs, and the API server refused its write", standing{found: Running, denied: true, reports: true}, isForbidden},
		{"runs, and something could not be read", standing{found: Running, moves: true, unread: true}, isUnknown},
		{"is down", standing{found: Down}, isDown},
		{"is down, and wrote a moment ago", standing{found: Down, moves: true, wrote: true}, isDown},
		{"is down, and its pod is young", standing{found: Down, starts: true}, isStarting},
		{"is down, and its Node may only be late", standing{found: Down, returns: true}, mayReturn},
		{"is down, its Node may be late, and it complained before", standing{found: Down, returns: true, reports: true},
			mayReturn},
		{"is forbidden to write, and its Node may be late", standing{found: Forbidden, returns: true}, isForbidden},
		{"is forbidden to write", standing{found: Forbidden, moves: true}, isForbidden},
		{"is missing", standing{found: Missing}, isMissing},
		{"nothing leads to anybody", standing{found: nobody}, isMissing},
		{"is missing, and somebody wrote since the deletion", standing{found: Missing, wrote: true}, isUnknown},
		{"is missing, and acted", standing{found: Missing, moves: true}, isMissing},
		{"is missing, and a Lease is renewed", standing{found: nobody, leads: true}, isUnknown},
		{"is missing, a Lease is renewed, and it complains", standing{found: nobody, leads: true, reports: true}, isFailing},
		{"is missing, wrote, and complains", standing{found: Missing, wrote: true, reports: true}, isFailing},
		{"is missing, and complained before it left", standing{found: Missing, reports: true}, isMissing},
		{"always runs outside", standing{found: Missing, outside: true}, isUnknown},
		{"is missing, and something could not be read", standing{found: Missing, unread: true}, isUnknown},
		{"is missing, and complains under its own name", standing{found: Missing, reports: true, speaks: true}, isFailing},
		{"can't be told, and complains under its own name", standing{reports: true, speaks: true}, isFailing},
		{"is missing, and quotes a denial of who runs", standing{found: nobody, reports: true, speaks: true, denied: true},
			isForbidden},
		{"is missing, and quoted a denial before it left", standing{found: Missing, reports: true, denied: true}, isMissing},
		{"can't be told", standing{moves: true}, isUnknown},
	} {
		if got := judge(c.standing); got != c.want {
			t.Errorf("a controller that %s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestJudgeLetsNobodyWaitForWhatDoesNotRun goes through all standings.
func TestJudgeLetsNobodyWaitForWhatDoesNotRun(t *testing.T) {
	for bits := range 1 << 9 {
		is := func(i int) bool { return bits>>i&1 == 1 }
		for _, found := range []PresenceState{Running, Starting, Down, Forbidden, Missing, nobody, Unsettled, ""} {
			s := standing{
				found: found, unread: is(0), starts: is(1), reports: is(2), denied: is(3), moves: is(4), wrote: is(5), leads: is(6),
				speaks: is(7), returns: is(8),
			}
			switch got := judge(s); {
			case got == isAtWork && (found != Running || !s.moves || s.reports || s.denied || s.unread):
				t.Errorf("%+v is said to be at work", s)
			case got == isDown && s.returns:
				t.Errorf("%+v is said to be down", s)
			case got == isMissing && (s.wrote || s.leads || s.unread):
				t.Errorf("%+v is said to be missing", s)
			}
		}
	}
}
