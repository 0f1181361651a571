package statuses_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

func TestUnserved(t *testing.T) {
	served := func(word string) bool { return word == "bucket" || word == "buckets.acme.io" }
	for words, want := range map[string]string{
		"failed to sync: Sprocket main-2 not found":   "main-2",
		`sprockets.acme.io "main" not found`:          "main",
		"SyncFailed: Sprocket shop/main is not ready": "main",
		`Bucket "logs" not found`:                     "",
		`buckets.acme.io "logs" not found`:            "",
		"Error E-42: no route to Host db-1":           "",
		"could not reach db.acme.io in 3 attempts":    "",
		"Sprocket is missing":                         "",
		"Reconciliation failed":                       "",
	} {
		if got := strings.Join(statuses.Unserved(words, served), " "); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
