package follow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// world is a cluster in a few words: what a look finds, and who watches. Time is that of testing/synctest.
type world struct {
	mu      sync.Mutex
	answer  *Answer
	err     error
	looks   int
	refuses bool // watches
	tell    map[scopeKey]func(cluster.Sighting)
	begun   int // watches
}

func (w *world) Look(context.Context) (*Answer, error) {
	time.Sleep(200 * time.Millisecond)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looks++
	return w.answer, w.err
}

func (w *world) Watch(ctx context.Context, scope cluster.Scope, tell func(cluster.Sighting)) error {
	w.mu.Lock()
	w.begun++
	refuses := w.refuses
	if w.tell == nil {
		w.tell = map[scopeKey]func(cluster.Sighting){}
	}
	w.tell[keyOfScope(scope)] = tell
	w.mu.Unlock()
	if refuses {
		return errors.New("forbidden")
	}
	<-ctx.Done()
	return nil
}

func (w *world) set(answer *Answer, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer, w.err = answer, err
}

// see has every watch see something of ConfigMaps.

// see has every watch see something of ConfigMaps.
func (w *world) see(sighting cluster.Sighting) {
	w.mu.Lock()
	var tells []func(cluster.Sighting)
	for _, tell := range w.tell {
		tells = append(tells, tell)
	}
	w.mu.Unlock()
	for _, tell := range tells {
		tell(sighting)
	}
}

// watched is what was told in lines, and how it ended.

// watched is what was told in lines, and how it ended.
type watched struct {
	end       End
	err       error
	out, told bytes.Buffer
	lasted    time.Duration
}

// text returns the lines, with the seconds that had passed in place of the time.

// text returns the lines, with the seconds that had passed in place of the time.
func (w *watched) text(begun time.Time) string {
	var lines []string
	for line := range strings.Lines(w.out.String()) {
		stamp, text, _ := strings.Cut(strings.TrimSpace(line), "  ")
		at, _ := time.Parse(time.RFC3339, stamp)
		lines = append(lines, fmt.Sprintf("%d %s", int(at.Sub(begun.Truncate(time.Second))/time.Second), text))
	}
	return strings.Join(lines, "\n")
}

// watch runs until the end; act is what happens meanwhile.

// watch runs until the end; act is what happens meanwhile.
func (w *world) watch(ctx context.Context, options Options, act func()) *watched {
	done, begun := &watched{}, time.Now()
	options.Look, options.Watcher, options.View = w.Look, w, &Lines{Out: &done.out, ErrOut: &done.told}
	options.ServedKinds = &cluster.ServedKinds{Resources: []cluster.Resource{configMaps()}}
	if act != nil {
		go act()
	}
	done.end, _, done.err = Run(ctx, options)
	done.lasted = time.Since(begun)
	return done
}
