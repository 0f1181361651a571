package mechanism

import (
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestTroublesBesideASwitch: what a controller reported before it was told not to act is none of the causes.
func TestTroublesBesideASwitch(t *testing.T) {
	paused := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		reason finding.Reason
		said   time.Time // zero: nothing says when
		since  time.Time
		stays  bool
	}{
		"reported before":                  {finding.ControllerFailing, paused.Add(-time.Minute), paused, false},
		"reported in the same second":      {finding.ControllerFailing, paused.Add(time.Second / 2), paused, false},
		"reported since":                   {finding.ControllerFailing, paused.Add(time.Minute), paused, true},
		"reported, no one knows when":      {finding.ControllerFailing, time.Time{}, paused, true},
		"paused, no one knows when":        {finding.ControllerFailing, paused.Add(-time.Minute), time.Time{}, true},
		"not there, as was seen before":    {finding.ControllerDown, paused.Add(-time.Minute), paused, true},
		"not known, which the switch ends": {finding.ControllerUnknown, paused.Add(time.Minute), paused, false},
	} {
		cause := Finding{Reason: c.reason, Details: finding.ControllerDetails{Words: "no bucket", Said: c.said}}
		off := Finding{Details: finding.SwitchDetails{Since: c.since}}
		if got := len(troubles(Answer{Causes: []Finding{cause}}, off)) == 1; got != c.stays {
			t.Errorf("%s: it stays: %v, want %v", name, got, c.stays)
		}
	}
}
