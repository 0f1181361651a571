package statuses_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// FuzzWords reads what a controller may say: anyone may write it, and it must not end the program.
func FuzzWords(f *testing.F) {
	for _, words := range []string{
		"", "approved changes need a restart", "approval", "must", "needs approval by", "sign off", "waiting for x to leave",
		"still referenced by", "no", "rpc error: code = Unknown", "error:", "pods \"a\" is forbidden", "…", "\xff 'x",
	} {
		f.Add(words)
	}
	f.Fuzz(func(_ *testing.T, words string) {
		statuses.AwaitsPerson(words, "x")
		statuses.AwaitsFinalizer(words, "example.com/x")
		statuses.Awaited(words)
		statuses.AwaitedWork(words)
		statuses.ClosedTo(words)
		statuses.Continues(words)
		statuses.FirstClause(words)
		statuses.HoldsBack(words)
		statuses.Inventoried(words)
		statuses.JudgeAbout(words, "x")
		statuses.RefusingQuota(words)
		statuses.SaysAbsent(words)
		statuses.Slashed(words)
		statuses.SpeaksOfDeletion(words)
		statuses.SpeaksOfEnd(words, "x")
		statuses.Undiscovered(words)
		statuses.UsersNamed(words)
	})
}
