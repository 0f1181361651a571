package cli

import (
	"testing"
	"time"
)

func TestAge(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "0d": 0, "90s": 90 * time.Second, "1h30m": 90 * time.Minute, "2d": 48 * time.Hour, "2d12h": 60 * time.Hour,
	} {
		var got age
		if err := got.Set(text); err != nil || time.Duration(got) != want {
			t.Errorf("%s is %v (%v), want %v", text, time.Duration(got), err, want)
		}
	}
	for _, text := range []string{"", "d", "1day", "1w", "2", "-1s", "-2d", "1d-30h", "99999999d", "1h2d"} {
		var got age
		if err := got.Set(text); err == nil {
			t.Errorf("%q passes for %v", text, time.Duration(got))
		}
	}
}
