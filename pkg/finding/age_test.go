package finding_test

import (
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

func TestLength(t *testing.T) {
	for _, c := range []struct {
		length time.Duration
		want   string
	}{
		{-time.Second, "0s"},
		{0, "0s"},
		{90 * time.Second, "90s"},
		{5*time.Minute + 30*time.Second, "5m30s"},
		{60*time.Minute - time.Second, "59m"},
		{60 * time.Minute, "1h"},
		{60*time.Minute + 59*time.Second, "1h"},
		{90 * time.Minute, "1h30m"},
		{120 * time.Minute, "2h"},
		{179 * time.Minute, "2h59m"},
		{180 * time.Minute, "3h"},
		{3*time.Hour + 12*time.Minute, "3h12m"},
		{30 * time.Hour, "30h"},
		{41 * 24 * time.Hour, "41d"},
	} {
		if got := finding.Length(c.length); got != c.want {
			t.Errorf("%v is %q, want %q", c.length, got, c.want)
		}
	}
}

func TestAgo(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	for at, want := range map[time.Time]string{
		{}:                      "an unknown time",
		now.Add(-time.Hour):     "1h",
		now.Add(time.Minute):    "0s", // clocks differ
		now.Add(-3 * time.Hour): "3h",
	} {
		if got := finding.Ago(now, at); got != want {
			t.Errorf("%v is %q ago, want %q", at, got, want)
		}
	}
}
