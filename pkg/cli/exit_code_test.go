package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestErrorsAreClean prints errors that quote a hostile server.
func TestErrorsAreClean(t *testing.T) {
	for _, c := range []struct{ said, want string }{
		{`Get "https://ann:hunter2hunter2@proxy.example.com/api": EOF`, "proxy.example.com"},
		{"admission webhook said: password=hunter2hunter2, and no", "admission webhook said"},
		{"header Authorization: Bearer hunter2hunter2hunter2", "Authorization"},
		{"first\nsecond\x1b[2Jhunter", "second"},
	} {
		var out bytes.Buffer
		if code := exitCode(errors.New(c.said), &out); code != exitFailed {
			t.Errorf("exit code %d", code)
		}
		got := out.String()
		if strings.Contains(got, "hunter2") || strings.Contains(got, "\x1b") || !strings.Contains(got, c.want) {
			t.Errorf("%q is printed as %q", c.said, got)
		}
	}
}
