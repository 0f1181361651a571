package report

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// InSeconds returns a time as results have it: in UTC, and as exact as Kubernetes' own times.
func InSeconds(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// Evidence returns evidence with its times as results have them. It is never nil.
func Evidence(evidence []finding.Evidence) []finding.Evidence {
	rounded := make([]finding.Evidence, len(evidence))
	for i, one := range evidence {
		if one.At != nil {
			at := InSeconds(*one.At)
			one.At = &at
		}
		rounded[i] = one
	}
	return rounded
}
