package cluster

import (
	"sync"
)

// Memo holds the answers to questions, by key. The zero value is empty and ready for use, by several goroutines too.
type Memo[K comparable, V any] struct {
	answers sync.Map // of func() (V, error)
}

// Get returns the answer to key: that of ask, which is called the first time only. Errors are answers. Callers that ask
// at the same time wait for one answer; ask may use other keys.
func (m *Memo[K, V]) Get(key K, ask func() (V, error)) (V, error) {
	answer, known := m.answers.Load(key)
	if !known {
		answer, _ = m.answers.LoadOrStore(key, sync.OnceValues(ask))
	}
	return answer.(func() (V, error))()
}

// Lookup returns the answer to key, or false if it was not asked or the answer is an error.
func (m *Memo[K, V]) Lookup(key K) (value V, found bool) {
	if answer, known := m.answers.Load(key); known {
		value, err := answer.(func() (V, error))()
		return value, err == nil
	}
	return value, false
}

// Put sets the answer to key, in place of one that is known.
func (m *Memo[K, V]) Put(key K, value V) {
	m.answers.Store(key, func() (V, error) { return value, nil })
}

// PutNew sets the answer to key if it was not asked, and reports whether it did.
func (m *Memo[K, V]) PutNew(key K, value V) bool {
	_, known := m.answers.LoadOrStore(key, func() (V, error) { return value, nil })
	return !known
}

// Each calls visit with each answer that is no error.
func (m *Memo[K, V]) Each(visit func(V)) {
	for _, answer := range m.answers.Range {
		if value, err := answer.(func() (V, error))(); err == nil {
			visit(value)
		}
	}
}

// Len returns how many keys were asked for or put.
func (m *Memo[K, V]) Len() (count int) {
	for range m.answers.Range {
		count++
	}
	return count
}
