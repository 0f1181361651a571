package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/paste"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// retained is a reader that keeps what was read and not yet understood, so that it can be read again in another way.
type retained struct {
	in     io.Reader
	kept   []byte
	start  int   // in kept, where what is not understood begins
	before int64 // how many bytes were understood
	lines  int   // in them
	most   int   // how much is kept at most, else errTooLarge
}

// read is how much was read in all.
func (r *retained) read() int64 { return r.before + int64(len(r.kept)-r.start) }

// Read implements io.Reader.
func (r *retained) Read(into []byte) (int, error) {
	if len(r.kept)-r.start > r.most {
		return 0, errTooLarge
	}
	n, err := r.in.Read(into)
	r.kept = append(r.kept, into[:n]...)
	return n, err
}

// understood drops what lies before an offset of all that was read.
func (r *retained) understood(offset int64) {
	length := min(int(offset-r.before), len(r.kept)-r.start)
	if length <= 0 {
		return
	}
	r.lines += bytes.Count(r.kept[r.start:r.start+length], []byte("\n"))
	r.start, r.before = r.start+length, offset
	if r.start > len(r.kept)/2 {
		r.kept = append(r.kept[:0], r.kept[r.start:]...)
		r.start = 0
	}
}

// rest is what was not understood, and what follows it.
func (r *retained) rest() io.Reader {
	return io.MultiReader(bytes.NewReader(r.kept[r.start:]), r.in)
}

// salvage reads as a text that people have pasted what is not, or not all, JSON or YAML of whole objects. It returns
// the failure if nothing of the file can be used: before is how many objects there were before it.
func (a *assembly) salvage(ctx context.Context, text *retained, before int, failure error) error {
	sink := &pasted{assembly: a}
	if err := paste.Read(ctx, text.rest(), text.lines, sink); err != nil {
		return err
	}
	if a.count == before && !sink.understood {
		advises := func(problem paste.Problem) bool { return problem.Advises }
		if at := slices.IndexFunc(sink.problems, advises); at >= 0 { // it is no object that was cut off
			failure = sink.problems[at]
		}
		return noObjects{failure}
	}
	a.pasted.quoted = a.pasted.quoted || sink.understood
	if len(sink.problems) == 0 && errors.Is(failure, snapshot.ErrTruncated) {
		sink.Problem(paste.Problem{Line: text.lines + 1, Reason: failure.Error()})
	}
	for _, problem := range sink.problems {
		a.skipped = append(a.skipped, problem)
	}
	if more := sink.more; more > 0 {
		a.skipped = append(a.skipped, fmt.Errorf("%d more places can't be read", more))
	}
	return nil
}

// noObjects is why a text without any object can't be used.
type noObjects struct{ error }

// Is implements what errors.Is asks.
func (noObjects) Is(target error) bool { return target == ErrNothing }

// Unwrap implements what errors.Is asks.
func (n noObjects) Unwrap() error { return n.error }

// pasted takes what is found in a text into an assembly.
type pasted struct {
	assembly   *assembly
	understood bool // something was found that is no object
	problems   []paste.Problem
	more       int // problems
}

// Object implements paste.Sink.
func (p *pasted) Object(found paste.Object) error {
	if found.Guessed {
		kind, _ := found.Fields["kind"].(string)
		p.assembly.pasted.guessed[kind]++
	}
	p.assembly.sinceObject = 0
	noteAnswer(p.assembly, found)
	if !untyped(found) {
		return p.assembly.takeFound(found)
	}
	if p.understood = true; len(p.assembly.pasted.untyped) < mostMentioned {
		p.assembly.pasted.untyped = append(p.assembly.pasted.untyped, found)
	}
	return nil
}

// Mention implements paste.Sink.
func (p *pasted) Mention(mentioned paste.Mention) {
	if p.understood = true; len(p.assembly.pasted.mentions) < mostMentioned {
		p.assembly.pasted.mentions = append(p.assembly.pasted.mentions, mentioned)
	}
}

// Events implements paste.Sink.
func (p *pasted) Events(events paste.Events) {
	if p.understood = true; len(p.assembly.pasted.events) < mostMentioned {
		p.assembly.pasted.events = append(p.assembly.pasted.events, events)
	}
}

// mostMentioned bounds what is noted of names, events, lists and failures.
const mostMentioned = 10_000

// Listed implements paste.Sink.
func (p *pasted) Listed(question paste.Question) {
	if p.understood = true; len(p.assembly.pasted.questions) < mostMentioned {
		p.assembly.pasted.questions = append(p.assembly.pasted.questions, question)
	}
}

// Failed implements paste.Sink.
func (p *pasted) Failed(failure paste.Failure) {
	if p.understood = true; len(p.assembly.pasted.failures) < mostMentioned {
		p.assembly.pasted.failures = append(p.assembly.pasted.failures, failure)
	}
}

// Dated implements paste.Sink.
func (p *pasted) Dated(at time.Time) { p.assembly.stamped = later(p.assembly.stamped, at) }

// Served implements paste.Sink.
func (p *pasted) Served(resource paste.Served) {
	if p.understood = true; len(p.assembly.kinds) < mostPlurals {
		p.assembly.serve(resource)
	}
}

// Problem implements paste.Sink.
func (p *pasted) Problem(problem paste.Problem) {
	if len(p.problems) >= mostSkipped {
		p.more++
		return
	}
	p.problems = append(p.problems, problem)
}
