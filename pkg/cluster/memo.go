package cluster

import "sync"

// Memo holds the answers to questions, by key. The zero value is empty and ready for use, by several goroutines too.
type Memo[K comparable, V any] struct {
	mu      sync.Mutex
	answers map[K]func() (V, error)
}

// Get returns the answer to key: that of ask, which is called the first time only. Errors are answers. Callers that ask
// at the same time wait for one answer; ask may use other keys.
func (m *Memo[K, V]) Get(key K, ask func() (V, error)) (V, error) {
	m.mu.Lock()
	answer, known := m.answers[key]
	if !known {
		answer = sync.OnceValues(ask)
		m.set(key, answer)
	}
	m.mu.Unlock()
	return answer()
}

// Lookup returns the answer to key, or false where nobody has asked or the answer is an error.
func (m *Memo[K, V]) Lookup(key K) (V, bool) {
	m.mu.Lock()
	answer, known := m.answers[key]
	m.mu.Unlock()
	if !known {
		var none V
		return none, false
	}
	value, err := answer()
	return value, err == nil
}

// Put sets the answer to key, in place of one that is known.
func (m *Memo[K, V]) Put(key K, value V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.set(key, func() (V, error) { return value, nil })
}

// PutNew sets the answer to key where nobody has asked, and reports whether it did.
func (m *Memo[K, V]) PutNew(key K, value V) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, known := m.answers[key]
	if !known {
		m.set(key, func() (V, error) { return value, nil })
	}
	return !known
}

// Len returns how many keys were asked for or put.
func (m *Memo[K, V]) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.answers)
}

func (m *Memo[K, V]) set(key K, answer func() (V, error)) {
	if m.answers == nil {
		m.answers = map[K]func() (V, error){}
	}
	m.answers[key] = answer
}
