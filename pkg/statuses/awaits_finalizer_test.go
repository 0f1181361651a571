package statuses

import "testing"

func TestAwaitsFinalizer(t *testing.T) {
	for words, want := range map[string]bool{
		"Waiting: waiting for finalizer backup.example.net/keep to be removed": true,
		"blocked by the finalizer 'backup.example.net/keep'":                   true,
		"nothing is done until backup.example.net/keep is gone":                true,
		"draining, not waiting for finalizer backup.example.net/keep":          false,
		"waiting for finalizer backup.example.net/keeper":                      false,
		"waiting for finalizer my-backup.example.net/keep":                     false,
		"waiting for the pool. Finalizer backup.example.net/keep is gone":      false,
		"removed backup.example.net/keep":                                      false,
		"waiting for a finalizer":                                              false,
	} {
		if got := AwaitsFinalizer(words, "backup.example.net/keep"); got != want {
			t.Errorf("%q waits for it: %t, want %t", words, got, want)
		}
	}
	if AwaitsFinalizer("waiting for keep", "keep") {
		t.Error("a name without a domain may be a word")
	}
}
