package cluster

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// TestMemoGetAsksOnce asks for one key from many sides, and for another while that is answered.
func TestMemoGetAsksOnce(t *testing.T) {
	var answers Memo[string, int]
	var asked atomic.Int32
	var asking sync.WaitGroup
	for range 8 {
		asking.Go(func() {
			value, err := answers.Get("a", func() (int, error) {
				asked.Add(1)
				runtime.Gosched() // lets others ask meanwhile
				return answers.Get("b", func() (int, error) { return 7, nil })
			})
			if value != 7 || err != nil {
				t.Errorf("%d, %v", value, err)
			}
		})
	}
	asking.Wait()
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
}

func TestMemoErrorsAreAnswers(t *testing.T) {
	var answers Memo[string, int]
	failed := errors.New("refused")
	if _, err := answers.Get("a", func() (int, error) { return 0, failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
	if _, err := answers.Get("a", func() (int, error) { return 1, nil }); !errors.Is(err, failed) {
		t.Errorf("an error was forgotten: %v", err)
	}
	if _, known := answers.Lookup("a"); known {
		t.Error("an error is no value")
	}
}

func TestMemoPut(t *testing.T) {
	var answers Memo[string, int]
	if _, known := answers.Lookup("a"); known {
		t.Error("a value without a question")
	}
	if !answers.PutNew("a", 1) || answers.PutNew("a", 2) {
		t.Error("only the first is new")
	}
	if value, known := answers.Lookup("a"); value != 1 || !known {
		t.Error(value, known)
	}
	answers.Put("a", 3)
	if value, err := answers.Get("a", func() (int, error) { return 4, nil }); value != 3 || err != nil {
		t.Error(value, err)
	}
}
