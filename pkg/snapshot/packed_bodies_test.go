package snapshot_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// TestBodies gives back what was kept, in any order, and holds much less than that.
func TestBodies(t *testing.T) {
	const objects, most = 60_000, 16 << 20
	body := func(i int) string {
		return fmt.Sprintf(`{"kind":"Event","metadata":{"name":"e-%d"},"message":"%s"}`, i, strings.Repeat("Back-off ", i%90))
	}
	before, length := heap(), 0
	bodies, kept := &snapshot.Bodies{}, make([]snapshot.Body, objects)
	for i := range kept {
		var err error
		if kept[i], err = bodies.Keep([]byte(body(i))); err != nil {
			t.Fatal(err)
		}
		length += kept[i].Len()
	}
	bodies.Done()
	if held := heap() - before; length < 24<<20 || held > most {
		t.Errorf("%d MiB take %d MiB", length>>20, held>>20)
	}
	for _, i := range []int{0, objects - 1, 17_000, 16_999, 59_000, 1, objects / 2} {
		if got := string(kept[i].Bytes()); got != body(i) {
			t.Errorf("object %d is %.80q, want %.80q", i, got, body(i))
		}
	}
	large := strings.Repeat("x", 3<<20)
	if one, err := bodies.Keep([]byte(large)); err != nil || string(one.Bytes()) != large {
		t.Errorf("an object larger than a page is another one: %v", err)
	}
	if (snapshot.Body{}).Bytes() != nil {
		t.Error("no object has content")
	}
	runtime.KeepAlive(kept)
}

func heap() int {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}
