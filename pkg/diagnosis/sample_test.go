package diagnosis_test

import (
	"hash/fnv"
	"sync"
	"testing"
)

// shortSample is how many denied reads there are to each one that is tried with -short.
const shortSample = 4

// sample chooses which reads are denied in which case: all of them, and with -short one in shortSample. The
// choice depends on the names alone, so that a run can be repeated, and differs from case to case, so that
// every kind of read has its turn.
type sample struct {
	mu         sync.Mutex
	met, tried map[string]int
}

func newSample() *sample { return &sample{met: map[string]int{}, tried: map[string]int{}} }

// tries reports whether a case is asked again without a read.
func (s *sample) tries(caseName, read string) bool {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(caseName + "\n" + read))
	chosen := !testing.Short() || hash.Sum32()%shortSample == 0
	s.mu.Lock()
	defer s.mu.Unlock()
	s.met[read]++
	if chosen {
		s.tried[read]++
	}
	return chosen
}

// check fails where a read that many cases rest on was denied in none of them.
func (s *sample) check(t *testing.T) {
	t.Helper()
	for read, cases := range s.met {
		if s.tried[read] == 0 && cases >= 4*shortSample {
			t.Errorf("%s is read in %d cases, and was denied in none of the sample", read, cases)
		}
	}
}
