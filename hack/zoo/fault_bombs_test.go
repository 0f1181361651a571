package zoo_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// mostOfABomb is how many bytes the program may take while it reads answers without end.
const mostOfABomb = 2 << 30

// bombs are objects without end that come packed, so that they cost who sends them nothing.
func bombs() []fault {
	const list = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{},"items":[`
	return []fault{
		{name: "a packed text without end", answer: packed(list+`{"metadata":{"name":"`, "xxxxxxxx")},
		{name: "packed maps without end", answer: packed(list+`{"data":[1`, `,{"":1}`)},
		{name: "packed objects without end", answer: packed(list+`{}`, `,{"metadata":{"name":"a","finalizers":["a/b"]}}`)},
	}
}

// packed answers with a beginning and then the same for as long as anybody reads it. Packed data may consist of parts,
// so that the same few kilobytes are sent again and again.
func packed(start, more string) func(http.ResponseWriter, *http.Request, http.HandlerFunc) {
	start, more = pack(start), pack(strings.Repeat(more, 1<<20/len(more)))
	return func(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		_, err := w.Write([]byte(start))
		for err == nil && r.Context().Err() == nil {
			_, err = w.Write([]byte(more))
		}
	}
}

func pack(text string) string {
	var out bytes.Buffer
	to := gzip.NewWriter(&out)
	_, _ = to.Write([]byte(text))
	_ = to.Close()
	return out.String()
}

// readBombs has processes read answers without end, one after the other, and holds them to what one may take.
func (k *keeper) readBombs(t *testing.T) {
	var most processes
	most.program = filepath.Join(k.plugin, pluginName)
	questions := inquiries()
	for i, question := range []*inquiry{questions[0], questions[4], questions[8]} { // why, list, check
		question.run = most.run
		k.askWithAll(t, question)
		for j, place := range places()[:2] { // lists, and single objects
			k.askWithFault(t, trial{question, bombs()[(i+j)%len(bombs())], place})
		}
		k.askWithFault(t, trial{question, bombs()[2], places()[0]})
	}
	t.Logf("a process took %d MB at most", most.peak>>20)
	if most.peak > mostOfABomb {
		t.Errorf("a process took %d MB, and may take %d", most.peak>>20, mostOfABomb>>20)
	}
}

// processes run the program outside of this process, and know the most memory that one of them took.
type processes struct {
	program string
	mu      sync.Mutex
	peak    int64
}

func (p *processes) run(ctx context.Context, args ...string) reply {
	var out, errOut bytes.Buffer
	cmd := exec.CommandContext(ctx, p.program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return reply{code: -1, errOut: err.Error()}
	}
	if used, is := cmd.ProcessState.SysUsage().(*syscall.Rusage); is {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.peak = max(p.peak, peakOf(used))
	}
	return reply{code: cmd.ProcessState.ExitCode(), out: out.String(), errOut: errOut.String()}
}
