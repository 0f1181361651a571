package cluster

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// silences are questions about what is served that were not answered in time. client-go asks for each group version
// three times over, one after another where it knows of a failure (k8s v1.37
// client-go/discovery/cached/memory/memcache.go:isTransientError): each would be waited for.
type silences struct{ until sync.Map } // when each may be asked again

// lasting is how long this question isn't asked again.
const lasting = time.Minute

// note remembers a question that was not answered in time, and returns its error.
func (s *silences) note(ctx context.Context, question string, err error) error {
	deadline, bounded := ctx.Deadline() // http.Client may cancel the request a moment before it ends the context
	if ctx.Err() != nil || bounded && time.Until(deadline) <= 0 {
		s.until.Store(question, time.Now().Add(lasting))
	}
	return err
}

// of returns an error for a question that was not answered in time just now, or nil.
func (s *silences) of(question string) error {
	if until, found := s.until.Load(question); found && time.Now().Before(until.(time.Time)) {
		return fmt.Errorf("not asked again, as there was no answer a moment ago: %w", context.DeadlineExceeded)
	}
	return nil
}
