//go:build unix

package credential_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
)

// worked is how long this process has used a processor: the machine may be busy with others.
func worked(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// TestTimeIsLinear cleans long texts that repeat what looks like the beginning of something.
func TestTimeIsLinear(t *testing.T) {
	for _, part := range []string{
		"a", "password", "password=", "password: ", "--token ", `{"`, `"name": "password", `, "<password>", "-p", "@",
		"mysql -p", "curl -u a:b ", "eyJ", "a:1:b:c:", "IDENTIFIED BY ", "'", `\"`, "%3D", "echo a | ", "&quot;", "[",
		"password: |\n ", "\n", "token ", "user:x@", "-----BEGIN", "A1b2C3d4", "/", "<name>", "{", "hooks/", "value",
		"https://a:", "(hidden)", "token: is ", "pass:'", "abc123.", "\ue000",
	} {
		took := func(count int) time.Duration {
			text, begin := strings.Repeat(part, count), worked(t)
			for range 3 {
				credential.Clean(text)
			}
			return worked(t) - begin
		}
		const few, many, times = 300, 3_000, 10
		if short, long := max(took(few), 10*time.Millisecond), took(many); long > 4*times*short {
			t.Errorf("%d times %q take %s, %d times %s", few, part, short, many, long)
		}
	}
}
