package finding_test

import (
	"slices"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestNow has what blocks an object before what may block it, and leaves out what only comes later.
func TestNow(t *testing.T) {
	later := finding.Finding{Situation: "RemovalLater"}
	unread := finding.DependentsDetails{Kinds: []string{"pods"}}
	perhaps := finding.Finding{Situation: "OtherDependentsUnread", Details: unread}
	blocks := finding.Finding{Situation: "ControllerNotSeen"}
	for name, test := range map[string]struct{ awaited, want []finding.Finding }{
		"in order":     {[]finding.Finding{perhaps, later, blocks}, []finding.Finding{blocks, perhaps}},
		"later alone":  {[]finding.Finding{later}, []finding.Finding{later}},
		"perhaps only": {[]finding.Finding{later, perhaps}, []finding.Finding{perhaps}},
	} {
		t.Run(name, func(t *testing.T) {
			var awaited []finding.Awaited
			for _, one := range test.awaited {
				awaited = append(awaited, finding.Awaited{Finding: one, Count: 1})
			}
			now := finding.WaitingFor(awaited).Now()
			got := finding.Each(now.Some, func(one finding.Awaited) string { return one.Situation })
			want := finding.Each(test.want, func(one finding.Finding) string { return one.Situation })
			if !slices.Equal(got, want) || now.Count() != len(want) {
				t.Errorf("it waits for %v (%d), not for %v", got, now.Count(), want)
			}
		})
	}
}
